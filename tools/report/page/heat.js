// SPDX-License-Identifier: BSD-3-Clause
// heat.js - who did how much to which file, and which file and process was busy when.

const HEAT = {row: 18, top: 34, files: 30, processes: 100, levels: 12, by: 'moved', of: 'all'};
const cellMeasures = {
	moved: ['bytes', bytes, c => c.read + c.written],
	read: ['bytes read', bytes, c => c.read],
	written: ['bytes written', bytes, c => c.written],
	time: ['time', duration, c => c.time],
	calls: ['calls', count, c => c.calls],
};

keep('heat-by', HEAT, 'by', () => Object.keys(cellMeasures));
keep('heat-of', HEAT, 'of', () => ['all', ...picture.parts]);

let cells;
derive.push(() => {
	cells = [];
	for (let i = 0; i < picture.cells.length; i += 6) {
		const [lane, file, calls, time, read, written] = picture.cells.slice(i, i + 6);

		cells.push({lane, file, calls, time, read, written});
	}
});

// What is drawn: rows and columns with names, value(row, column), and what is said of a cell.
// Columns are cells of one width, which are less than a pixel if there are many.
function heatMap(name, map) {
	const width = timelineWidth(), left = Math.min(width * .4, Math.max(120, widthSeen * .4), 24 + (d3.max(map.rows, r => widthOf(r.name, r.chosen)) || 0)), right = 40;
	const height = HEAT.top + map.rows.length * HEAT.row + 8;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': name, class: 'heat'});
	const cell = Math.min(map.widest || width, (width - left - right) / map.columns), most = d3.max(map.rows, r => d3.max(r.values)) || 0;
	const paths = Array.from({length: HEAT.levels + 1}, () => '');
	const said = element('p', {class: 'note heat-says', 'aria-live': 'polite'}, 'Point at a cell to read its number; choose a row by its name, a cell by a click.');

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	map.rows.forEach((row, r) => {
		const y = HEAT.top + r * HEAT.row;
		const label = svgElement('text', {x: left - 8, y: y + 13, 'text-anchor': 'end', 'font-weight': row.chosen ? 'bold' : 'normal', class: 'heat-row'},
			cutLeft(row.name, left - 16, row.chosen));

		label.append(svgElement('title', {}, row.name));
		buttonLike(label, row.name, row.choose);
		svg.append(label);
		svg.append(svgElement('line', {x1: left, x2: width - right, y1: y + HEAT.row - .5, y2: y + HEAT.row - .5, stroke: 'var(--line)', 'stroke-width': .4}));
		row.values.forEach((v, c) => {
			if (v > 0)
				paths[Math.max(1, Math.ceil(HEAT.levels * map.level(v, most)))] += 'M' + (left + c * cell).toFixed(2) + ' ' + y +
					'h' + Math.max(cell - (cell > 6 ? 1 : 0), .6).toFixed(2) + 'v' + (HEAT.row - 1) + 'h-' + Math.max(cell - (cell > 6 ? 1 : 0), .6).toFixed(2) + 'z';
		});
	});
	paths.forEach((d, level) => {
		if (d)
			svg.append(svgElement('path', {d, fill: 'var(--' + map.colour + ')', 'fill-opacity': (.1 + .9 * level / HEAT.levels).toFixed(2), class: 'level'}));
	});
	map.head(svg, left, cell);

	const at = e => {
		const box = svg.getBoundingClientRect();
		const r = Math.floor((e.clientY - box.top - HEAT.top) / HEAT.row), c = Math.floor((e.clientX - box.left - left) / cell);

		return r >= 0 && r < map.rows.length && c >= 0 && c < map.columns ? [r, c] : null;
	};
	svg.addEventListener('pointermove', e => {
		if (at(e))
			said.textContent = map.says(...at(e));
	});
	svg.addEventListener('click', e => {
		if (at(e))
			map.pick(...at(e));
	});
	return [element('div', {class: 'picture'}, svg), heatScale(map, most), said];
}

function heatScale(map, most) {
	const svg = svgElement('svg', {width: 260, height: 18, role: 'img', 'aria-label': 'From 0 to ' + map.show(most)});

	svg.append(svgElement('text', {x: 0, y: 13}, '0'));
	for (let i = 1; i <= HEAT.levels; i++)
		svg.append(svgElement('rect', {x: 4 + i * 10, y: 3, width: 10, height: 12, fill: 'var(--' + map.colour + ')', 'fill-opacity': .1 + .9 * i / HEAT.levels}));
	svg.append(svgElement('text', {x: 20 + HEAT.levels * 10, y: 13}, map.show(most)));
	return svg;
}

