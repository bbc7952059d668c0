// SPDX-License-Identifier: BSD-3-Clause
// processes.js - who started whom, how long each lived, and what share of that went to I/O.

const PROCESS = {right: 150, row: 22, most: 300, step: 16, threads: false};
keep('threads', PROCESS, 'threads');

function ioShare(time, lived) {
	return lived > 0 ? Math.min(1, (time[0] + time[1] + time[2] + time[3]) / lived) : 0;
}

function shareText(share) {
	return (100 * share).toFixed(share < .1 ? 1 : 0) + ' %';
}

// Of the time that the process was there, as of one processor.
function cpuShare(p) {
	return p.end > p.begin ? (p.cpu.user + p.cpu.system) / (p.end - p.begin) : 0;
}

// Rows, parents above their children, each with how deep it stands: hosts > ranks > processes > threads.
function processRows() {
	const rows = [];
	const hosts = [...new Set([...processes].sort(byHost).map(p => p.host))];
	const byBegin = (a, b) => (a.rank === undefined ? -1 : a.rank) - (b.rank === undefined ? -1 : b.rank) || a.begin - b.begin || a.id - b.id;
	const add = (p, depth) => {
		rows.push({process: p, name: processName(p), depth, begin: p.begin, end: p.end, lanes: p.lanes, share: p.lived ? p.io / p.lived : 0});
		if (PROCESS.threads)
			for (const l of p.lanes.filter(l => picture.lanes[l].tid !== p.pid)) {
				const lane = picture.lanes[l];

				rows.push({lane: l, name: 'thread ' + lane.tid, depth: depth + 1, begin: lane.begin, end: Math.max(lane.begin, lane.end), lanes: [l],
					share: ioShare(lane.time, lane.end - lane.begin)});
			}
		p.children.sort(byBegin).forEach(c => add(c, depth + 1));
	};

	for (const host of hosts) {
		if (hosts.length > 1)
			rows.push({host, name: shown(host || '?'), depth: 0, lanes: []});
		processes.filter(p => p.host === host && !p.from).sort(byBegin).forEach(p => add(p, hosts.length > 1 ? 1 : 0));
	}
	return rows;
}

// The sums of several lanes; bins: of each lane.
function binsOf(lanes, bins) {
	if (lanes.length === 1)
		return bins[lanes[0]];
	return picture.parts.map((name, part) => {
		const sum = new Float64Array(picture.bins);

		for (const l of lanes)
			if (picture.lanes[l].time[part])
				bins[l][part].forEach((ns, i) => { sum[i] += ns; });
		return sum;
	});
}

function processText(row) {
	const p = row.process;
	const time = picture.parts.map((name, part) => name + ' ' + duration(d3.sum(row.lanes, l => picture.lanes[l].time[part])));
	const parts = [row.name, 'from ' + duration(row.begin) + ' for ' + duration(row.end - row.begin), time.join(', ')];

	if (p) {
		parts.push(count(p.calls) + ' calls, ' + bytes(p.read) + ' read, ' + bytes(p.written) + ' written, ' + count(p.threads) +
			(p.threads === 1 ? ' thread' : ' threads'));
		if (p.cpu)
			parts.push('processor: ' + duration(p.cpu.user) + ' in the program, ' + duration(p.cpu.system) + ' in the system');
		if (p.from)
			parts.push((p.executed ? 'executed by ' : 'started by ') + processName(p.from));
	}
	return parts.join('\n');
}

function processBar(svg, x, row, y) {
	const a = Math.max(x.range()[0], x(row.begin)), b = Math.min(x.range()[1], Math.max(x(row.end), x(row.begin) + 1.5));

	if (b <= a)
		return;
	const bar = svgElement('rect', {class: 'life', x: a.toFixed(1), y: y + 2, width: (b - a).toFixed(1), height: PROCESS.row - 5,
		fill: 'var(--raised)', stroke: 'var(--waiting)', 'stroke-width': .8, rx: 2});

	bar.append(svgElement('title', {}, processText(row)));
	svg.append(bar);
	stacked(svg, x, binsOf(row.lanes, laneBins), picture.width * Math.max(1, row.lanes.length), y + PROCESS.row - 4, PROCESS.row - 6);
}

// From the parent's row down to the child's, when the child began.
function parentLines(svg, x, rows, at) {
	for (const row of rows) {
		const from = row.process && row.process.from;

		if (!from || !at.has(from) || row.begin < selection.from || row.begin > selection.to)
			continue;
		const line = x(row.begin).toFixed(1);

		svg.append(svgElement('path', {class: 'started', d: 'M' + line + ' ' + (at.get(from) + PROCESS.row - 3) + 'V' + (at.get(row.process) + 2),
			stroke: 'var(--quiet)', fill: 'none', 'stroke-width': 1}));
	}
}

