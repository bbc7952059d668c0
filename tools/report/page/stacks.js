// SPDX-License-Identifier: BSD-3-Clause
// stacks.js - an icicle: functions from main() inwards, as wide as the time below them.

const icicle = {by: 'time'};
const measures = {time: duration, bytes, calls: count};

// Sums by node: of all calls, or of those selected if each is here.
function measured() {
	const sums = nodes.map(() => 0);
	const whole = allTime() && selection.lane < 0 && selection.process < 0 && selection.file < 0 && selection.call === '';

	if (whole || picture.shortest) {
		nodes.forEach(n => { sums[n.id] = n[icicle.by]; });
		return {sums, whole: true, partial: !whole};
	}
	for (const c of calls) {
		if (c.node < 0 || !isSelected(Object.assign({}, c)))
			continue;
		sums[c.node] += icicle.by === 'time' ? c.depth ? 0 : c.dur : icicle.by === 'bytes' ? Math.max(0, c.size) : 1;
	}
	return {sums, whole: false};
}

function tree(sums) {
	const all = nodes.map(n => ({id: n.id, value: sums[n.id], children: []}));

	for (const n of nodes)
		if (n.id)
			all[n.parent].children.push(all[n.id]);
	return all[0];
}

function boxLabel(n) {
	return n.id ? where({func: n.func, file: n.file, line: n.line || '?'}).replace(':?', '') : 'all';
}

function drawBox(svg, d, x, row, total) {
	const n = nodes[d.data.id], width = x(d.x1) - x(d.x0);
	const box = svgElement('g', {transform: 'translate(' + x(d.x0).toFixed(1) + ',' + d.depth * row + ')'});
	const hue = ['var(--reading)', 'var(--metadata)', 'var(--syncing)', 'var(--writing)'][d.depth % 4];

	box.append(svgElement('rect', {width: Math.max(.5, width - 1).toFixed(1), height: row - 2, fill: hue, 'fill-opacity': .28, rx: 2,
		stroke: 'var(--text)', 'stroke-width': selection.node === n.id ? 2 : 0}));
	if (width > 30)
		box.append(svgElement('text', {x: 4, y: 14}, cut(boxLabel(n), Math.floor((width - 8) / 6.6))));
	box.append(svgElement('title', {}, boxLabel(n) + ': ' + measures[icicle.by](d.value) + ', ' + (100 * d.value / total).toFixed(1) + ' %'));
	buttonLike(box, boxLabel(n), () => select({node: selection.node === n.id || !n.id ? -1 : n.id}));
	svg.append(box);
}

function showStacks() {
	const tools = element('div', {class: 'tools'}, element('label', {}, 'As wide as the ', element('select', {id: 'icicle-by', onchange: e => {
		icicle.by = e.target.value;
		redraw(showStacks);
	}}, ...Object.keys(measures).map(m => {
		const option = element('option', {value: m}, m);

		option.selected = m === icicle.by;
		return option;
	}))));

	if (nodes.length < 2) {
		fill('lines-view', element('p', {class: 'note'}, 'The logs have no stacks of calls.'));
		return;
	}
	const {sums, partial} = measured();
	const root = d3.partition()(d3.hierarchy(tree(sums)).sum(d => d.value).sort((a, b) => b.value - a.value));
	const width = timelineWidth(), row = 21;
	const boxes = root.descendants().filter(d => d.value > 0 && (d.x1 - d.x0) * width > .7);
	const height = (d3.max(boxes, d => d.depth) + 1 || 1) * row + 4;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': 'Functions that made calls'});
	const x = d3.scaleLinear([0, 1], [1, width - 1]);

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	boxes.forEach(d => drawBox(svg, d, x, row, root.value));
	tools.append(element('button', {onclick: () => saveSvg(svg, 'lines.svg')}, 'Save as SVG'));
	fill('lines-view', tools, element('div', {class: 'picture'}, svg), element('p', {class: 'note'},
		'In all ' + measures[icicle.by](root.value || 0) + (icicle.by === 'time' ? ' in calls' : '') + '. Callers stand above what they call; choose one to see only its calls.' +
		(partial ? ' These are sums of the whole job: not all calls are here one by one.' : '')));
}
