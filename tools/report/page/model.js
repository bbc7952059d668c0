// SPDX-License-Identifier: BSD-3-Clause
// model.js - the data, how numbers and names are shown, and what is selected.

let data, stat, picture;	// as data.c says
let processes, calls, nodes;	// with what follows from these

// A program that still runs has newer data now and then: what is worked out from the data is
// worked out anew by these, which the views add to.
const derive = [];

function take(text) {
	const all = JSON.parse(text);

	runBefore = null;
	if (all.before)
		runBefore = derived(all.before);
	derived(all);
}

function derived(run) {
	data = run;
	stat = data.stat;
	picture = data.picture;
	derive.forEach(step => step());
	return variables();
}

// ---- the run before, of which some views show what they show of this one ----

let runBefore = null, runAfter = null; // variables of the other run; null: there is none, or this is it

// What the views that show both use.
function variables() {
	return {data, stat, picture, processes, calls, nodes, chains, roles, laneBins, operations, flights, fetched: null};
}

function setVariables(run) {
	({data, stat, picture, processes, calls, nodes, chains, roles, laneBins, operations, flights, fetched} = run);
}

// Does that with the run before in the place of this one, and with what is selected, as far as that run has it.
function inRunBefore(action) {
	const selected = Object.assign({}, selection), names = namesInRuns();

	runAfter = Object.assign(variables(), {fetched});
	setVariables(runBefore);
	Object.assign(selection, names.find());
	try {
		return action();
	} finally {
		setVariables(runAfter);
		runAfter = null;
		Object.assign(selection, selected);
	}
}

// What is selected, by names that mean the same in each run: numbers of processes and rows do not.
function namesInRuns() {
	const place = i => i < 0 ? Infinity : i; // nothing has that number
	const lane = roles.lanes[selection.lane], process = roles.processes[selection.process];
	const path = (stat.files[selection.file] || {}).path, node = selection.node > 0 ? outwards(selection.node) : undefined;

	return {find: () => ({
		lane: lane === undefined ? selection.lane : place(roles.lanes.indexOf(lane)),
		process: process === undefined ? selection.process : place(roles.processes.indexOf(process)),
		file: path === undefined ? selection.file : place(stat.files.findIndex(f => f.path === path)),
		node: node === undefined ? selection.node : place(nodes.findIndex(n => n.id && outwards(n.id) === node))})};
}

// The number that a lane or file of the run that is drawn has in the run that the page is about; -1: it has none.
function laneHere(lane) {
	return runAfter ? runAfter.roles.lanes.indexOf(roles.lanes[lane]) : lane;
}

function fileHere(file) {
	return runAfter && file >= 0 && file < stat.files.length ? runAfter.stat.files.findIndex(f => f.path === stat.files[file].path) : file;
}

// All of the time: that of the longer one.
function wall() {
	return Math.max(picture.wall, runBefore ? runBefore.picture.wall : 0);
}

// ---- names and numbers ----

function escaped(text) {
	return Array.from(text, c => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0')).join('');
}

// Nothing that a browser obeys instead of showing it: controls, and what turns text round.  Of marks on a letter no more
// than languages have: a heap of them would cover the lines above.
function shown(name) {
	return String(name).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu, escaped)
		.replace(/(?<=\p{M}{3})\p{M}+/gu, escaped);
}

// ---- names that fit ----

const ruler = document.createElement('canvas').getContext('2d');
const segmenter = window.Intl && Intl.Segmenter ? new Intl.Segmenter() : null;

function letters(text) {
	return segmenter ? Array.from(segmenter.segment(text), s => s.segment) : Array.from(text);
}

// In pixels, as text of pictures is written.
function widthOf(text, bold) {
	const font = (bold ? 'bold ' : '') + '12px system-ui, sans-serif';

	if (ruler.asked !== font) {
		ruler.asked = font;
		ruler.font = font;
	}
	return ruler.measureText(text).width;
}

// How much of it is kept so that it fits.
function mostThatFits(n, fits) {
	let least = 0;

	while (least < n) {
		const middle = Math.ceil((least + n) / 2);

		if (fits(middle))
			least = middle;
		else
			n = middle - 1;
	}
	return least;
}