// What the program said while it ran, as lines through the picture; names where there is room, which near the right edge
// is to the left of the line.
function markLines(svg, x, y, height) {
	const edge = Number(svg.getAttribute('width'));
	let free = x.range()[0];
	const inView = picture.marks.filter(([at]) => at >= selection.from && at <= selection.to);

	inView.forEach(([at, lane, text], i) => {
		const px = x(at), next = i + 1 < inView.length ? x(inView[i + 1][0]) : edge;
		const right = next - px - 8, left = px - free - 8, words = shown(text), long = widthOf(words);
		const turned = right < long && left > right, room = turned ? left : right;
		const g = svgElement('g', {class: 'mark'});

		g.append(svgElement('title', {}, shown(text) + '\nat ' + duration(at) + ', ' + laneName(picture.lanes[lane])));
		g.append(svgElement('line', {x1: px.toFixed(1), x2: px.toFixed(1), y1: y, y2: height, stroke: 'var(--fault)', 'stroke-dasharray': '3 3'}));
		if ((turned || px >= free) && room >= Math.min(long, 45)) {
			g.append(svgElement('text', {x: (px + (turned ? -4 : 4)).toFixed(1), y: y + 10, 'text-anchor': turned ? 'end' : 'start'}, cut(words, room)));
			free = px + (turned ? 0 : 8 + Math.min(room, long));
		}
		svg.append(g);
	});
}

// step: how much further in a child stands than its parent.
function processLabel(svg, row, y, left, step) {
	const chosen = row.process && selection.process === row.process.id, bold = chosen || row.host !== undefined;
	const name = svgElement('text', {x: 10 + step * row.depth, y: y + PROCESS.row - 8, class: row.lane === undefined ? 'process' : 'quiet',
		'font-weight': bold ? 'bold' : 'normal'},
	cutMiddle((row.depth && row.host === undefined ? '└ ' : '') + row.name, left - 20 - step * row.depth, bold));

	if (row.host === undefined) {
		name.append(svgElement('title', {}, processText(row)));
		buttonLike(name, row.name, () => select(row.process ? {process: chosen ? -1 : row.process.id, lane: -1} :
			{lane: selection.lane === row.lane ? -1 : row.lane}));
	}
	svg.append(name);
}

function processTable() {
	const columns = ['host', 'rank', 'program', 'pid', 'started by', 'begin', 'end', 'io', 'lived', 'calls', 'read', 'written', 'threads'];

	return [columns].concat(processes.map(p => [shown(p.host), p.rank === undefined ? '' : p.rank,
		shown(p.prog), p.pid, p.from ? p.from.pid : '', Math.round(p.begin), Math.round(p.end), p.io, p.lived, p.calls, p.read, p.written, p.threads]));
}

function processTools(svg) {
	const threads = element('input', {type: 'checkbox', id: 'show-threads', onchange: e => choose(PROCESS, 'threads', e.target.checked, showProcesses)});

	threads.checked = PROCESS.threads;
	return element('div', {class: 'tools'}, element('label', {}, threads, ' Threads'),
		...saveButtons(svg, 'processes', processTable));
}

let processesDrawn; // for what was selected then
derive.push(() => { processesDrawn = ''; });

// The picture is the same whatever file, line or call is chosen.
function showProcessesIfChanged() {
	const now = [selection.from, selection.to, selection.process, selection.lane, PROCESS.threads, widthOfViews, widthSeen].join();

	if (now !== processesDrawn)
		showProcesses();
	processesDrawn = now;
}

function showProcesses() {
	const all = processRows(), rows = all.slice(0, PROCESS.most);
	const marked = picture.marks.length ? 18 : 0;
	const width = timelineWidth(), top = 26 + marked, height = top + rows.length * PROCESS.row + 6;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': 'Processes, and who started them'});
	const left = Math.min(width * .45, Math.max(120, widthSeen * .4), 40 + (d3.max(rows, row => PROCESS.step * row.depth + widthOf('└ ' + row.name, !row.process)) || 0));
	// names have their room however deep they are
	const step = Math.min(PROCESS.step, .3 * left / Math.max(1, d3.max(rows, row => row.depth)));
	const x = d3.scaleLinear([selection.from, selection.to], [left, width - PROCESS.right]);
	const at = new Map(rows.map((row, i) => [row.process, top + i * PROCESS.row]));
	const missing = all.length - rows.length;

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(0,' + (top - 4) + ')')
		.call(byTime(d3.axisTop(x), Math.max(2, (width - left - PROCESS.right) / 90)));
	parentLines(svg, x, rows, at);
	rows.forEach((row, i) => {
		const y = top + i * PROCESS.row;

		processLabel(svg, row, y, left, step);
		if (row.host !== undefined)
			return;
		processBar(svg, x, row, y);
		svg.append(svgElement('text', {x: width - PROCESS.right + 8, y: y + PROCESS.row - 8, class: 'share'},
			'I/O ' + shareText(row.share) + (row.process && row.process.cpu ? ', CPU ' + shareText(cpuShare(row.process)) : '')));
	});
	markLines(svg, x, 4, height - 4);
	fill('processes-view', processTools(svg), legend(...picture.parts), element('div', {class: 'picture'}, svg),
		element('p', {class: 'note'}, 'A bar is the time that a process was there, its colours are what its threads did; a line leads from a process to one that it started. ' +
			'On the right: the share of its threads\u2019 time that went to I/O, and, of a process that has a log of its own, its processor time as a share of its life: ' +
			'more than 100 % if several threads run, or if it had run before its first call. Choose a process by its name.' +
			(missing ? ' ' + count(missing) + ' more rows are not drawn.' : '') +
			(stat.processes.length < stat.job.processes ? ' Of ' + count(stat.job.processes) + ' processes, those that spent most time in calls are here.' : '')));
}
