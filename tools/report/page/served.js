// SPDX-License-Identifier: BSD-3-Clause
// served.js - a page that iotrace-report --serve shows: it follows a program that runs, and asks
// for calls that are too many to be on the page.  A page that is a file does none of that.

const SERVED = {every: 2000, calls: 4000};

async function ask(path, parameters, signal) {
	const answer = await fetch('/api/v1/' + path + (parameters ? '?' + new URLSearchParams(parameters) : ''), {signal});

	return answer.ok ? answer.text() : Promise.reject(new Error((await answer.json()).error));
}

// ---- calls from the logs ----

// Those of the selection, so far as they were fetched: next says where others begin, null is nowhere.
let fetched = null;
let asking = null;

// Calls that are known one by one.
function singleCalls() {
	return fetched && fetched.next === null ? fetched.calls : calls;
}

// Whether each call of the selection is among these.
function allSingle() {
	return !picture.shortest || (fetched !== null && fetched.next === null);
}

function literally(text) {
	return text.replace(/[\\^$.[\]|()*+?{}]/g, '\\$&');
}

function atSecond(ns) {
	const t = BigInt(picture.begin) + BigInt(Math.round(ns));

	return '@' + t / 1000000000n + '.' + String(t % 1000000000n).padStart(9, '0');
}

// The selection as parameters; null: the server knows no such choice.
function parametersOf(s) {
	const parameters = {stacks: 1, limit: SERVED.calls};
	const lane = picture.lanes[s.lane];

	if (s.node >= 0 || s.inner !== '' || (lane && lane.tid === undefined))
		return null;
	if (!allTime())
		Object.assign(parameters, {from: atSecond(s.from), to: atSecond(s.to + 1)});
	if (lane || s.process >= 0)
		parameters.pid = lane ? lane.tid : processes[s.process].pid;
	if (s.file >= 0) {
		if (/[\ud800-\udfff]/u.test(stat.files[s.file].path))
			return null; // a name that is no UTF-8
		parameters.path = '^' + literally(stat.files[s.file].path) + '$';
	}
	if (s.call !== '')
		parameters.calls = s.call;
	return parameters;
}

function lineOf(stack) {
	const frame = (stack || []).find(f => f.file) || (stack || [])[0];

	return frame ? whereExactly(Object.assign({offset: frame.module_offset}, frame)) : '';
}

// As the page's own calls are, of what iotrace-cat says; start is too large a number for a script.
function parseCalls(text) {
	const answer = JSON.parse(text.replace(/^\{"start":(\d+)/gm, '{"start":"$1"'));
	const lanes = new Map(picture.lanes.map((l, i) => [[l.host, l.pid, l.tid].join(), i]));
	const files = new Map(stat.files.map((f, i) => [f.path, i]));
	const parts = new Map(calls.map(c => [c.name, c.part]));
	const number = (n, other) => n === undefined ? other : n;

	return {next: answer.next, calls: answer.calls.map(c => ({
		start: Number(BigInt(c.start) - BigInt(picture.begin)), dur: c.dur || 0, name: c.call, node: -1,
		lane: number(lanes.get([c.host, c.pid, c.tid].join()), picture.lanes.length - 1),
		file: number(files.get(c.path), -1), path: c.path || '', offset: number(c.offset, -1), size: number(c.size, -1),
		ret: number(c.ret, -1), inferred: c.status === 'inferred', err: c.errno || 0, depth: c.depth, part: number(parts.get(c.call), directionOf({name: c.call})), line: lineOf(c.stack)}))};
}

// From where the last answer ended, or from the selection's beginning.
async function fetchCalls(after) {
	const parameters = parametersOf(selection);

	if (asking)
		asking.abort();
	asking = new AbortController();
	if (!parameters)
		return;
	try {
		const more = parseCalls(await ask('calls', after ? Object.assign(parameters, {after}) : parameters, asking.signal));

		fetched = after && fetched ? {next: more.next, calls: fetched.calls.concat(more.calls)} : more;
		ownTimes(fetched.calls);
		drawAgain([showTimeline, showFiles, showScribble, showCalls]);
	} catch (e) {
		if (e.name !== 'AbortError')
			sayFollowing('Calls can\u2019t be fetched: ' + e.message);
	}
}

let fetchSoon = 0;
function selectionChanged() {
	fetched = null;
	clearTimeout(fetchSoon);
	if (picture.shortest)
		fetchSoon = setTimeout(fetchCalls, 200);
}

// ---- what is new ----

function sayFollowing(text) {
	const place = document.getElementById('following');

	place.hidden = text === '';
	if (place.textContent !== text)
		place.textContent = text;
}

// Views anew, with what is scrolled where it was.
function drawAgain(which) {
	const scrolled = () => [...document.querySelectorAll('.scroll, .picture')];
	const were = scrolled().map(e => [e.scrollLeft, e.scrollTop]), top = window.scrollY;

	redraw(() => which.forEach(view => view()));
	scrolled().forEach((e, i) => {
		if (were[i])
			[e.scrollLeft, e.scrollTop] = were[i];
	});
	window.scrollTo(window.scrollX, top);
}

// Rows have other numbers in newer data: what is selected is found again by name.
function namesOf(s) {
	const lane = l => l && [l.host, l.pid, l.tid, l.begin].join();
	const process = p => p && [p.host, p.pid, Math.round(p.begin / 1e6)].join();

	return {
		lane: lane(picture.lanes[s.lane]), file: (stat.files[s.file] || {}).path, process: process(processes[s.process]),
		node: s.node > 0 ? outwards(s.node) : undefined,
		find() {
			return {lane: this.lane ? picture.lanes.findIndex(l => lane(l) === this.lane) : -1,
				file: this.file === undefined ? -1 : stat.files.findIndex(f => f.path === this.file),
				process: this.process ? processes.findIndex(p => process(p) === this.process) : -1,
				node: this.node === undefined ? -1 : nodes.findIndex(n => n.id && outwards(n.id) === this.node)};
		}};
}

async function update() {
	const text = await ask('report'), names = namesOf(selection);

	take(text);
	Object.assign(selection, names.find());
	history.replaceState(null, '', address());
	selectionChanged();
	drawAgain([showSummary, showFindings, ...views]);
}

let isPressed = false; // a time is being chosen
let known = 0;
async function look() {
	try {
		const state = JSON.parse(await ask('state'));

		if (state.generation !== known && !isPressed) {
			await update();
			known = state.generation;
		}
		sayFollowing(state.running ? 'The program runs: this page follows.' : '');
	} catch (e) {
		sayFollowing(e instanceof TypeError ? 'The server has ended; what is here stays.' : 'The server says: ' + e.message);
	}
	setTimeout(look, SERVED.every);
}

function followServer(generation) {
	known = generation;
	window.addEventListener('pointerdown', () => { isPressed = true; });
	for (const end of ['pointerup', 'pointercancel'])
		window.addEventListener(end, () => { isPressed = false; });
	views.unshift(noticeSelection);
	noticeSelection();
	look();
}

// A view that draws nothing: what is fetched is that of the selection.
let noticed = '';
function noticeSelection() {
	const now = JSON.stringify(selection);

	if (now !== noticed)
		selectionChanged();
	noticed = now;
}