// As much of the text's beginning as there is room for, in pixels.
function cut(text, room, bold) {
	if (widthOf(text, bold) <= room)
		return text;
	const all = letters(text), some = n => all.slice(0, n).join('') + '…';

	return some(mostThatFits(all.length - 1, n => widthOf(some(n), bold) <= room));
}

// Of its end: what differs of names of files.
function cutLeft(text, room, bold) {
	if (widthOf(text, bold) <= room)
		return text;
	const all = letters(text), some = n => '…' + all.slice(all.length - n).join('');

	return some(mostThatFits(all.length - 1, n => widthOf(some(n), bold) <= room));
}

// Of its beginning and its end: names of threads differ in their last number.
function cutMiddle(text, room, bold) {
	if (widthOf(text, bold) <= room)
		return text;
	const all = letters(text), some = n => all.slice(0, n >> 1).join('') + '…' + all.slice(all.length - n + (n >> 1)).join('');

	return some(mostThatFits(all.length - 1, n => widthOf(some(n), bold) <= room));
}

function inUnits(value, units, step) {
	let i = 0;

	while (Math.abs(Math.round(value)) >= step && i < units.length - 1) {
		value /= step;
		i++;
	}
	return (value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toPrecision(3)) + ' ' + units[i];
}

function bytes(n) {
	return n < 1024 ? (Number.isInteger(n) ? n : n.toPrecision(3)) + ' B' : inUnits(n, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'], 1024);
}

function duration(ns) {
	if (ns >= 1e9)
		return (ns / 1e9).toPrecision(ns >= 1e11 ? 4 : 3) + ' s';
	return inUnits(ns, ['ns', 'µs', 'ms', 's'], 1000);
}

// How long a call took; that of one that did not come back, or that libc made within itself, is not known.
function durationOf(c) {
	return c.dur ? duration(c.dur) : '?';
}

// How moments up to the last one are written that are so far apart: no two look alike.
function momentsApart(last, step) {
	const [unit, size] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]].find(u => last >= u[1]) || ['ns', 1];
	const digits = step > 0 ? Math.max(0, Math.ceil(Math.log10(size / step) - 1e-6)) : 0;

	return ns => (ns / size).toFixed(Math.min(digits, Math.log10(size))) + '\u00a0' + unit;
}

// The axis with some n moments.
function byTime(axis, n, before) {
	const ticks = axis.scale().ticks(n);
	const show = momentsApart(d3.max(axis.scale().domain()), ticks.length > 1 ? ticks[1] - ticks[0] : 1);

	return axis.ticks(n).tickFormat(ns => (before || '') + show(ns)).tickSizeOuter(0);
}

const inThousands = new Intl.NumberFormat('en'); // which toLocaleString() would make anew for each number

function count(n) {
	return inThousands.format(n);
}

function percent(hundredths) {
	return (hundredths / 100).toFixed(hundredths < 1000 ? 1 : 0) + ' %';
}

