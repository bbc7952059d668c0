// SPDX-License-Identifier: BSD-3-Clause
// calls.js - the calls that are selected, one by one.

const callTable = {sort: 'start', shown: 100, pattern: '', failed: false};
keep('calls', callTable, 'pattern');
keep('calls-by', callTable, 'sort', () => ['start', 'dur']);
keep('failed', callTable, 'failed');

function callText(c) {
	const parts = [c.name + '()', durationOf(c)];

	if (pathOf(c))
		parts.push(fileText(c));
	if (c.size >= 0)
		parts.push(bytes(c.size) + (c.offset >= 0 ? ' at ' + count(c.offset) : ''));
	parts.push(c.err ? 'failed, ' + c.err : 'result ' + c.ret);
	parts.push('at ' + duration(c.start) + ', ' + laneName(picture.lanes[c.lane]));
	return parts.join('\n');
}

const callColumns = [
	['start', 'at', c => (c.start / 1e9).toFixed(9)],
	['dur', 'took', durationOf],
	['lane', 'thread', c => laneName(picture.lanes[c.lane])],
	['name', 'call', c => '\u00a0\u00a0\u00a0'.repeat(Math.min(6, c.depth)) + c.name + (c.inferred ? ' (inferred)' : '')],
	['file', 'file', fileText],
	['offset', 'offset', c => c.offset < 0 ? '' : count(c.offset)],
	['size', 'bytes', c => c.size < 0 ? '' : count(c.size)],
	['ret', 'result', c => c.err || String(c.ret)],
	['node', 'line', c => c.line !== undefined ? c.line : c.node < 0 ? '' : boxLabel(nodes[c.node])],
];

// Of files beyond those that are listed the page has names alone.
function pathOf(c) {
	return c.path !== undefined ? c.path : c.file < 0 || c.file === undefined ? '' :
		c.file < stat.files.length ? stat.files[c.file].path : picture.unlisted[c.file] || '';
}

// The same to be read.
function fileText(c) {
	return shown(pathOf(c));
}

// What is searched: "open /etc/passwd ENOENT", and the line of the program.
function searchedText(c) {
	return [c.name, pathOf(c), c.err || c.ret, callColumns.find(([key]) => key === 'node')[2](c)].join(' ');
}

// Fetched calls are there by time; the longest ones of all are the page's.
function callsListed() {
	return fetched && (callTable.sort === 'start' || fetched.next === null) ? fetched.calls : calls;
}

// null: the pattern is none.
function selectedCalls() {
	let pattern;

	try {
		pattern = new RegExp(callTable.pattern, 'u');
	} catch (e) {
		return null;
	}
	const found = selectedAmong(callsListed()).filter(c => (!callTable.failed || c.err) &&
		(callTable.pattern === '' || pattern.test(searchedText(c))));

	if (callTable.sort === 'dur')
		found.sort((a, b) => b.dur - a.dur);
	return found;
}

function kinds() {
	const names = [...new Set(calls.map(c => c.name))].sort();
	const choice = element('select', {id: 'choose-call', onchange: e => select({call: e.target.value})},
		element('option', {value: ''}, 'all calls'), ...names.map(n => element('option', {value: n}, n)));

	choice.value = selection.call;
	return element('label', {}, 'Kind: ', choice);
}

function order() {
	const choice = element('select', {id: 'order-calls', onchange: e => choose(callTable, 'sort', e.target.value, showCalls)}, element('option', {value: 'start'}, 'by time'), element('option', {value: 'dur'}, 'longest first'));

	choice.value = callTable.sort;
	return element('label', {}, 'Order: ', choice);
}

// Names of files and functions break anywhere, those of calls and threads between words.
function kindOf(column) {
	return ['file', 'node'].includes(column) ? 'name' : ['lane', 'name'].includes(column) ? 'word' : '';
}

function searchCalls() {
	const search = element('input', {type: 'search', id: 'search-calls', size: 28, placeholder: 'regular expression', value: callTable.pattern,
		'aria-label': 'Calls whose name, file, result or line matches', title: 'ENOENT finds files that are missing'});
	const failed = element('input', {type: 'checkbox', id: 'only-failed', onchange: () => choose(callTable, 'failed', failed.checked, drawCalls)});

	failed.checked = callTable.failed;
	search.addEventListener('input', () => choose(callTable, 'pattern', search.value, drawCalls));
	return [search, element('label', {}, failed, ' failed only')];
}

function callsCsv() {
	const cell = (c, [key, , show]) => ['lane', 'file', 'node'].includes(key) ? show(c) : key === 'dur' && !c.dur ? '' : c[key];

	return csv([callColumns.map(c => c[0])].concat((selectedCalls() || []).map(c => callColumns.map(column => cell(c, column)))));
}

function callsNote(found) {
	if (!found)
		return 'That is no regular expression.';
	return callsCounted(found) +
		(callsListed() === calls ? picture.shortest ? ', of those that took ' + duration(picture.shortest) + ' or longer' : '' :
			fetched.next === null ? ', all there are' : ', the first ones there are') +
		(found.length > callTable.shown ? '; the first ' + count(callTable.shown) + ' are shown' : '');
}

function moreCalls(found) {
	const buttons = [];

	if (found && found.length > callTable.shown)
		buttons.push(element('button', {id: 'more-calls', onclick: () => {
			callTable.shown *= 4;
			redraw(drawCalls);
		}}, 'Show more'));
	else if (fetched && fetched.next !== null && callsListed() !== calls)
		buttons.push(element('button', {id: 'fetch-calls', onclick: () => {
			callTable.shown = Math.max(callTable.shown, 4000);
			fetchCalls(fetched.next);
		}}, 'Fetch the next ones'));
	return buttons;
}

function drawCalls() {
	const found = selectedCalls();

	document.getElementById('table-of-calls').replaceChildren(element('p', {class: 'note', id: 'calls-found'}, callsNote(found)),
		scrollable('Table of calls', element('table', {},
			element('thead', {}, element('tr', {}, ...callColumns.map(([key, title]) => element('th', {scope: 'col', class: kindOf(key)}, title)))),
			element('tbody', {}, ...(found || []).slice(0, callTable.shown).map(c => element('tr', {class: c.err ? 'failed' : ''},
				...callColumns.map(([key, , show]) => element('td', {class: kindOf(key)}, show(c)))))))),
		...moreCalls(found));
}

function showCalls() {
	fill('calls-view', element('div', {class: 'tools'}, ...searchCalls(), kinds(), order(),
		element('button', {onclick: () => download('calls.csv', 'text/csv', callsCsv())}, 'Save as csv')),
	element('div', {id: 'table-of-calls'}));
	drawCalls();
}
