// SPDX-License-Identifier: BSD-3-Clause
// spent.js - what the threads of the selection spent their time on, or waited for: calls by name
// and file.

const SPENT = {shown: 8};

// A call's own time, so far as it is within the selected time.
function ownTimeInView(c) {
	const from = Math.max(c.start, selection.from), to = Math.min(c.start + c.dur, selection.to);

	return c.dur > 0 && to > from ? Math.max(0, c.self) * (to - from) / c.dur : 0;
}

function spentByCall() {
	const sums = new Map();

	for (const c of selectedAmong(singleCalls())) {
		if (c.part < 0)
			continue;
		if (!sums.has(c.name))
			sums.set(c.name, new Map());
		const files = sums.get(c.name);

		if (!files.has(c.file))
			files.set(c.file, {name: c.name, file: c.file, part: c.part, calls: 0, time: 0});
		const sum = files.get(c.file);

		sum.calls += !c.inferred;
		sum.time += ownTimeInView(c);
	}
	return [...sums.values()].flatMap(files => [...files.values()]).filter(s => s.time > 0).sort((a, b) => b.time - a.time);
}

// What all threads in view spent in calls, of which the calls that are here one by one are a part.
function spentInAll() {
	const [first, last] = binsInView();

	return d3.sum(picture.lanes.map((l, i) => i).filter(isLaneSelected), lane => d3.sum(laneBins[lane], bins => d3.sum(bins.slice(first, last))));
}

function spentRow(s, all) {
	const chosen = selection.call === s.name && (s.file < 0 || selection.file === s.file);

	const file = s.file >= 0 && s.file < stat.files.length ? fileHere(s.file) : -1;

	return element('tr', Object.assign({'aria-selected': String(chosen)}, clickable(() => select(chosen ? {call: '', file: -1} : {call: s.name, file}))),
		element('td', {class: 'word'}, element('span', {class: 'part', style: '--mark: var(--' + picture.parts[s.part] + ')'}, s.name)),
		element('td', {}, duration(s.time)), element('td', {}, all > 0 ? (100 * Math.min(1, s.time / all)).toFixed(1) + ' %' : ''),
		element('td', {}, count(s.calls)), element('td', {class: 'name'}, fileText(s) || 'no file'));
}

function spentTable() {
	const sums = spentByCall(), chosen = picture.lanes.filter((l, i) => isLaneSelected(i));
	const whole = selection.file < 0 && allCalls();
	const all = whole && !allSingle() ? spentInAll() : d3.sum(sums, s => s.time);
	const titles = [['call', 'word'], ['own time', ''], ['share', ''], [allSingle() ? 'calls' : 'calls here', ''], ['file', 'name']];

	return [element('h3', {}, 'What ' + (chosen.length === 1 ? laneName(chosen[0]) : 'threads') + ' spent this time on, and waited for' + runWord()),
		sums.length ? scrollable('Table of times' + runWord(), element('table', {id: runAfter ? 'table-of-times-before' : 'table-of-times'},
			element('thead', {}, element('tr', {}, ...titles.map(([title, kind]) => element('th', {scope: 'col', class: kind}, title)))),
			element('tbody', {}, ...sums.slice(0, SPENT.shown).map(s => spentRow(s, all))))) :
			element('p', {class: 'note'}, 'No call of the selection is here with its time.'),
		element('p', {class: 'note'}, 'A call\u2019s own time is that without the calls inside it. Calls took ' + duration(all) + ' in all.' +
			(allSingle() ? '' : ' Calls that are not here one by one, since they are short, are left out of the table.') + ' Choose a row to see only its calls.')];
}
