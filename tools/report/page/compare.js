// SPDX-License-Identifier: BSD-3-Clause
// compare.js - this run and those before a change: what is slower, faster, more, fewer, new, gone.

const COMPARE = {table: 'files', measure: 'time', pattern: '', shown: 40};
keep('compare', COMPARE, 'table');
keep('compare-by', COMPARE, 'measure');
keep('changes', COMPARE, 'pattern');
const compareUnits = {time: duration, io: duration, data: duration, metadata: duration, sync: duration, waiting: duration,
	memory: duration, bytes, read: bytes, written: bytes};
const compareWords = {time: 'time', io: 'I/O', data: 'reading and writing', sync: 'syncing', waiting: 'waiting for others',
	syscalls: 'system calls', errors: 'failed calls', read: 'read', written: 'written'};
const compareTables = {calls: 'calls', files: 'files', sites: 'lines of the program', regions: 'regions', ranks: 'ranks',
	processes: 'processes', threads: 'threads'};

function compareShow(measure, value) {
	return (compareUnits[measure] || count)(value);
}

function changeText(d) {
	const before = d.before[0], after = d.after[0], by = after - before;
	const sign = by > 0 ? '+' : '−';

	if (!by)
		return '0';
	return sign + compareShow(d.measure, Math.abs(by)) + (before > 0 ? ' (' + sign + (100 * Math.abs(by) / before).toFixed(Math.abs(by) < .1 * before ? 1 : 0) + ' %)' : '');
}

// Colours have words beside them.
function changeClass(d) {
	return 'change ' + (d.change === 'same' || d.change === 'noise' ? '' : d.after[0] > d.before[0] ? 'more' : 'less');
}

// To the left what is less now, to the right what is more.
function differenceBar(d, most) {
	const width = 160, half = width / 2, by = d.after[0] - d.before[0], long = most > 0 ? Math.abs(by) / most * (half - 2) : 0;
	const svg = svgElement('svg', {width, height: 12, class: 'difference', 'aria-hidden': 'true'});

	svg.append(svgElement('line', {x1: half, x2: half, y1: 0, y2: 12, stroke: 'var(--quiet)'}));
	svg.append(svgElement('rect', {x: by < 0 ? half - long : half, y: 2, width: long.toFixed(1), height: 8, fill: by < 0 ? 'var(--reading)' : 'var(--writing)',
		opacity: d.change === 'noise' ? .35 : 1}));
	return svg;
}

function compareHead(what) {
	return element('thead', {}, element('tr', {}, ...[what, 'before', 'after', 'change', 'which is', 'less | more'].map((title, i) =>
		element('th', {scope: 'col', class: ['name', '', '', '', 'word', 'middle'][i]}, title))));
}

function compareRow(d, name, most, title, action) {
	const repeats = d.before[1] !== d.before[2] ? ' (' + compareShow(d.measure, d.before[1]) + ' to ' + compareShow(d.measure, d.before[2]) + ')' : '';

	return element('tr', action || {}, element('td', {class: 'name'}, name, title ? element('div', {class: 'note'}, title) : ''),
		element('td', {}, compareShow(d.measure, d.before[0]) + repeats), element('td', {}, compareShow(d.measure, d.after[0])),
		element('td', {class: changeClass(d)}, changeText(d)), element('td', {class: 'word'}, d.change),
		element('td', {class: 'middle'}, differenceBar(d, most)));
}

function compareJob() {
	const rows = data.diff.differences.filter(d => d.table === 'job' && (d.before[0] || d.after[0]) && d.measure !== 'bytes');

	return scrollable('The whole job, before and after', element('table', {id: 'compared-job'},
		compareHead('of the job'), element('tbody', {}, ...rows.map(d => compareRow(d, compareWords[d.measure] || d.measure,
			Math.max(d.before[0], d.after[0]))))));
}

// "reopened: FILE", with the title that the finding has in one of the runs.
function withTitle(name) {
	const id = name.split(':', 1)[0], runs = [stat, ...runBefore ? [runBefore.stat] : []];
	const known = runs.flatMap(run => run.findings || []).flatMap(f => [f, ...f.findings || []]).find(f => f.id === id);

	return known ? known.title + name.slice(id.length) : name;
}

function comparedFindings() {
	const rows = data.diff.differences.filter(d => d.table === 'findings');
	const names = [...new Set(rows.map(d => d.name))];

	return names.length ? element('ul', {id: 'compared-findings'}, ...names.map(name => {
		const all = rows.filter(d => d.name === name), first = all[0];

		return element('li', {}, element('strong', {class: changeClass(first)}, first.change), ' ' + shown(withTitle(name)) + ': ' +
			all.map(d => d.measure + ' ' + compareShow(d.measure, d.before[0]) + ' → ' + compareShow(d.measure, d.after[0])).join(', '));
	})) : element('p', {class: 'note'}, data.diff.lacking.includes('findings') ? 'What stands out is not known of all runs, so that it is not compared.' :
		'No finding came, went or changed.');
}

// What a row is about is chosen in all views, if this run has it.
function compareAction(d) {
	const file = d.table === 'files' ? stat.files.findIndex(f => f.path === d.name) : -1;

	if (file >= 0)
		return Object.assign(clickable(() => select({file: selection.file === file ? -1 : file})), {'aria-selected': String(selection.file === file)});
	if (d.table === 'calls' && d.after[0])
		return Object.assign(clickable(() => select({call: selection.call === d.name ? '' : d.name})), {'aria-selected': String(selection.call === d.name)});
	return null;
}

