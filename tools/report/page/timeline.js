// SPDX-License-Identifier: BSD-3-Clause
// timeline.js - bytes by time, and a lane for each thread: what it spends its time on.

const RIGHT = 30, LANE = 22, TOP = 92, NAMES = 130;
const MOST_CALLS = 4000; // that are drawn one by one
const IDLE = {many: 24, drawn: false}; // lanes, from which on those of idle threads are left out
keep('idle', IDLE, 'drawn');

let laneBins;
derive.push(() => { laneBins = picture.lanes.map(lane => lane.bins.map(unfold)); });

let widthOfViews = 0, widthSeen, widthOfBar; // all views are equally wide; the page; of what scrolls it

// Once, before views are drawn: the browser lays out all that is new whenever it is asked.
function measureWidth() {
	widthSeen = document.documentElement.clientWidth;
	widthOfBar = window.innerWidth - widthSeen;
	widthOfViews = document.getElementById('timeline-view').clientWidth;
}

function timelineWidth() {
	return Math.max(600, widthOfViews - 2 - widthOfBar); // a high picture has a bar of its own
}

// Bins that lie in the selected time, at least in part.
function binsInView() {
	return [Math.max(0, Math.floor(selection.from / picture.width)),
		Math.min(picture.bins, Math.ceil(selection.to / picture.width))];
}

// Where bins are, as text: all lanes of a picture have the same.
const edgesOf = new WeakMap();

function edges(x) {
	if (!edgesOf.has(x)) {
		const [first, last] = binsInView(), [left, right] = x.range();

		edgesOf.set(x, {first, last, text: d3.range(first, last + 1).map(i => Math.min(right, Math.max(left, x(i * picture.width))).toFixed(1))});
	}
	return edgesOf.get(x);
}

// low, high: of each bin.
function areas(svg, x, low, high, height, name) {
	const {first, last, text} = edges(x);
	let path = '';

	for (let i = first; i < last; i++) {
		if (!(high[i] > low[i])) // as most are
			continue;
		const a = text[i - first], b = text[i - first + 1];

		if (a !== b)
			path += 'M' + a + ' ' + height(high[i]).toFixed(2) + 'H' + b + 'V' + height(low[i]).toFixed(2) + 'H' + a + 'Z';
	}
	if (path)
		svg.append(svgElement('path', {d: path, fill: 'var(--' + name + ')'}));
}

// Bytes by bin: of the file that is selected, or of all.
function bytesByTime() {
	const of = selection.file < 0 ? picture : picture.files.find(f => f.row === selection.file) || {read: [], written: []};

	return [unfold(of.read), unfold(of.written)];
}

// The most bytes a second that are in view.
function highestRate() {
	const [read, written] = bytesByTime(), [first, last] = binsInView();
	let most = 0;

	for (let i = first; i < last; i++)
		most = Math.max(most, read[i] + written[i]);
	return most * 1e9 / picture.width;
}

// rate: how much the picture's height is.
function bandwidth(svg, x, rate) {
	const [read, written] = bytesByTime();
	const y = d3.scaleLinear([0, rate * picture.width / 1e9 || 1], [TOP - 24, 18]);

	areas(svg, x, new Float64Array(read.length), read, y, 'reading');
	areas(svg, x, read, read.map((n, i) => n + written[i]), y, 'writing');
	const label = {x: x.range()[0] - 8, 'text-anchor': 'end'};

	if (rate)
		svg.append(svgElement('text', Object.assign({y: 24}, label), bytes(rate) + '/s'));
	svg.append(svgElement('text', Object.assign({y: TOP - 24}, label), '0'));
	svg.append(svgElement('text', Object.assign({y: 44, class: 'quiet'}, label), selection.file < 0 ? 'read and written' : 'of the file'));
}

// Shares of the time by part, one upon the other; width: what is all of a bin.
function stacked(svg, x, parts, width, bottom, height) {
	let below = new Float64Array(picture.bins);

	picture.parts.forEach((name, part) => {
		const above = below.map((n, i) => n + parts[part][i]);

		areas(svg, x, below, above, n => bottom - Math.min(1, n / width) * height, name);
		below = above;
	});
}