function where(line) {
	const place = line.file ? line.file.replace(/.*\//, '') + (line.line ? ':' + line.line : '') :
		line.module ? line.module.replace(/.*\//, '') : '';

	return shown(line.func ? line.func + (place ? ' (' + place + ')' : '') : place || '?');
}

function laneName(lane) {
	return threadName(lane) + (lane.tid !== undefined && stat.job.hosts > 1 ? ' on ' + shown(lane.host || '') : '');
}

function threadName(lane) {
	if (lane.tid === undefined)
		return count(lane.threads) + ' more threads';
	return (lane.rank === undefined ? '' : 'rank ' + lane.rank + ' ') + shown(lane.prog || '') + ' ' + lane.pid +
		(lane.tid === lane.pid ? '' : '/' + lane.tid) + (lane.process >= 0 ? executedWord(processes[lane.process]) : '');
}

// ---- processes, and whose thread a lane is ----

function oneProcess(p, id) {
	const begin = Math.max(0, p.start - Number(picture.begin)); // both are exact to some 100 ns

	return {id, host: p.host || '', prog: p.prog || '', pid: p.pid, rank: p.rank, parent: p.parent, start: p.start, begin, end: begin + p.elapsed,
		io: p.io, lived: p.lived, calls: p.calls, read: p.read, written: p.written, threads: p.thread_count, lanes: [], children: []};
}

function processName(p) {
	return (p.rank === undefined ? '' : 'rank ' + p.rank + ' ') + shown(p.prog) + ' ' + p.pid + executedWord(p);
}

// It has the number of the one that executed it.
function executedWord(p) {
	return p.executed ? ' (exec)' : '';
}

// Numbers of processes are used again: of those that had it by then, the one that began last.
function processAt(host, pid, moment) {
	return processes.reduce((last, p) => p.host === host && p.pid === pid && p.begin <= moment && (!last || p.begin > last.begin) ? p : last, null);
}

function lanesOfProcesses() {
	picture.lanes.forEach((lane, i) => {
		const p = lane.tid === undefined ? null : processAt(lane.host || '', lane.pid, lane.begin + 1000);

		lane.process = p ? p.id : -1;
		if (!p)
			return;
		p.lanes.push(i);
		if (lane.ppid && !p.parent)
			p.ppid = lane.ppid;
	});
}

function familyOf(p) {
	const before = processes.filter(o => o !== p && o.host === p.host && o.pid === p.pid && o.begin < p.begin);
	// What a process executes has its number, and a log of its own, which begins later.
	const logs = stat.logs.filter(l => l.host === p.host && l.pid === p.pid && l.processes === 1 && l.user !== undefined && Math.abs(l.start - p.start) < 1e4);

	p.executed = !p.parent && before.length > 0 && before[before.length - 1].end <= p.begin + 1e6;
	p.from = p.executed ? before.reduce((a, b) => a.begin > b.begin ? a : b) : processAt(p.host, p.parent || p.ppid, p.begin);
	if (p.from === p)
		p.from = null;
	if (p.from)
		p.from.children.push(p);
	if (logs.length === 1)
		p.cpu = logs[0];
}

derive.push(() => {
	processes = stat.processes.map(oneProcess);
	lanesOfProcesses();
	processes.forEach(familyOf);
});

// Who a process or thread is, whatever its number: rank, program and which of these that was.
let roles;

derive.push(() => {
	const times = new Map(), began = (a, b) => a.begin - b.begin || a.id - b.id;
	const nth = name => {
		times.set(name, (times.get(name) || 0) + 1);
		return name + ' ' + times.get(name);
	};

	roles = {processes: [], lanes: picture.lanes.map(lane => lane.tid === undefined ? 'others' : '')};
	for (const p of [...processes].sort(began)) {
		const role = nth((p.rank === undefined ? '' : p.rank) + ' ' + p.prog);
		const threads = p.lanes.map(l => ({lane: l, first: picture.lanes[l].tid === p.pid ? 0 : 1, begin: picture.lanes[l].begin}));

		roles.processes[p.id] = role;
		threads.sort((a, b) => a.first - b.first || a.begin - b.begin || a.lane - b.lane).forEach((t, i) => { roles.lanes[t.lane] = role + '/' + i; });
	}
});

// ---- calls ----

const MEMBERS = 12;

function unpackCalls() {
	let start = 0;

	calls = [];
	for (let i = 0; i < picture.calls.length; i += MEMBERS) {
		const c = picture.calls.slice(i, i + MEMBERS);

		start += c[0];
		calls.push({start, dur: c[1], lane: c[2], name: picture.names[c[3]], file: c[4], node: c[5],
			offset: c[6], size: c[7], ret: c[8], err: c[9] && (picture.errors[c[9]] || 'errno ' + c[9]), depth: c[10], part: c[11],
			inferred: false, self: 0});
	}
	let at = 0;

	for (const step of picture.inferred) {
		at += step;
		calls[at].inferred = true;
	}
}

// 0: calls of that name read, 1: they write, -1: neither.  What moves bytes of memory, or of a socket, is no part of the
// time of I/O, but moves them.
let directions;
derive.push(() => { directions = new Map(picture.reading.map(n => [n, 0]).concat(picture.writing.map(n => [n, 1]))); });

function directionOf(c) {
	const direction = directions.get(c.name);

	return direction !== undefined ? direction : c.part === 0 || c.part === 1 ? c.part : -1;
}

// "3 calls", or "3 calls, and 1 that libc made within itself": iotrace-stat counts these apart.
function callsCounted(list) {
	const inferred = list.reduce((n, c) => n + (c.inferred || 0), 0), made = list.length - inferred;

	return count(made) + (made === 1 ? ' call' : ' calls') + (inferred ? ', and ' + count(inferred) + ' that libc made within itself' : '');
}

// Time that is not that of calls inside; right if all calls are there.
function ownTimes(list) {
	const open = picture.lanes.map(() => []);

	for (const c of list) {
		const around = open[c.lane];

		around.length = Math.min(around.length, c.depth);
		c.self = c.dur;
		if (around.length && around[around.length - 1])
			around[around.length - 1].self -= c.dur;
		around[c.depth] = c;
	}
}

let chains;

derive.push(() => {
	unpackCalls();
	ownTimes(calls);
	chains = new Map();
	nodes = picture.nodes.map((n, i) => ({id: i, parent: n[0], func: n[1], file: n[2], line: n[3],
		calls: n[4], bytes: n[5], time: n[6]}));
});

// The line of source, if it was there when the page was made.
function sourceOf(place) {
	const lines = picture.sources && Object.hasOwn(picture.sources, place.file) ? picture.sources[place.file] : {};

	return Object.hasOwn(lines, place.line) ? shown(lines[place.line]) : '';
}

// Is the node below that one, or that one?
function isBelow(node, top) {
	while (node > 0 && node !== top)
		node = nodes[node].parent;
	return node === top;
}

function boxLabel(n) {
	return n.id ? where(n) : 'all';
}

// The node's function, its caller, and so on.
const CALLED_BY = ' < ';
function outwards(node) {
	if (!chains.has(node)) {
		const outer = nodes[node].parent;

		chains.set(node, boxLabel(nodes[node]) + (outer ? CALLED_BY + outwards(outer) : ''));
	}
	return chains.get(node);
}

// Bins, as a list of bin, value, ..., to an array of all.
function unfold(list) {
	const all = new Float64Array(picture.bins);

	for (let i = 0; i < list.length; i += 2)
		all[list[i]] += list[i + 1];
	return all;
}

// ---- what is selected: address.js has it ----

function isLaneSelected(lane) {
	return (selection.lane < 0 || lane === selection.lane) &&
		(selection.process < 0 || picture.lanes[lane].process === selection.process);
}

// Calls that are about no file have no row; a row of the table of files is theirs.
function isFileSelected(file) {
	return selection.file < 0 || file === selection.file || (file < 0 && isNoFile(selection.file));
}

function isNoFile(row) {
	return row < stat.files.length && stat.files[row].path === '(no file)';
}

// All time is the time of whatever there is: clocks of threads may differ by some ns from the job's.
function isTimeSelected(from, to) {
	return allTime() || (from <= selection.to && to >= selection.from);
}

function isSelected(call) {
	return isTimeSelected(call.start, call.start + call.dur) &&
		isLaneSelected(call.lane) &&
		isFileSelected(call.file) &&
		(selection.call === '' || call.name === selection.call) &&
		(selection.node < 0 || (call.node >= 0 && isBelow(call.node, selection.node))) &&
		(selection.inner === '' || (call.node > 0 && isInner(call.node)));
}

// Those of the list that are selected: several views ask for the same.
const selectedOf = new WeakMap();

function selectedAmong(list) {
	const now = JSON.stringify(selection), known = selectedOf.get(list);

	if (known && known.selection === now)
		return known.found;
	const found = list.filter(isSelected);

	selectedOf.set(list, {selection: now, found});
	return found;
}

let innerKnown = {};

// Whether the functions outwards from the node begin with those that are selected: many calls have one node.
function isInner(node) {
	if (innerKnown.nodes !== nodes || innerKnown.inner !== selection.inner)
		innerKnown = {nodes, inner: selection.inner, is: new Map()};
	if (!innerKnown.is.has(node))
		innerKnown.is.set(node, (outwards(node) + CALLED_BY).startsWith(selection.inner + CALLED_BY));
	return innerKnown.is.get(node);
}

// ---- pieces of pages ----

// element('td', {class: 'name'}, 'text', another element, ...)
function element(tag, attributes, ...inside) {
	const e = document.createElement(tag);

	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith('on'))
			e.addEventListener(key.slice(2), value);
		else
			e.setAttribute(key, value);
	}
	e.append(...inside);
	return e;
}

