// SPDX-License-Identifier: BSD-3-Clause
// summary.js - what iotrace-stat says first, and what stands out.

const FINDING = {callers: 4, alike: 3};

// Where nothing took time there is no rate.
function withRate(all, rate) {
	return rate === undefined ? [bytes(all)] : [bytes(all) + ',', bytes(rate) + '/s'];
}

function showSummary() {
	const job = stat.job;
	const title = data.title;
	const began = new Date(Number(BigInt(picture.begin) / 1000000n));
	const people = [count(job.processes) + (job.processes === 1 ? ' process' : ' processes'),
		count(job.threads) + (job.threads === 1 ? ' thread' : ' threads'),
		job.hosts === 1 ? 'on ' + shown(job.host || 'one host') : 'on ' + job.hosts + ' hosts'];

	if (job.runs > 1)
		people.push('in ' + count(job.runs) + ' runs');
	const facts = [
		['run time', duration(job.wall)],
		['in I/O, of the threads\u2019 time', percent(job.io_percent || 0)],
		['reading and writing', percent(job.moving_percent || 0)],
		['metadata', percent(job.metadata_percent || 0)],
		['syncing', percent(job.syncing_percent || 0)],
		['waiting for others', percent(job.waiting_percent || 0)],
		['read', ...withRate(job.read, job.read_rate)],
		['written', ...withRate(job.written, job.write_rate)],
		['calls', count(job.calls)],
		['calls that failed', count(job.errors)],
		['files', count(picture.files_seen)],
	];

	if (job.undivided)
		facts.push(['of I/O, collective calls of MPI-IO, waiting for others included', percent(10000 * job.undivided / job.lived)]);
	if (job.ranks)
		people.unshift(count(job.ranks) + ' ranks');
	if (job.inferred)
		facts.push(['made by libc within itself, not counted as calls', count(job.inferred)]);
	if (job.lost)
		facts.push(['could not be recorded', count(job.lost) + ' calls']);
	document.title = shown(title) + ' - iotrace';
	document.getElementById('title').textContent = shown(title);
	document.getElementById('subtitle').textContent = job.processes ? people.join(', ') + ', ' +
		began.toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : 'no call is on record';
	fill('facts', element('dl', {class: 'cards'}, ...facts.map(([name, ...values]) =>
		element('div', {}, element('dt', {}, name), element('dd', {}, ...values.flatMap(v => [element('span', {}, v), ' ']).slice(0, -1))))));
}

function saves(finding) {
	const [least, most] = (finding.saves || []).map(s => duration(s * 1e9));

	return most ? 'saves ' + (least === most ? '' : least + ' to ') + most : '';
}

// What it is about.
function nameOf(finding) {
	if (finding.path === undefined)
		return finding.call === undefined || finding.text.includes(finding.call + '()') ? '' : finding.call + '()';
	return (finding.below ? 'below ' : '') + shown(finding.path) + (finding.others ? ' and ' + count(finding.others) + ' more' : '');
}

// Functions without a name differ in where they are.
function whereExactly(line) {
	return where(line) + (line.func || line.file || !line.offset ? '' : ' + 0x' + line.offset.toString(16));
}

// A file that is here, or else the lines that led to the calls, or else calls with that name in their text: of a
// directory, or of a file that was looked for in many.
function showOnly(finding) {
	const file = stat.files.findIndex(f => f.path === finding.path);
	const lines = (finding.sites || []).map(whereExactly).join(CALLED_BY);
	const inner = lines && nodes.some(n => n.id && (outwards(n.id) + CALLED_BY).startsWith(lines + CALLED_BY)) ? lines : '';

	callTable.pattern = file >= 0 || inner || finding.path === undefined ? '' : literally(finding.path);
	select(Object.assign({}, everything, file >= 0 ? {file} : {call: finding.call || '', inner}));
	document.getElementById(file >= 0 ? 'files' : 'calls').scrollIntoView();
}

// The innermost ones, and all of them for who asks: a stack of Python has some thirty.
function callersOf(lines) {
	const some = lines.slice(0, FINDING.callers).join(' < ');

	if (lines.length <= FINDING.callers)
		return element('p', {}, element('code', {}, some));
	return element('details', {}, element('summary', {}, element('code', {}, some + ' < \u2026'), ' ' + count(lines.length - FINDING.callers) + ' more'),
		element('code', {}, lines.slice(FINDING.callers).join(' < ')));
}

function finding(f) {
	const lines = (f.sites || []).map(whereExactly), name = nameOf(f);
	const parts = [element('h3', {}, element('span', {}, (f.seconds > 0 ? duration(f.seconds * 1e9) + '\u2002' : '') + f.title),
		element('span', {class: 'saves'}, saves(f) + (f.assumes && f.saves ? ', if ' + f.assumes : '')))];

	parts.push(element('p', {}, (name && name + ': ') + shown(f.text)));
	const line = (f.sites || []).find(sourceOf);

	if (lines.length)
		parts.push(callersOf(lines));
	if (line)
		parts.push(element('p', {class: 'source'}, where({file: line.file, line: line.line}) + ': ', element('code', {}, sourceOf(line))));
	if (f.findings)
		parts.push(element('details', {}, element('summary', {}, 'One by one'), ...foldedFindings(f.findings)));
	else if (f.remedy)
		parts.push(element('p', {}, f.remedy.startsWith('--') ? 'iotrace-stat ' + f.remedy : f.remedy));
	if (f.path !== undefined || f.call)
		parts.push(element('p', {}, element('button', {onclick: () => showOnly(f)}, 'Show what it is about')));
	return element('article', {class: 'finding ' + f.severity}, ...parts);
}

// Each rank may have the same: the first ones of a title, and the others for who asks.  What is no fault comes last.
function foldedFindings(all) {
	const titles = new Map(), shownOnes = [], isInfo = f => f.severity === 'info';

	for (const f of [...all].sort((a, b) => isInfo(a) - isInfo(b))) {
		const of = titles.get(f.title) || {n: 0, more: null};

		titles.set(f.title, of);
		of.n++;
		if (of.n === FINDING.alike + 1)
			shownOnes.push(of.more = element('details', {class: 'finding ' + f.severity}, element('summary', {})));
		if (of.more) {
			of.more.firstChild.textContent = count(of.n - FINDING.alike) + ' more: ' + f.title;
			of.more.append(finding(f));
		} else {
			shownOnes.push(finding(f));
		}
	}
	return shownOnes;
}

function showFindings() {
	if (stat.chosen)
		fill('list-of-findings', element('p', {class: 'note'}, 'What stands out of chosen calls a database does not know: name the logs.'));
	else if (stat.findings.length)
		fill('list-of-findings', ...foldedFindings(stat.findings));
	else
		fill('list-of-findings', element('p', {class: 'note'}, 'Nothing stands out.'));
}
