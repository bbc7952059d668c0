// SPDX-License-Identifier: BSD-3-Clause
// files.js - the table of files, and all about one: bytes by time, addresses, sizes.

// Bytes that libc moved within itself are known, but not by how many calls.
function countOf(calls, moved) {
	return calls || !moved ? count(calls) : '?';
}

const fileColumns = [
	{key: 'path', title: 'file', text: f => shown(f.path)},
	{key: 'self', title: 'time', text: f => duration(f.self)},
	{key: 'calls', title: 'calls', text: f => count(f.calls)},
	{key: 'errors', title: 'failed', text: f => count(f.errors)},
	{key: 'opens', title: 'opens', text: f => count(f.opens)},
	{key: 'reads', title: 'reads', text: f => countOf(f.reads, f.read)},
	{key: 'read', title: 'read', text: f => bytes(f.read)},
	{key: 'writes', title: 'writes', text: f => countOf(f.writes, f.written)},
	{key: 'written', title: 'written', text: f => bytes(f.written)},
	{key: 'consecutive', title: 'in order', text: f => f.located ? percent(10000 * f.consecutive / f.located) : ''},
	{key: 'syncs', title: 'syncs', text: f => count(f.syncs)},
];
const fileTable = {sort: 'self', down: true, pattern: ''};
keep('files', fileTable, 'pattern');
keep('files-by', fileTable, 'sort', () => fileColumns.map(c => c.key));
keep('files-down', fileTable, 'down');

function matching() {
	let wanted = () => true;

	if (fileTable.pattern) {
		try {
			const pattern = new RegExp(fileTable.pattern, 'u');

			wanted = f => pattern.test(f.path);
		} catch (e) {
			return null;
		}
	}
	return stat.files.map((f, row) => ({f, row})).filter(({f}) => wanted(f)).sort((a, b) => {
		const x = a.f[fileTable.sort], y = b.f[fileTable.sort];
		const order = x < y ? -1 : x > y ? 1 : a.row - b.row;

		return fileTable.down ? -order : order;
	});
}

let fileRows; // that were made, by number: but for which is selected they stay the same
derive.push(() => { fileRows = []; });

function fileRow(f, row) {
	if (!fileRows[row])
		fileRows[row] = element('tr', clickable(() => select({file: selection.file === row ? -1 : row})),
			...fileColumns.map(c => element('td', c.key === 'path' ? {class: 'name'} : {}, c.text(f))));
	fileRows[row].setAttribute('aria-selected', String(selection.file === row));
	return fileRows[row];
}

function fileHead(column) {
	const current = column.key === fileTable.sort;

	return element('th', {class: column.key === 'path' ? 'name' : '', scope: 'col',
		'aria-sort': current ? fileTable.down ? 'descending' : 'ascending' : 'none'},
	element('button', {onclick: () => {
		fileTable.down = current ? !fileTable.down : column.key !== 'path';
		choose(fileTable, 'sort', column.key, drawTable);
	}}, column.title + (current ? fileTable.down ? ' ▾' : ' ▴' : '')));
}

function filesAmong(rows) {
	return [...rows].filter(row => !isNoFile(row)).length;
}

function drawTable() {
	const found = matching();
	const place = document.getElementById('table-of-files'), isCut = picture.files_seen > filesAmong(stat.files.keys());

	if (!found) {
		place.replaceChildren(element('p', {class: 'note'}, 'That is no regular expression.'));
		return;
	}
	place.replaceChildren(scrollable('Table of files', element('table', {},
		element('thead', {}, element('tr', {}, ...fileColumns.map(fileHead))),
		element('tbody', {}, ...found.slice(0, 500).map(({f, row}) => fileRow(f, row))))),
	found.some(({f}) => [countOf(f.reads, f.read), countOf(f.writes, f.written)].includes('?')) ?
		element('p', {class: 'note'}, '? libc made these calls within itself: how many they were is not known.') : '',
	element('p', {class: 'note', id: 'files-found'}, count(filesAmong(found.map(({row}) => row))) + ' of ' + count(filesAmong(stat.files.keys())) + ' files' +
		(isCut ? ' that are here, those with the most time of ' + count(picture.files_seen) : '') +
		(found.length > 500 ? '; the first 500 are shown' : '') + (isCut ? '. Calls on the others are found by their names, below.' : '')));
}

