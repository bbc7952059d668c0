// SPDX-License-Identifier: BSD-3-Clause
// stacks.js - functions by what was spent below them: an icicle from main() inwards, or from those
// that made calls outwards, or a treemap of these.

const icicle = {by: 'time', way: 'inwards'};
keep('lines-by', icicle, 'by', () => Object.keys(measures));
keep('lines-way', icicle, 'way', () => Object.keys(ways));
const measures = {time: duration, bytes, calls: count};
const ways = {inwards: 'from main() to what it calls', outwards: 'from what makes calls to its callers', treemap: 'as areas'};

// Sums by node: of all calls, or of those selected if each is here.
function measured() {
	const sums = nodes.map(() => 0);
	const whole = allTime() && ['lane', 'process', 'file', 'call'].every(key => selection[key] === everything[key]);

	if (whole || picture.shortest) {
		nodes.forEach(n => { sums[n.id] = n[icicle.by]; });
		return {sums, partial: !whole};
	}
	// a function that is chosen leaves the others there: it is a way to look at them
	const {node, inner} = selection;

	Object.assign(selection, {node: -1, inner: ''});
	for (const c of selectedAmong(calls))
		if (c.node >= 0)
			sums[c.node] += icicle.by === 'time' ? c.part < 0 ? 0 : Math.max(0, c.self) :
				icicle.by === 'bytes' ? transfers[c.name] ? Math.max(0, c.size) : 0 : 1;
	Object.assign(selection, {node, inner});
	return {sums, partial: false};
}

let transfers;
derive.push(() => { transfers = Object.fromEntries(picture.names.map((name, i) => [name, picture.transfers[i]])); });

function treeInwards(sums) {
	const all = nodes.map(n => ({label: boxLabel(n), source: sourceOf(n), value: sums[n.id], children: [], chosen: n.id > 0 && selection.node === n.id,
		choose: () => select({node: selection.node === n.id || !n.id ? -1 : n.id})}));

	for (const n of nodes)
		if (n.id)
			all[n.parent].children.push(all[n.id]);
	return all[0];
}

// The innermost function first: one that several call is one box, below it are its callers.
function treeOutwards(sums) {
	const root = {label: 'all', value: sums[0], children: [], path: '', below: new Map(), choose: () => select({inner: ''})};

	for (const n of nodes) {
		let at = root;

		if (!n.id || !(sums[n.id] > 0))
			continue;
		for (let id = n.id; id; id = nodes[id].parent) {
			const label = boxLabel(nodes[id]);
			let next = at.below.get(label);

			if (!next) {
				const path = (at.path && at.path + CALLED_BY) + label;

				next = {label, source: sourceOf(nodes[id]), value: 0, children: [], path, below: new Map(), chosen: selection.inner === path,
					choose: () => select({inner: selection.inner === path ? '' : path})};
				at.below.set(label, next);
				at.children.push(next);
			}
			at = next;
		}
		at.value += sums[n.id];
	}
	return root;
}

function drawBox(svg, d, box, total) {
	const g = svgElement('g', {transform: 'translate(' + box.x.toFixed(1) + ',' + box.y.toFixed(1) + ')'});
	const hue = ['var(--reading)', 'var(--metadata)', 'var(--syncing)', 'var(--writing)'][box.hue % 4];
	const label = d.data.label, value = measures[icicle.by](d.value);

	g.append(svgElement('rect', {width: Math.max(.5, box.width - 1).toFixed(1), height: Math.max(.5, box.height - 1).toFixed(1), fill: hue, 'fill-opacity': .28, rx: 2,
		stroke: 'var(--text)', 'stroke-width': d.data.chosen ? 2 : 0}));
	const room = box.width - 8, valued = box.width > 60 && box.height > 34;

	if (box.width > 30 && box.height > 15)
		g.append(svgElement('text', {x: 4, y: 14}, cut(label, room)));
	if (valued)
		g.append(svgElement('text', {x: 4, y: 30, class: 'value'}, cut(value, room)));
	g.append(svgElement('title', {}, label + ': ' + value + ', ' + (100 * d.value / total).toFixed(1) + ' %' + (d.data.source ? '\n' + d.data.source : '')));
	buttonLike(g, valued ? label + ' ' + value : label, d.data.choose);
	svg.append(g);
}

// The function of each box, behind those of the boxes that it stands below, and how much it has.
function boxRows(boxes) {
	return [['functions', icicle.by === 'time' ? 'time_ns' : icicle.by]].concat(
		boxes.map(([d]) => [d.ancestors().map(a => a.data.label).filter(Boolean).reverse().join(' / '), d.value]));
}