function callMarks(svg, x, rowOf, inView) {
	if (!inView.length || inView.length > MOST_CALLS)
		return inView;
	for (const c of inView) {
		// fetched from a program that runs, later than the picture was made
		if (c.start > selection.to)
			continue;
		const a = Math.max(x.range()[0], x(c.start)), b = Math.min(x.range()[1], x(c.start + c.dur));
		const y = TOP + rowOf.get(c.lane) * LANE + 2 + Math.min(3, c.depth) * 4;
		const mark = svgElement('rect', {x: a.toFixed(2), y, width: Math.max(.8, b - a).toFixed(2), height: LANE - 5 - Math.min(3, c.depth) * 4,
			fill: c.part < 0 ? 'var(--quiet)' : 'var(--' + picture.parts[c.part] + ')', stroke: 'var(--back)', 'stroke-width': b - a < 2 ? 0 : .3}); // which would be most of a narrow one

		mark.append(svgElement('title', {}, callText(c)));
		svg.append(mark);
	}
	return inView;
}

const hostOrder = new Intl.Collator('en', {numeric: true});

// node9 before node17.
function byHost(a, b) {
	return hostOrder.compare(a.host || '', b.host || '');
}

// Hosts, on these ranks, processes by when they began, and their threads.
function lanesInOrder() {
	const number = (a, b) => (a === undefined ? -1 : a) - (b === undefined ? -1 : b);
	const begin = l => l.process < 0 ? l.begin : processes[l.process].begin;

	return picture.lanes.map((l, i) => i).sort((i, k) => {
		const a = picture.lanes[i], b = picture.lanes[k];

		return (a.tid === undefined) - (b.tid === undefined) || byHost(a, b) || number(a.rank, b.rank) ||
			begin(a) - begin(b) || a.process - b.process || (a.tid !== a.pid) - (b.tid !== b.pid) || a.begin - b.begin || i - k;
	});
}

// How long the thread was there: a lane without a colour is one that hardly made calls.
function lifeLine(svg, x, lane, y) {
	const [from, to] = x.range(), a = Math.max(from, x(lane.begin)), b = Math.min(to, Math.max(x(lane.end), x(lane.begin) + 1));

	if (b > a)
		svg.append(svgElement('line', {class: 'lived', x1: a.toFixed(1), x2: b.toFixed(1), y1: y, y2: y, stroke: 'var(--quiet)', 'stroke-width': 1.5}));
}

function timeAxis(svg, x) {
	const room = x.range()[1] - x.range()[0];
	const axis = byTime(d3.axisTop(x), Math.max(2, Math.min(8, room / 90)));

	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(0,' + (TOP - 4) + ')').call(axis);
}

// Dragging chooses a time; the wheel goes nearer and further.
function timeMouse(svg, x, height) {
	const mark = svgElement('rect', {y: 0, height, fill: 'var(--link)', opacity: .2, visibility: 'hidden'});
	let from = null;
	const at = e => Math.min(x.range()[1], Math.max(x.range()[0], e.clientX - svg.getBoundingClientRect().left));

	svg.append(mark);
	svg.addEventListener('pointerdown', e => {
		if (e.button === 0 && e.clientX - svg.getBoundingClientRect().left > x.range()[0])
			from = at(e);
	});
	svg.addEventListener('pointermove', e => {
		if (from === null)
			return;
		mark.setAttribute('x', Math.min(from, at(e)));
		mark.setAttribute('width', Math.abs(at(e) - from));
		mark.setAttribute('visibility', 'visible');
	});
	svg.addEventListener('pointerup', e => {
		const start = from, end = at(e);

		from = null;
		mark.setAttribute('visibility', 'hidden');
		if (start !== null && Math.abs(end - start) > 3)
			select({from: Math.round(x.invert(Math.min(start, end))), to: Math.round(x.invert(Math.max(start, end)))});
	});
	svg.addEventListener('wheel', e => {
		if (!e.ctrlKey)
			return;
		e.preventDefault();
		zoom(e.deltaY < 0 ? .7 : 1 / .7, x.invert(at(e)));
	}, {passive: false});
	svg.addEventListener('dblclick', () => select({from: 0, to: wall()}));
}

function zoom(factor, around) {
	const half = Math.max(100, (selection.to - selection.from) * factor);
	const left = (around - selection.from) / (selection.to - selection.from);

	select({from: Math.round(around - half * left), to: Math.round(around + half * (1 - left))});
}

