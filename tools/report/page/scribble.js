// SPDX-License-Identifier: BSD-3-Clause
// scribble.js - files as boxes, in the order in which they were first read or written, and seeks as
// lines between them: what goes through files in order draws nothing, anything else scribbles.

const SCRIBBLE = {rows: 5, accesses: 40, row: 46, box: 14, top: 20, most: 5000, files: 400, narrowest: 7};
const isTransfer = /^(?:completion|p?(?:read|write)v?(?:64|2|64v2)?)$/;

// Reads and writes with their places, by thread and time, of files that the page has.
function accessesInView() {
	const found = selectedAmong(singleCalls()).filter(c => c.file >= 0 && c.file < stat.files.length && c.offset >= 0 && c.size > 0 && !c.err &&
		directionOf(c) >= 0 && isTransfer.test(c.name));
	const extent = new Map();

	for (const c of found)
		extent.set(c.file, Math.max(extent.get(c.file) || 0, c.offset + c.size));
	return {found, files: extent.size, extent: new Map([...extent].slice(0, SCRIBBLE.files))};
}

// Where boxes stand: one behind the other along a tape that is cut into rows, of which a few accesses need one.
function boxesOf(extent, width, accesses) {
	const bytes = d3.sum(extent.values()), gap = 4;
	const wanted = Math.min(SCRIBBLE.rows, Math.ceil(accesses / SCRIBBLE.accesses));
	const tape = Math.max(wanted * width, extent.size * (SCRIBBLE.narrowest + gap) * 1.5) - extent.size * (SCRIBBLE.narrowest + gap);
	const boxes = new Map();
	let at = 0;

	for (const [file, size] of extent) {
		const length = SCRIBBLE.narrowest + tape * size / bytes;

		// a short one is not cut in two
		if (length < width / 2 && Math.floor(at / width) !== Math.floor((at + length) / width))
			at = width * Math.ceil(at / width);
		boxes.set(file, {at, length, size});
		at += length + gap;
	}
	return {boxes, rows: Math.max(1, Math.ceil((at - gap) / width - 1e-6))};
}

// A place in a file, along the tape, and in the picture.
function onTape(boxes, file, offset) {
	const box = boxes.get(file);

	return box.at + (box.length - 1e-3) * Math.min(1, offset / box.size);
}

function placeOf(boxes, width, left, file, offset) {
	const t = onTape(boxes, file, offset);
	const row = Math.floor(t / width);

	return [left + t - row * width, SCRIBBLE.top + row * SCRIBBLE.row];
}

function drawFileBox(svg, names, file, box, width, left) {
	const name = shown(stat.files[file].path);
	const g = svgElement('g', {class: 'file-box'});
	let at = box.at, rest = box.length, label = {long: 0};

	g.append(svgElement('title', {}, name + ': ' + bytes(box.size)));
	while (rest > 0) {
		const row = Math.floor(at / width), x = left + at - row * width, long = Math.min(rest, (row + 1) * width - at);
		const y = SCRIBBLE.top + row * SCRIBBLE.row;

		g.append(svgElement('rect', {x: x.toFixed(1), y, width: Math.max(1, long).toFixed(1), height: SCRIBBLE.box,
			fill: selection.file === file ? 'var(--chosen)' : 'var(--raised)', stroke: 'var(--waiting)', 'stroke-width': .8}));
		if (long > label.long)
			label = {long, x, y};
		at = (row + 1) * width;
		rest -= Math.max(long, 1e-6);
	}
	const last = name.slice(name.lastIndexOf('/', name.length - 2) + 1);

	// the end of a name without its beginning tells nothing
	if (widthOf(last) <= label.long - 6)
		names.append(svgElement('text', {x: (label.x + 2).toFixed(1), y: label.y - 4, class: 'over'},
			widthOf('…' + last) <= label.long - 6 ? cutLeft(name, label.long - 6) : last));
	buttonLike(g, name, () => select({file: selection.file === file ? -1 : file}));
	svg.append(g);
}

// From where the thread's last access ended to where the next one begins, if that is elsewhere.
function seeksBetween(found) {
	const last = new Map(), seeks = [];

	for (const c of found) {
		const before = last.get(c.lane);

		if (before && (before.file !== c.file || before.offset + before.size !== c.offset))
			seeks.push([before, c]);
		last.set(c.lane, c);
	}
	return seeks;
}

