// SPDX-License-Identifier: BSD-3-Clause
// calls.js - the calls that are selected, one by one.

const callTable = {sort: 'start', shown: 100};

function callText(c) {
	const parts = [c.name + '()', duration(c.dur)];

	if (c.file >= 0 && c.file < stat.files.length)
		parts.push(shown(stat.files[c.file].path));
	if (c.size >= 0)
		parts.push(bytes(c.size) + (c.offset >= 0 ? ' at ' + count(c.offset) : ''));
	parts.push(c.err ? 'failed, errno ' + c.err : 'result ' + c.ret);
	parts.push('at ' + duration(c.start) + ', ' + laneName(picture.lanes[c.lane]));
	return parts.join('\n');
}

const callColumns = [
	['start', 'at', c => (c.start / 1e9).toFixed(9)],
	['dur', 'took', c => duration(c.dur)],
	['lane', 'thread', c => laneName(picture.lanes[c.lane])],
	['name', 'call', c => '\u00a0\u00a0\u00a0'.repeat(Math.min(6, c.depth)) + c.name],
	['file', 'file', c => c.file >= 0 && c.file < stat.files.length ? shown(stat.files[c.file].path) : ''],
	['offset', 'offset', c => c.offset < 0 ? '' : count(c.offset)],
	['size', 'bytes', c => c.size < 0 ? '' : count(c.size)],
	['ret', 'result', c => c.err ? 'errno ' + c.err : String(c.ret)],
	['node', 'line', c => c.node < 0 ? '' : boxLabel(nodes[c.node])],
];

function selectedCalls() {
	const found = calls.filter(isSelected);

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
	const choice = element('select', {id: 'order-calls', onchange: e => {
		callTable.sort = e.target.value;
		redraw(showCalls);
	}}, element('option', {value: 'start'}, 'by time'), element('option', {value: 'dur'}, 'longest first'));

	choice.value = callTable.sort;
	return element('label', {}, 'Order: ', choice);
}

// Names of files and functions break anywhere, those of calls and threads between words.
function kindOf(column) {
	return ['file', 'node'].includes(column) ? 'name' : ['lane', 'name'].includes(column) ? 'word' : '';
}

function showCalls() {
	const found = selectedCalls();
	const text = count(found.length) + (found.length === 1 ? ' call' : ' calls') +
		(picture.shortest ? ', of those that took ' + duration(picture.shortest) + ' or longer' : '') +
		(found.length > callTable.shown ? '; the first ' + callTable.shown + ' are shown' : '');

	fill('calls-view', element('div', {class: 'tools'}, kinds(), order(),
		element('button', {onclick: () => download('calls.csv', 'text/csv', csv([callColumns.map(c => c[0])].concat(
			found.map(c => callColumns.map(([key, , show]) => ['lane', 'file', 'node'].includes(key) ? show(c) : c[key])))))}, 'Save as csv')),
	element('p', {class: 'note', id: 'calls-found'}, text),
	element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of calls'}, element('table', {},
		element('thead', {}, element('tr', {}, ...callColumns.map(([key, title]) => element('th', {scope: 'col', class: kindOf(key)}, title)))),
		element('tbody', {}, ...found.slice(0, callTable.shown).map(c => element('tr', {},
			...callColumns.map(([key, , show]) => element('td', {class: kindOf(key)}, show(c)))))))));
}