// Boxes, and how high they are together.
function icicleBoxes(root, width) {
	const row = 21, all = d3.partition()(root).descendants().filter(d => d.value > 0 && (d.x1 - d.x0) * width > .7);

	return [all.map(d => [d, {x: 1 + d.x0 * (width - 2), y: d.depth * row, width: (d.x1 - d.x0) * (width - 2), height: row - 1, hue: d.depth}]),
		((d3.max(all, d => d.depth) + 1) || 1) * row + 4];
}

function treemapBoxes(root, width) {
	const height = Math.max(240, Math.min(480, width / 2.5));
	const flat = d3.hierarchy({children: (root.children || []).map(d => Object.assign({}, d.data, {value: d.value, children: null}))}).sum(d => d.value).sort((a, b) => b.value - a.value);

	return [d3.treemap().size([width - 2, height])(flat).leaves().filter(d => d.value > 0 && d.x1 - d.x0 > .7)
		.map((d, i) => [d, {x: 1 + d.x0, y: 1 + d.y0, width: d.x1 - d.x0, height: d.y1 - d.y0, hue: i}]), height + 4];
}

function stackChoice(id, label, key, names) {
	const choice = element('select', {id, onchange: e => choose(icicle, key, e.target.value, showStacks)}, ...names.map(([value, name]) => element('option', {value}, name)));

	choice.value = icicle[key];
	return element('label', {}, label + ' ', choice);
}

// What is chosen, with its callers, the outermost first, and their lines of source.
function chosenLines() {
	const way = [];

	if (selection.node >= 0) {
		for (let id = selection.node; id > 0; id = nodes[id].parent)
			way.unshift(nodes[id]);
	} else if (selection.inner !== '') {
		const found = nodes.find(n => n.id && (outwards(n.id) + CALLED_BY).startsWith(selection.inner + CALLED_BY));

		for (let id = found ? found.id : 0, k = selection.inner.split(CALLED_BY).length; id > 0 && k > 0; id = nodes[id].parent, k--)
			way.unshift(nodes[id]);
	}
	if (!way.some(sourceOf))
		return '';
	return scrollable('Lines of what is chosen', element('table', {id: 'chosen-lines'},
		element('thead', {}, element('tr', {}, element('th', {scope: 'col', class: 'name'}, 'function'), element('th', {scope: 'col', class: 'name'}, 'line of its source'))),
		element('tbody', {}, ...way.map(n => element('tr', {}, element('td', {class: 'name'}, boxLabel(n)), element('td', {class: 'name'}, element('code', {}, sourceOf(n))))))));
}

function showStacks() {
	if (nodes.length < 2) {
		fill('lines-view', element('p', {class: 'note'}, 'The logs have no stacks of calls.'));
		return;
	}
	const {sums, partial} = measured();
	const root = d3.hierarchy(icicle.way === 'inwards' ? treeInwards(sums) : treeOutwards(sums)).sum(d => d.value).sort((a, b) => b.value - a.value);
	const width = icicle.way === 'treemap' ? widthOfViews - 2 : timelineWidth(), total = root.value;
	const [boxes, height] = icicle.way === 'treemap' ? treemapBoxes(root, width) : icicleBoxes(root, width);
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'group', 'aria-label': 'Functions that made calls'});
	const notes = {inwards: 'Callers stand above what they call', outwards: 'Functions that made calls stand on top, their callers below', treemap: 'Each area is a function that made calls'};

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	boxes.forEach(([d, box]) => drawBox(svg, d, box, total));
	fill('lines-view', element('div', {class: 'tools'}, stackChoice('icicle-by', 'Size:', 'by', Object.keys(measures).map(m => [m, m])),
		stackChoice('icicle-way', 'Shown:', 'way', Object.entries(ways)),
		...saveButtons(svg, 'lines', () => boxRows(boxes))),
	total ? element('div', {class: 'picture'}, svg) : element('p', {class: 'note'}, 'Nothing of what is selected is here.'),
	chosenLines(), element('p', {class: 'note', id: 'lines-sum'}, 'In all ' + measures[icicle.by](total || 0) + (icicle.by === 'time' ? ' in calls' : '') + '. ' + notes[icicle.way] + '; choose one to see only its calls.' +
		(partial ? ' These are sums of the whole job: not all calls are here one by one.' : '')));
}
