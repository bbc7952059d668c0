// SPDX-License-Identifier: BSD-3-Clause
// arcs.js - operations of POSIX AIO, Linux AIO, io_uring and nonblocking MPI-IO, from the call that
// issues one to its completion.

const ARCS = {most: 1500, members: 8};

let operations, flights; // operations one by one; sums by lane

derive.push(() => {
	let issued = 0;

	operations = [];
	for (let i = 0; i < picture.arcs.length; i += ARCS.members) {
		const [step, dur, lane, to, name, file, size, err] = picture.arcs.slice(i, i + ARCS.members);

		issued += step;
		operations.push({issued, dur, lane, to, name: picture.operation_names[name], file, size, err});
	}
	flights = new Map();
	for (let i = 0; i < picture.operations.length; i += 4) {
		const [lane, ops, time, blocked] = picture.operations.slice(i, i + 4);

		flights.set(lane, {ops, time, blocked});
	}
});

function isOperationSelected(o) {
	return isTimeSelected(o.issued, o.issued + o.dur) && (isLaneSelected(o.lane) || isLaneSelected(o.to)) &&
		isFileSelected(o.file) && allCalls();
}

function operationText(o) {
	const from = laneName(picture.lanes[o.lane]), to = laneName(picture.lanes[o.to]);

	return [o.name + ' of ' + bytes(o.size) + (pathOf(o) ? ', ' + shown(pathOf(o)) : ''),
		'complete ' + duration(o.dur) + ' after its issue at ' + duration(o.issued) + (o.err ? ', failed' : ''),
		'issued by ' + from + (to === from ? '' : ', completed by ' + to)].join('\n');
}

// From the middle of the lane that issued it to that of the completion, above both.
function operationArcs(svg, x, row) {
	const inView = operations.filter(isOperationSelected);
	const [left, right] = x.range();
	const edge = ns => Math.min(right, Math.max(left, x(ns)));
	const middle = lane => TOP + (row.get(lane) + .5) * LANE;

	if (inView.length > ARCS.most)
		return inView;
	for (const o of inView) {
		const a = edge(o.issued), b = edge(o.issued + o.dur);
		const from = middle(row.has(o.lane) ? o.lane : o.to), to = middle(row.has(o.to) ? o.to : o.lane);
		const over = Math.min(from, to) - LANE * .8;
		const arc = svgElement('path', {class: 'arc', d: 'M' + a.toFixed(1) + ' ' + from + 'C' + a.toFixed(1) + ' ' + over + ' ' + b.toFixed(1) + ' ' + over + ' ' + b.toFixed(1) + ' ' + to,
			fill: 'none', stroke: 'var(--text)', 'stroke-width': 1.2, 'stroke-opacity': .6});

		arc.append(svgElement('title', {}, operationText(o)));
		svg.append(arc);
	}
	return inView;
}

function arcsNote(inView) {
	if (!picture.arcs_seen)
		return '';
	return ' Arcs lead from the issue of an asynchronous operation to its completion: ' + count(inView.length) + ' of ' + count(picture.arcs_seen) + ' are in view' +
		(inView.length > ARCS.most ? ', and drawn if there are up to ' + count(ARCS.most) + ': choose a shorter time' : '') +
		(picture.arcs_seen > operations.length ? '; the page has the ' + count(operations.length) + ' that took longest' : '') + '.';
}