// ---- one file ----

// Some four to eight multiples of a power of two, up to most.
function roundBytes(most) {
	const step = 2 ** Math.max(0, Math.ceil(Math.log2(most / 8)));

	return d3.range(0, most + 1, step);
}

// Where in the file, and when: what goes through it in order is a line.
function addresses(file) {
	const width = Math.max(360, Math.min(760, timelineWidth() / 2 - 20)), height = 300, left = 70;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'img', 'aria-label': 'Which bytes were read and written when'});
	const points = [];
	let most = 1;

	for (let i = 0; i < file.points.length; i += 5) {
		const [start, offset, size, lane, writes] = file.points.slice(i, i + 5);

		if (start < selection.from || start > selection.to || !isLaneSelected(lane))
			continue;
		points.push({start, offset, size, lane, writes});
		most = Math.max(most, offset + size);
	}
	const x = d3.scaleLinear([selection.from, selection.to], [left, width - 30]);
	const y = d3.scaleLinear([0, most], [height - 28, 12]);

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(0,' + (height - 28) + ')')
		.call(byTime(d3.axisBottom(x), 5));
	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(' + left + ',0)')
		.call(d3.axisLeft(y).tickValues(roundBytes(most)).tickFormat(n => bytes(n)).tickSizeOuter(0));
	for (const p of points) {
		const mark = svgElement('rect', {x: (x(p.start) - 1).toFixed(1), y: y(p.offset + p.size).toFixed(1), width: 3,
			height: Math.max(2, y(p.offset) - y(p.offset + p.size)).toFixed(1), class: 'access',
			fill: p.writes ? 'var(--writing)' : 'var(--reading)', opacity: .75});

		mark.append(svgElement('title', {}, (p.writes ? 'wrote ' : 'read ') + bytes(p.size) + ' at ' + count(p.offset) + ', ' +
			laneName(picture.lanes[p.lane]) + ', ' + duration(p.start)));
		svg.append(mark);
	}
	return element('div', {}, element('h3', {}, 'Addresses by time'), legend('reading', 'writing'), svg,
		element('p', {class: 'note'}, (file.every > 1 ? 'Each ' + count(file.every) + 'th access is drawn. ' : '') +
			'Bytes in order make a rising line, anything else jumps.'),
		...saveButtons(svg, 'addresses', () => [['start_ns', 'offset', 'bytes', 'direction', 'thread']].concat(
			points.map(p => [p.start, p.offset, p.size, p.writes ? 'written' : 'read', laneName(picture.lanes[p.lane])]))));
}

// A byte goes through several layers: fwrite() has it, and a write() beneath.  Each layer has it once: a call within
// one of the same layer does not count.
const layerNames = {mpiio: 'MPI-IO', fortran: 'Fortran', stdio: 'stdio', aio: 'asynchronous I/O', kernel: 'system calls'};

function layersOf() {
	return new Map(stat.calls.map(c => [c.call, c.syscalls ? 'kernel' : c.family]));
}

// Reads and writes of the file, outermost layer first.
function accessesByLayer(row) {
	const layers = layersOf(), open = new Map(), found = new Map();
	const of = c => c.size >= 0 && directionOf(c) >= 0 ? layers.get(c.name) || 'kernel' : '';

	for (const c of singleCalls()) {
		const around = open.get(c.lane) || [], layer = of(c);

		around.length = Math.min(around.length, c.depth);
		if (layer && c.file === row && isSelected(c) && !around.includes(layer)) {
			if (!found.has(layer))
				found.set(layer, []);
			found.get(layer).push(c);
		}
		around[c.depth] = layer;
		open.set(c.lane, around);
	}
	const order = Object.keys(layerNames), place = l => order.includes(l) ? order.indexOf(l) : -1;

	return [...found].sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
}

