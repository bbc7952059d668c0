// SPDX-License-Identifier: BSD-3-Clause
// address.js - what is selected, which every view shows alone, how views show it, and the address, which has both.

const everything = {from: 0, to: 0, process: -1, lane: -1, file: -1, node: -1, inner: '', call: ''};
const selection = Object.assign({}, everything);
const views = [];

derive.push(() => {
	const whole = allTime();

	everything.to = wall();
	if (whole)
		selection.to = wall();
});

function select(change) {
	Object.assign(selection, change);
	if (!(selection.to > selection.from))
		Object.assign(selection, {from: 0, to: wall()});
	selection.from = Math.max(0, selection.from);
	selection.to = Math.min(wall(), selection.to);
	history.replaceState(null, '', address());
	redraw(() => views.forEach(view => view()));
}

function allTime() {
	return selection.from === 0 && selection.to === everything.to;
}

// Neither a name of a call nor a function is chosen.
function allCalls() {
	return selection.node < 0 && selection.inner === '' && selection.call === '';
}

// ---- how views show it ----

const choices = [];

// That member is in the address under this name, unless it is what it was at first.  values: those that it may have.
function keep(name, of, key, values) {
	choices.push({name, of, key, first: of[key], values: values || (() => null)});
}

function choose(of, key, value, draw) {
	of[key] = value;
	history.replaceState(null, '', address());
	redraw(draw);
}

// ---- the address ----

function address() {
	const parts = Object.keys(everything).filter(k => selection[k] !== everything[k]).map(k => [k, selection[k]])
		.concat(choices.filter(c => c.of[c.key] !== c.first).map(c => [c.name, c.of[c.key]]))
		.map(([name, value]) => name + '=' + encodeURIComponent(value));

	return parts.length ? '#' + parts.join('&') : location.pathname + location.search;
}

// Anybody can have written it.
function partsOfAddress() {
	const found = new Map();

	for (const part of location.hash.slice(1).split('&')) {
		const at = part.indexOf('=');

		try {
			if (at > 0)
				found.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
		} catch (e) {
			// no text
		}
	}
	return found;
}

function takeChoices(parts) {
	for (const c of choices) {
		const text = parts.get(c.name), value = typeof c.first === 'boolean' && text !== undefined ? text === 'true' : text;
		const values = c.values();

		c.of[c.key] = value === undefined || (values && !values.includes(value)) ? c.first : value;
	}
}

function readAddress() {
	const parts = partsOfAddress(), found = {};

	for (const [key, first] of Object.entries(everything))
		if (parts.has(key))
			found[key] = typeof first === 'string' ? parts.get(key) : Number(parts.get(key));
	const ok = (key, n) => !(key in found) || (Number.isInteger(found[key]) && found[key] < n);

	if (!parts.size)
		return;
	takeChoices(parts);
	if (ok('lane', picture.lanes.length) && ok('process', processes.length) && ok('file', stat.files.length) && ok('node', nodes.length))
		select(Object.assign({}, everything, found));
}