function drawSeeks(svg, seeks, place) {
	const paths = ['', ''];

	for (const [from, to] of seeks) {
		const [x1, y1] = place(from.file, from.offset + from.size), [x2, y2] = place(to.file, to.offset);
		const below = SCRIBBLE.box + (y1 === y2 ? Math.min(24, 4 + Math.abs(x2 - x1) / 12) : 4);

		paths[directionOf(to)] += 'M' + x1.toFixed(1) + ' ' + (y1 + SCRIBBLE.box) + 'C' + x1.toFixed(1) + ' ' + (y1 + below + 4) + ' ' +
			x2.toFixed(1) + ' ' + (y2 + below + 4) + ' ' + x2.toFixed(1) + ' ' + (y2 + SCRIBBLE.box);
	}
	paths.forEach((d, i) => {
		if (d)
			svg.append(svgElement('path', {d, class: 'seeks', fill: 'none', stroke: i ? 'var(--writing)' : 'var(--reading)', 'stroke-width': .8,
				'stroke-opacity': Math.max(.12, Math.min(.8, 60 / seeks.length)).toFixed(2), 'pointer-events': 'none'}));
	});
}

function seekRows(seeks) {
	const name = file => shown(stat.files[file].path);

	return [['from_file', 'from_offset', 'to_file', 'to_offset', 'direction', 'start_ns', 'thread']].concat(
		seeks.map(([from, to]) => [name(from.file), from.offset + from.size, name(to.file), to.offset, directionOf(to) ? 'written' : 'read', to.start,
			laneName(picture.lanes[to.lane])]));
}

// Above what is read, below what is written: of one on the other nobody would know the colour.  What is longer than a
// pixel is as long as its bytes.
function drawMarks(svg, found, boxes, width, left) {
	const paths = ['', ''], half = SCRIBBLE.box / 2 - 1;

	for (const c of found) {
		const from = onTape(boxes, c.file, c.offset), to = onTape(boxes, c.file, c.offset + c.size), direction = directionOf(c);

		for (let row = Math.floor(from / width); row * width <= to; row++) {
			const at = Math.max(from - row * width, 0), long = Math.max(1, Math.min(to - row * width, width) - at);

			paths[direction] += 'M' + (left + at).toFixed(1) + ' ' + (SCRIBBLE.top + row * SCRIBBLE.row + 1 + half * direction) +
				'h' + long.toFixed(1) + 'v' + half + 'h' + (-long).toFixed(1) + 'z';
		}
	}
	paths.forEach((d, i) => {
		if (d)
			svg.append(svgElement('path', {d, class: 'accesses', fill: i ? 'var(--writing)' : 'var(--reading)', 'fill-opacity': .6, 'pointer-events': 'none'}));
	});
}

function showScribble() {
	const {found, files, extent} = accessesInView();
	const drawn = found.filter(c => extent.has(c.file)), all = seeksBetween(drawn);
	const seeks = all.slice(0, SCRIBBLE.most);

	if (!drawn.length) {
		fill('seeks-view', element('p', {class: 'note'}, 'No read or write of what is selected is here with its place in a file.'));
		return;
	}
	const width = timelineWidth(), left = 10, wide = width - 2 * left;
	const {boxes, rows} = boxesOf(extent, wide, drawn.length);
	const height = SCRIBBLE.top + rows * SCRIBBLE.row + 4;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': 'Files as boxes, seeks as lines between them'});
	const place = (file, offset) => placeOf(boxes, wide, left, file, offset);

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	const names = svgElement('g', {'pointer-events': 'none'});

	for (const [file, box] of boxes)
		drawFileBox(svg, names, file, box, wide, left);
	drawMarks(svg, drawn, boxes, wide, left);
	drawSeeks(svg, seeks, place);
	svg.append(names);
	const queued = drawn.some(c => c.name === 'completion');
	const kind = allSingle() && !queued ? ['seek', 'seeks'] : ['jump', 'jumps'];

	fill('seeks-view', element('div', {class: 'tools'}, ...saveButtons(svg, 'seeks', () => seekRows(seeks))),
		legend('reading', 'writing'), element('div', {class: 'picture'}, svg),
		element('p', {class: 'note', id: 'seeks-found'}, count(drawn.length) + (drawn.length === 1 ? ' read or write of ' : ' reads and writes of ') + (extent.size < files ? 'the first ' + count(extent.size) + ' of ' : '') + count(files) + (files === 1 ? ' file' : ' files') + ', with ' +
			count(all.length) + ' ' + kind[all.length === 1 ? 0 : 1] + ' within and between them' + (seeks.length < all.length ? '; the first ' + count(seeks.length) + ' are drawn' : '') +
			'. Boxes stand in the order in which files were first used, as long as the bytes up to the last one that was touched.' +
			(picture.files_seen > filesAmong(stat.files.keys()) ? ' Files that the list above leaves out are missing.' : '') +
			(queued ? ' Asynchronous operations stand in the order in which they ended.' : '') +
			(!allSingle() ? ' Calls that are not here one by one are missing, and what lies between two that are here looks like a seek: the list of files says how many calls were in order. Choose less with iotrace-report\u2019s options, or raise --max-calls.' : '')));
}