const squareRoot = (v, most) => Math.sqrt(v / most);

// Files that have most of it, as rows, of those that the page has.
function heatFiles() {
	const value = cellMeasures[HEAT.by][2];
	const sums = new Map();

	for (const c of cells)
		if (isLaneSelected(c.lane) && c.file < picture.files.length && picture.files[c.file].row < stat.files.length)
			sums.set(c.file, (sums.get(c.file) || 0) + value(c));
	return [...sums.keys()].filter(f => sums.get(f) > 0 && (selection.file < 0 || picture.files[f].row === selection.file))
		.sort((a, b) => sums.get(b) - sums.get(a) || a - b).slice(0, HEAT.files);
}

function fileOfRow(f) {
	const row = picture.files[f].row;

	return {name: shown(stat.files[row].path), chosen: selection.file === row, choose: () => select({file: selection.file === row ? -1 : row})};
}

function heatProcesses() {
	return processes.filter(p => p.lanes.length && p.lanes.some(isLaneSelected))
		.sort((a, b) => (a.rank === undefined ? -1 : a.rank) - (b.rank === undefined ? -1 : b.rank) || a.begin - b.begin || a.id - b.id);
}

// Rank or pid, to stand above a column.
function columnNames(who) {
	const oneOf = p => who.filter(o => o.rank === p.rank).length > 1; // a child of a rank has its number

	return who.map(p => (p.rank === undefined ? p.pid : 'rank ' + p.rank + (oneOf(p) ? ' ' + p.pid : '')) + executedWord(p));
}

function widthOfNames(names) {
	return 12 + (d3.max(names, n => widthOf(n)) || 1);
}

// The names, where there is room.
function processHead(who) {
	return (svg, left, cell) => {
		const names = columnNames(who);
		const every = Math.max(1, Math.ceil(widthOfNames(names) / cell));

		names.forEach((n, i) => {
			const x = left + (every > 1 ? i : i + .5) * cell;

			if (i % every || (every > 1 && x + widthOf(n) > Number(svg.getAttribute('width'))))
				return;
			const label = svgElement('text', {x: x.toFixed(1), y: HEAT.top - 8, 'text-anchor': every > 1 ? 'start' : 'middle', class: 'heat-column'}, n);

			buttonLike(label, processName(who[i]), () => select({process: selection.process === who[i].id ? -1 : who[i].id}));
			svg.append(label);
		});
	};
}

function timeHead(svg, left, cell, [first, last]) {
	const x = d3.scaleLinear([first * picture.width, last * picture.width], [left, left + cell * (last - first)]);

	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(0,' + (HEAT.top - 4) + ')')
		.call(byTime(d3.axisTop(x), Math.max(2, (last - first) * cell / 100)));
}

function binText(bin) {
	return duration(bin * picture.width) + ' to ' + duration(Math.min(picture.wall, (bin + 1) * picture.width));
}

function pickBin(bin, change) {
	select(Object.assign({from: Math.floor(bin * picture.width), to: Math.ceil(Math.min(picture.wall, (bin + 1) * picture.width))}, change));
}

function matrix(files) {
	const who = heatProcesses(), column = new Map(), row = new Map(files.map((f, i) => [f, i]));
	const [, show, value] = cellMeasures[HEAT.by];
	const rows = files.map(f => Object.assign(fileOfRow(f), {values: new Float64Array(who.length)}));

	who.forEach((p, i) => p.lanes.forEach(l => column.set(l, i)));
	for (const c of cells)
		if (row.has(c.file) && column.has(c.lane) && isLaneSelected(c.lane))
			rows[row.get(c.file)].values[column.get(c.lane)] += value(c);
	return {rows, columns: who.length, widest: Math.max(100, widthOfNames(columnNames(who))), show, colour: 'reading', level: squareRoot, head: processHead(who), names: who.map(processName),
		says: (r, c) => processName(who[c]) + ', ' + rows[r].name + ': ' + show(rows[r].values[c]),
		pick: (r, c) => select({process: who[c].id, file: picture.files[files[r]].row})};
}