// What is wider than the page: keys scroll it, and it has a name.
function scrollable(label, ...inside) {
	return element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, ...inside);
}

// What is drawn anew has the focus again where it was.
function redraw(draw) {
	const old = document.activeElement, place = old && old.closest('section, #selection');
	const name = e => e.tagName + (e.id || e.dataset.label || e.getAttribute('aria-label') || (e.cells ? e.cells[0] : e).textContent.replace(/ [▾▴]$/, ''));
	const alike = () => [...place.querySelectorAll('button, select, input, [tabindex]')].filter(e => name(e) === key);
	const key = place && name(old), which = place && alike().indexOf(old);

	measureWidth();
	draw();
	if (!place || document.activeElement === old) // what is put back to its place has lost it
		return;
	const now = alike()[which] || alike()[0] || place.querySelector('button, [tabindex]') || document.querySelector('nav a');

	now.focus({preventScroll: true});
	if (now.type === 'search')
		now.setSelectionRange(old.selectionStart, old.selectionEnd);
}

function fill(id, ...inside) {
	document.getElementById(id).replaceChildren(...inside);
}

// As a button: what a click does, Enter and the space bar do, too.
function clickable(action) {
	return {tabindex: 0, onclick: action, onkeydown: e => {
		if (e.key === 'Enter' || e.key === ' ') {
			e.preventDefault();
			action(e);
		}
	}};
}