function move(share) {
	const by = Math.round((selection.to - selection.from) * share);
	const bounded = Math.max(-selection.from, Math.min(wall() - selection.to, by));

	select({from: selection.from + bounded, to: selection.to + bounded});
}

// What of their time lanes spent on each part, or if these are not drawn, on each call.
function timelineRows(lanes, binned, inView) {
	const rows = [['thread', 'from_ns', 'to_ns', 'what', 'ns']], [first, last] = binsInView();

	if (!binned)
		return rows.concat(inView.map(c => [laneName(picture.lanes[c.lane]), c.start, c.start + c.dur, c.name, c.dur]));
	for (const lane of lanes)
		for (let i = first; i < last; i++)
			picture.parts.forEach((name, part) => {
				if (laneBins[lane][part][i])
					rows.push([laneName(picture.lanes[lane]), Math.round(i * picture.width), Math.round((i + 1) * picture.width), name, laneBins[lane][part][i]]);
			});
	return rows;
}

function idleBox() {
	const box = element('input', {type: 'checkbox', id: 'show-idle', onchange: e => choose(IDLE, 'drawn', e.target.checked, showTimeline)});

	box.checked = IDLE.drawn;
	return picture.lanes.length > IDLE.many && picture.lanes.some(isIdle) ? [element('label', {}, box, ' Idle threads')] : [];
}

function timelineTools() {
	const middle = () => (selection.from + selection.to) / 2;

	return [
		element('button', {onclick: () => zoom(.5, middle()), id: 'zoom-in'}, 'Zoom in'),
		element('button', {onclick: () => zoom(2, middle())}, 'Zoom out'),
		element('button', {onclick: () => move(-.5)}, 'Earlier'),
		element('button', {onclick: () => move(.5)}, 'Later'),
		element('button', {onclick: () => select({from: 0, to: wall()}), id: 'all-time'}, 'Whole run'), ...idleBox()];
}

// Of a process's further threads, as MPI begins some in every rank: it did nothing that has a colour.
function isIdle(lane) {
	return lane.tid !== undefined && lane.tid !== lane.pid && !d3.sum(lane.time);
}

function isLaneDrawn(lane) {
	return isLaneSelected(lane) && (IDLE.drawn || picture.lanes.length <= IDLE.many || selection.lane >= 0 || !isIdle(picture.lanes[lane]));
}

// Rows of the picture: lanes and, if there are several hosts, each host with those of its own below.
function laneRows() {
	const lanes = lanesInOrder().filter(isLaneDrawn), rows = [];
	let host;

	for (const lane of lanes) {
		const of = picture.lanes[lane];

		if (stat.job.hosts > 1 && of.tid !== undefined && of.host !== host) {
			host = of.host;
			rows.push({host, name: shown(host || '?'), lanes: lanes.filter(l => picture.lanes[l].tid !== undefined && picture.lanes[l].host === host)});
		}
		rows.push({lane, name: threadName(of), lanes: [lane]});
	}
	return rows;
}

// How much room names need: a third at most of what is seen of the picture, which is wider than a phone.
function roomForNames() {
	return Math.min(Math.min(timelineWidth(), widthSeen) * .36, 16 + (d3.max(laneRows(), row => widthOf(row.name, row.lane === undefined)) || 0));
}

// A name that selects the lane, if the run that the page is about has it.
function laneLabel(row, left, y) {
	const room = left - 12;

	if (row.lane === undefined) {
		const host = svgElement('text', {x: 8, y: y + LANE - 8, class: 'host', 'font-weight': 'bold'}, cut(row.name, room, true));

		host.append(svgElement('title', {}, row.name));
		return host;
	}
	const lane = row.lane, of = picture.lanes[lane], here = laneHere(lane);
	const name = svgElement('text', {x: left - 8, y: y + LANE - 8, 'text-anchor': 'end', class: 'lane'}, cutMiddle(row.name, room));

	name.append(svgElement('title', {}, laneName(of) + ': ' + picture.parts.map((p, i) => p + ' ' + duration(of.time[i])).join(', ')));
	if (here >= 0)
		buttonLike(name, laneName(of), () => select({lane: selection.lane < 0 ? here : -1}));
	return name;
}