// Counts of reads and writes, by powers of two.
function buckets(list, valueOf) {
	const found = new Map();

	for (const c of list) {
		const k = valueOf(c) < 1 ? -1 : Math.floor(Math.log2(valueOf(c)));

		found.set(k, found.get(k) || [0, 0]);
		found.get(k)[directionOf(c)]++;
	}
	return [...found].sort(([a], [b]) => a - b).map(([k, [reads, writes]]) => ({from: k < 0 ? 0 : 2 ** k, reads, writes}));
}

// How many of them were how large, or took how long, layer by layer.
function histogram(layers, title, name, valueOf, valueText) {
	const rows = layers.flatMap(([layer, list]) => [{layer: layerNames[layer] || layer}].concat(buckets(list, valueOf)));
	const width = 360, bar = 16, left = 126, scale = (width - left - 70) / (d3.max(rows, r => r.reads + r.writes) || 1);
	const svg = svgElement('svg', {width, height: rows.length * bar + 8, xmlns: svgSpace, role: 'img', 'aria-label': title + ' of reads and writes', class: name});
	let layer;

	rows.forEach((r, i) => {
		if (r.layer) {
			svg.append(svgElement('text', {x: 0, y: i * bar + 13, class: 'layer', 'font-weight': 'bold'}, r.layer));
			return;
		}
		svg.append(svgElement('text', {x: left - 6, y: i * bar + 13, 'text-anchor': 'end'}, r.from ? valueText(r.from) + ' and more' : valueText(0)));
		svg.append(svgElement('rect', {x: left, y: i * bar + 3, width: r.reads * scale, height: bar - 4, fill: 'var(--reading)'}));
		svg.append(svgElement('rect', {x: left + r.reads * scale, y: i * bar + 3, width: r.writes * scale, height: bar - 4, fill: 'var(--writing)'}));
		svg.append(svgElement('text', {x: left + (r.reads + r.writes) * scale + 5, y: i * bar + 13}, count(r.reads + r.writes)));
	});
	return element('div', {}, element('h3', {}, title + ' of reads and writes'), rows.length ? svg : element('p', {class: 'note'}, 'None of its calls is here one by one.'),
		!allSingle() ? element('p', {class: 'note'}, 'Of the calls that are here one by one.') : '',
		...rows.length ? saveButtons(svg, name, () => [['layer', 'from', 'reads', 'writes']].concat(rows.flatMap(r => {
			layer = r.layer || layer;
			return r.layer ? [] : [[layer, r.from, r.reads, r.writes]];
		}))) : []);
}

function histograms(row) {
	const layers = accessesByLayer(row);

	return element('div', {}, histogram(layers, 'Sizes', 'sizes', c => c.size, bytes), histogram(layers, 'Durations', 'durations', c => c.dur, duration));
}

function showFiles() {
	const file = picture.files.find(f => f.row === selection.file);
	const search = element('input', {type: 'search', id: 'search-files', size: 28, placeholder: 'regular expression', 'aria-label': 'Files whose names match', value: fileTable.pattern});

	search.addEventListener('input', () => choose(fileTable, 'pattern', search.value, drawTable));
	fill('files-view', element('div', {class: 'tools'}, search,
		element('button', {onclick: () => download('files.csv', 'text/csv', csv([fileColumns.map(c => c.key)].concat(
			(matching() || []).map(({f}) => fileColumns.map(c => c.key === 'path' ? shown(f.path) : f[c.key])))))}, 'Save as csv')),
	element('div', {id: 'table-of-files'}));
	drawTable();
	if (selection.file < 0)
		return;
	document.getElementById('files-view').append(element('h3', {id: 'chosen-file'}, shown(stat.files[selection.file].path)),
		file ? element('div', {class: 'two'}, addresses(file), histograms(selection.file)) :
			element('p', {class: 'note'}, isNoFile(selection.file) ? 'Calls that are about no file: they stand below, one by one.' :
				'The page has no places in this file: others were read and written more.'));
}