// Text that was cut is no part of the whole name, and speech control goes by what is seen: then its
// title names the element.
function isCut(e) {
	return [e, ...e.querySelectorAll('text')].some(t => t.firstChild && t.firstChild.nodeType === Node.TEXT_NODE && t.firstChild.data.includes('\u2026'));
}

// The same of an element of SVG.
function buttonLike(e, label, action) {
	e.setAttribute('role', 'button');
	e.dataset.label = label;
	if (!isCut(e))
		e.setAttribute('aria-label', label);
	e.style.cursor = 'pointer';
	for (const [key, value] of Object.entries(clickable(action)))
		if (key.startsWith('on'))
			e.addEventListener(key.slice(2), value);
		else
			e.setAttribute(key, value);
}

function download(name, type, text) {
	const link = element('a', {href: 'data:' + type + ';charset=utf-8,' + encodeURIComponent(text), download: name});

	document.body.append(link);
	link.click();
	link.remove();
}

// The picture with the colours that it has here.
function saveSvg(svg, name) {
	const copy = svg.cloneNode(true);
	const style = getComputedStyle(document.documentElement);
	const text = new XMLSerializer().serializeToString(copy)
		.replace(/var\((--[a-z]+)\)/g, (all, variable) => style.getPropertyValue(variable).trim());

	download(name, 'image/svg+xml', text);
}

function csv(rows) {
	return rows.map(row => row.map(cell => {
		let text = String(cell);

		if (/^[=+\-@\t\r]/.test(text) && !/^-?[0-9.]+$/.test(text))
			text = "'" + text;
		return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
	}).join(',')).join('\n') + '\n';
}

// Saves a picture, and what it shows; rows() begins with the names of columns.
function saveButtons(svg, name, rows) {
	return [element('button', {onclick: () => saveSvg(svg, name + '.svg')}, 'Save as SVG'), ' ',
		element('button', {onclick: () => download(name + '.csv', 'text/csv', csv(rows()))}, 'Save as csv')];
}

const svgSpace = 'http://www.w3.org/2000/svg';

// A picture is printed as wide as paper is, and as page.css's 22 cm from its top on.
const PAPER = {width: 700, height: 831};

function fitPaper(svg, width, height) {
	svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
	svg.setAttribute('preserveAspectRatio', 'xMinYMin slice');
	svg.classList.toggle('tall', height * Math.min(1, PAPER.width / width) > PAPER.height);
}

function svgElement(tag, attributes, text) {
	const e = document.createElementNS(svgSpace, tag);

	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	if (tag === 'svg')
		fitPaper(e, attributes.width, attributes.height);
	if (text !== undefined)
		e.textContent = text;
	return e;
}

function legend(...marks) {
	return element('p', {class: 'legend'}, ...marks.map(name => element('span', {style: '--mark: var(--' + name + ')'}, name)));
}