// Bytes of files by time.  Times and calls are not there by bin: bytes stand for them.
function filesByTime(files) {
	const range = binsInView(), columns = range[1] - range[0];
	const rows = files.map(f => {
		const read = unfold(picture.files[f].read), written = unfold(picture.files[f].written);

		return Object.assign(fileOfRow(f), {values: Float64Array.from({length: columns}, (v, i) =>
			(HEAT.by === 'written' ? 0 : read[range[0] + i]) + (HEAT.by === 'read' ? 0 : written[range[0] + i]))});
	});

	return {rows, columns, show: bytes, colour: 'writing', level: squareRoot, head: (svg, left, cell) => timeHead(svg, left, cell, range),
		says: (r, c) => rows[r].name + ', ' + binText(range[0] + c) + ': ' + bytes(rows[r].values[c]),
		pick: (r, c) => pickBin(range[0] + c, {file: picture.files[files[r]].row})};
}

// The share of a process' time, or of a rank's, that is I/O or one part of it.
function processesByTime() {
	const range = binsInView(), columns = range[1] - range[0];
	const parts = HEAT.of === 'all' ? [0, 1, 2, 3] : [picture.parts.indexOf(HEAT.of)];
	const share = v => (100 * v).toFixed(v < .1 ? 1 : 0) + ' %';
	const who = heatProcesses().slice(0, HEAT.processes);
	const rows = who.map(p => {
		const bins = binsOf(p.lanes.filter(isLaneSelected), laneBins), all = picture.width * p.lanes.filter(isLaneSelected).length;

		return {name: processName(p), chosen: selection.process === p.id, choose: () => select({process: selection.process === p.id ? -1 : p.id}),
			values: Float64Array.from({length: columns}, (v, i) => d3.sum(parts, part => bins[part][range[0] + i]) / all)};
	});

	return {rows, columns, show: share, colour: HEAT.of === 'all' ? 'metadata' : HEAT.of, level: (v, most) => v / most,
		head: (svg, left, cell) => timeHead(svg, left, cell, range),
		says: (r, c) => rows[r].name + ', ' + binText(range[0] + c) + ': ' + share(rows[r].values[c]),
		pick: (r, c) => pickBin(range[0] + c, {process: who[r].id})};
}

function heatChoice(id, label, key, names) {
	const choice = element('select', {id, onchange: e => choose(HEAT, key, e.target.value, showHeat)}, ...names.map(([value, name]) => element('option', {value}, name)));

	choice.value = HEAT[key];
	return element('label', {}, label + ' ', choice);
}

function heatPart(title, id, map, tools) {
	if (!map.rows.length || !map.columns)
		return [element('h3', {}, title), element('p', {class: 'note'}, 'Nothing of what is selected is here.')];
	const drawn = heatMap(title, map);
	const table = [['', ...map.names || Array.from({length: map.columns}, (v, i) => String(i))]].concat(map.rows.map(r => [r.name, ...r.values]));

	return [element('h3', {}, title), element('div', {class: 'tools'}, ...tools,
		...saveButtons(drawn[0].firstChild, id, () => table)),
	element('div', {id}, ...drawn)];
}

function showHeat() {
	const files = heatFiles(), who = stat.job.ranks ? 'ranks' : 'processes';
	const whole = allTime() && allCalls();

	fill('heat-view', ...heatPart('Files by ' + who, 'matrix', matrix(files), [heatChoice('heat-by', 'The stronger the colour, the more', 'by',
		Object.entries(cellMeasures).map(([key, [name]]) => [key, name]))]),
	element('p', {class: 'note'}, 'Files with most of it stand on top' + (picture.files_seen > files.length ? '; of ' + count(picture.files_seen) + ' files the map has ' + count(files.length) + ', of those in the list above that were read and written most often' : '') +
		'. A cell of a quarter of the most has half of its colour, so that little can be seen beside much.' + (whole ? '' : ' These are sums of the whole job.')),
	...heatPart((HEAT.by === 'read' || HEAT.by === 'written' ? cellMeasures[HEAT.by][0][0].toUpperCase() + cellMeasures[HEAT.by][0].slice(1) : 'Bytes') + ' of files by time', 'files-by-time', filesByTime(files), []),
	...heatPart((stat.job.ranks ? 'Ranks' : 'Processes') + ' by time', 'processes-by-time', processesByTime(), [heatChoice('heat-of', 'The stronger the colour, the more of the time went to', 'of',
		[['all', 'I/O']].concat(picture.parts.map(p => [p, p])))]));
}