// What lanes spent in these calls, as laneBins has all: their own time, spread over the time that they took.
function binsOfCalls(list) {
	const of = picture.lanes.map(() => picture.parts.map(() => new Float64Array(picture.bins)));

	for (const c of list) {
		if (c.part < 0 || !(c.self > 0))
			continue;
		const last = Math.min(picture.bins - 1, Math.floor((c.start + c.dur) / picture.width));

		for (let i = Math.max(0, Math.floor(c.start / picture.width)); i <= last; i++) {
			const within = Math.min(c.start + c.dur, (i + 1) * picture.width) - Math.max(c.start, i * picture.width);

			of[c.lane][c.part][i] += c.self * within / c.dur;
		}
	}
	return of;
}

function drawRow(svg, x, row, y, bins) {
	const [left, right] = x.range();

	svg.append(laneLabel(row, left, y));
	svg.append(svgElement('line', {x1: left, x2: right, y1: y + LANE - 2, y2: y + LANE - 2, stroke: 'var(--line)', 'stroke-width': .5}));
	if (row.lane !== undefined)
		lifeLine(svg, x, picture.lanes[row.lane], y + LANE - 2);
	if (bins)
		stacked(svg, x, binsOf(row.lanes, bins), picture.width * d3.sum(row.lanes, l => picture.lanes[l].threads), y + LANE - 3, LANE - 5);
}

// The run's timeline, what is said of it, and how it is saved.  left: where names end, rate: how much the picture's height is.
function timelineOf(left, rate) {
	const rows = laneRows(), lanes = rows.map(row => row.lane).filter(lane => lane !== undefined);
	const rowOf = new Map(rows.map((row, i) => [row.lane, i]));
	const width = timelineWidth(), height = TOP + rows.length * LANE + 6;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': 'What each thread spent its time on'});
	const x = d3.scaleLinear([selection.from, selection.to], [left, width - RIGHT]);
	const binned = selection.file < 0 && allCalls();

	svg.append(svgElement('rect', {width, height, class: 'back', fill: 'var(--back)'}));
	bandwidth(svg, x, rate);
	timeAxis(svg, x);
	const chosen = selectedAmong(singleCalls());
	const bins = binned ? laneBins : chosen.length > MOST_CALLS ? binsOfCalls(chosen) : null;

	rows.forEach((row, i) => drawRow(svg, x, row, TOP + i * LANE, bins));
	const inView = callMarks(svg, x, rowOf, chosen), arcs = operationArcs(svg, x, rowOf);

	markLines(svg, x, 4, height - 4);
	timeMouse(svg, x, height);
	return {picture: element('div', {class: 'picture'}, svg), note: timelineNote(inView, binned) + arcsNote(arcs), spent: spentTable(),
		save: saveButtons(svg, runAfter ? 'timeline-before' : 'timeline', runAfter ? () => inRunBefore(() => timelineRows(lanes, binned, inView)) :
			() => timelineRows(lanes, binned, inView))};
}

const timelineHelp = 'Drag to choose a time, or hold Ctrl and turn the wheel; choose a thread by its name. A grey line is the time from a thread\u2019s first call to its last one.';

function showTimeline() {
	if (runBefore) {
		showTimelines();
		return;
	}
	const mine = timelineOf(Math.max(NAMES, roomForNames()), highestRate());

	fill('timeline-view', element('div', {class: 'tools'}, ...timelineTools(), ...mine.save), legend(...picture.parts), mine.picture,
		element('p', {class: 'note'}, [timelineHelp, mine.note].join(' ')), ...mine.spent);
}

function timelineNote(inView, binned) {
	const parts = [], idle = picture.lanes.filter((l, i) => isLaneSelected(i) && !isLaneDrawn(i)).length;

	if (idle)
		parts.push(count(idle) + (idle === 1 ? ' thread that read, wrote and waited for nothing is' : ' threads that read, wrote and waited for nothing are') + ' left out.');
	if (inView.length > MOST_CALLS)
		parts.push('In view are ' + callsCounted(inView) + ': up to ' + count(MOST_CALLS) + ' are drawn one by one.' +
			(binned ? '' : ' Choose a shorter time to see them.'));
	if (picture.shortest && !allSingle())
		parts.push('Of ' + count(picture.seen) + ' calls, the ' + count(calls.length) + ' that took ' +
			duration(picture.shortest) + ' or longer are here one by one; colours of lanes count all.');
	return parts.join(' ');
}