// What is compared, by what: as it was chosen, if anything differs there.
function comparedNow() {
	const rows = data.diff.differences, tables = Object.keys(compareTables).filter(t => rows.some(d => d.table === t));
	const table = tables.includes(COMPARE.table) ? COMPARE.table : tables[0];
	const measures = [...new Set(rows.filter(d => d.table === table).map(d => d.measure))];

	return {tables, table, measures, measure: measures.includes(COMPARE.measure) ? COMPARE.measure : measures[0]};
}

function changesFound() {
	let wanted = () => true;

	try {
		const pattern = new RegExp(COMPARE.pattern, 'u');

		wanted = d => pattern.test(d.name);
	} catch (e) {
		wanted = () => false;
	}
	const {table, measure} = comparedNow();

	return data.diff.differences.filter(d => d.table === table && d.measure === measure && wanted(d))
		.sort((a, b) => Math.abs(b.after[0] - b.before[0]) - Math.abs(a.after[0] - a.before[0]));
}

function drawChanges() {
	const found = changesFound(), most = d3.max(found, d => Math.abs(d.after[0] - d.before[0])) || 0;

	fill('table-of-changes', scrollable('What differs', element('table', {}, compareHead('name'),
		element('tbody', {}, ...found.slice(0, COMPARE.shown).map(d => compareRow(d, shown(d.name), most, d.was ? 'before: ' + shown(d.was) : '', compareAction(d)))))),
	element('p', {class: 'note', id: 'changes-found'}, count(found.length) + (found.length === 1 ? ' differs' : ' differ') + (found.length > COMPARE.shown ? '; the ' + COMPARE.shown + ' that differ most are shown' : '')));
}

function compareChoice(id, label, key, value, names) {
	const choice = element('select', {id, onchange: e => choose(COMPARE, key, e.target.value, showCompared)}, ...names.map(([value, name]) => element('option', {value}, name)));

	choice.value = value;
	return element('label', {}, label + ' ', choice);
}

function compareTools() {
	const {tables, table, measures, measure} = comparedNow();
	const search = element('input', {type: 'search', id: 'search-changes', size: 24, placeholder: 'regular expression', 'aria-label': 'Names that match', value: COMPARE.pattern});

	search.addEventListener('input', () => choose(COMPARE, 'pattern', search.value, drawChanges));
	return element('div', {class: 'tools'}, compareChoice('compare-table', 'Of', 'table', table, tables.map(t => [t, compareTables[t]])),
		compareChoice('compare-by', 'the', 'measure', measure, measures.map(m => [m, compareWords[m] || m])), search,
		element('button', {onclick: () => download('changes.csv', 'text/csv', csv([['table', 'name', 'was', 'measure', 'change', 'before', 'after']].concat(
			data.diff.differences.map(d => [d.table, shown(d.name), shown(d.was || ''), d.measure, d.change, d.before[0], d.after[0]]))))}, 'Save all as csv'));
}

// ---- timelines ----

// Behind what is of one run.
function runWord() {
	return runAfter ? ', before' : runBefore ? ', after' : '';
}

function nameOfRun(word, run) {
	return element('h3', {}, word + ': ' + shown(run) + ', ' + duration(picture.wall));
}

// Both runs from their beginnings on, on one scale of time and one of bytes a second.
function showTimelines() {
	const rate = Math.max(highestRate(), inRunBefore(highestRate));
	const left = Math.max(NAMES, roomForNames(), inRunBefore(roomForNames)), after = timelineOf(left, rate);
	const part = (head, run, id) => element('div', {id}, element('div', {class: 'tools head'}, head, ...run.save), run.picture, element('p', {class: 'note'}, run.note));
	const [before, head] = inRunBefore(() => [timelineOf(left, rate), nameOfRun('Before', data.title)]);

	fill('timeline-view', element('div', {class: 'tools'}, ...timelineTools()), legend(...picture.parts),
		element('p', {class: 'note'}, 'Both runs, each from its beginning on, are on one scale. ' + timelineHelp + ' What is chosen is chosen in both: threads by rank, program and order, files by name.'),
		part(head, before, 'timeline-before'), part(nameOfRun('After', data.diff.after[0]), after, 'timeline-after'),
		element('div', {class: 'two'}, element('div', {}, ...before.spent), element('div', {}, ...after.spent)));
}

function showCompared() {
	const diff = data.diff;

	document.getElementById('compared').hidden = !diff;
	document.querySelector('nav a[href="#compared"]').hidden = !diff;
	if (!diff)
		return;
	const any = comparedNow().tables.length > 0;

	fill('compared-view', element('p', {class: 'note'}, 'Before: ' + diff.before.map(shown).join(', ') + '. After: ' + diff.after.map(shown).join(', ') + '.' +
		(diff.before.length > 1 ? ' What lies within repeats is noise.' : ' One run before does not tell what is noise: several do.')),
	compareJob(), element('h3', {}, 'What stands out'), comparedFindings(), element('h3', {}, 'What differs'),
	...any ? [compareTools(), element('div', {id: 'table-of-changes'})] : [element('p', {class: 'note'}, 'Nothing.')]);
	if (any)
		drawChanges();
}
