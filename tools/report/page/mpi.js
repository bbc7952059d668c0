// SPDX-License-Identifier: BSD-3-Clause
// mpi.js - MPI-IO: collective against independent calls, who does the work beneath, who came late.

const MPI = {by: 'bytes', meetings: 6, members: 12};
keep('mpi-by', MPI, 'by', () => Object.keys(transferMeasures));
const transferMeasures = {calls: [0, count], bytes: [1, bytes], time: [2, duration]};
const mpiColumns = [
	['independent', 'independent calls', 'reading'],
	['collective', 'collective calls', 'writing'],
	['beneath_independent', 'system calls beneath independent', 'reading'],
	['beneath_collective', 'system calls beneath collective', 'writing'],
];
const flightColumns = [
	['ops', 'nonblocking operations', '', count],
	['time', 'these in flight', 'waiting', duration],
	['beside', 'of that beside other work', 'reading', duration],
];
const meetColumns = [
	['waited', 'waited for others', 'waiting', duration],
	['kept_waiting', 'others waited for it', 'fault', duration],
	['last', 'came last', '', count],
];

function mpiRanks() {
	const rankOf = r => picture.lanes[r.lane].rank === undefined ? -1 : picture.lanes[r.lane].rank;

	return picture.mpi.filter(r => isLaneSelected(r.lane)).sort((a, b) => rankOf(a) - rankOf(b) || a.lane - b.lane);
}

// Operations that are in flight while no thread is in the calls that begin or complete them run
// beside other work.
function flightOf(lane) {
	const f = flights.get(lane) || {ops: 0, time: 0, blocked: 0};

	return Object.assign({beside: f.time - f.blocked}, f);
}

// A number with a bar below it, which says how much that is of the most.
function barCell(value, most, colour, show) {
	const share = most > 0 ? 100 * value / most : 0;

	return element('td', {style: 'background: linear-gradient(var(--' + (colour || 'line') + ') 0 0) left bottom / ' + share.toFixed(1) + '% 4px no-repeat'},
		value ? show(value) : '0');
}

function mpiTable(ranks) {
	const [at, show] = transferMeasures[MPI.by];
	const most = d3.max(ranks, r => d3.max(mpiColumns, ([key]) => r[key][at]));

	return scrollable('Table of ranks', element('table', {id: 'table-of-ranks'},
		element('thead', {}, element('tr', {}, element('th', {scope: 'col', class: 'word'}, 'rank'),
			...mpiColumns.concat(meetColumns, flights.size ? flightColumns : []).map(([, title]) => element('th', {scope: 'col', class: 'wide'}, title)))),
		element('tbody', {}, ...ranks.map(r => {
			const id = picture.lanes[r.lane].process;
			const chosen = id >= 0 && selection.process === id;

			return element('tr', Object.assign({'aria-selected': String(chosen)}, clickable(() => select({process: chosen ? -1 : id}))),
				element('td', {class: 'word'}, laneName(picture.lanes[r.lane])),
				...mpiColumns.map(([key, , colour]) => barCell(r[key][at], most, colour, show)),
				...meetColumns.map(([key, , colour, text]) => barCell(r[key], d3.max(ranks, other => other[key]), colour, text)),
				...(flights.size ? flightColumns : []).map(([key, , colour, text]) =>
					barCell(flightOf(r.lane)[key], d3.max(ranks, other => flightOf(other.lane)[key]), colour, text)));
		}))));
}

function mpiCsv(ranks) {
	const parts = ['calls', 'bytes', 'ns'];

	return csv([['rank'].concat(...mpiColumns.map(([key]) => parts.map(p => key + ' ' + p)), meetColumns.map(([key]) => key), 'met', flightColumns.map(([, title]) => title))].concat(
		ranks.map(r => [laneName(picture.lanes[r.lane])].concat(...mpiColumns.map(([key]) => r[key]), meetColumns.map(([key]) => r[key]), r.met,
			flightColumns.map(([key]) => flightOf(r.lane)[key])))));
}

function membersOf(meeting) {
	const all = [];

	for (let i = 0; i < meeting.members.length; i += 3)
		all.push({lane: meeting.members[i], start: meeting.members[i + 1], dur: meeting.members[i + 2]});
	return all;
}

// Those that came first, and those that came last.
function someOf(all) {
	const half = MPI.members / 2;

	return all.length > MPI.members ? all.slice(0, half).concat(all.slice(-half)) : all;
}

function meetingText(m, all) {
	const name = pathOf(m) && ' of ' + shown(pathOf(m));
	const last = all[all.length - 1];

	return m.call + '()' + name + ': ' + laneName(picture.lanes[last.lane]) + ' came ' + duration(last.start - all[0].start) +
		' after the first of ' + count(all.length) + ', others waited ' + duration(m.waited) + ' in all';
}

// A line for each rank: grey until the last one is there, then what the call takes, in the colour of what it does.
function meetingPicture(m) {
	const all = membersOf(m), drawn = someOf(all);
	const width = Math.max(340, widthOfViews - 2), left = 170, row = 14, top = 22;
	const gap = drawn.length < all.length ? 8 : 0, height = top + drawn.length * row + gap + 6;
	const svg = svgElement('svg', {width, height, xmlns: svgSpace, role: 'img', 'aria-label': meetingText(m, all), class: 'meeting'});
	const colour = ['metadata', 'reading', 'writing'][1 + directionOf({name: m.call, part: -1})];
	const begin = all[0].start, last = all[all.length - 1].start, end = d3.max(all, a => a.start + a.dur);
	const x = d3.scaleLinear([0, Math.max(end - begin, 1)], [left, width - 40]);

	svg.append(svgElement('rect', {width, height, fill: 'var(--back)'}));
	d3.select(svg).append('g').attr('class', 'axis').attr('transform', 'translate(0,' + (top - 3) + ')')
		.call(byTime(d3.axisTop(x), Math.max(2, (width - left) / 110), '+'));
	drawn.forEach((a, i) => {
		const y = top + i * row + (i < drawn.length / 2 ? 0 : gap);
		const wait = Math.min(last, a.start + a.dur);
		const g = svgElement('g', {});

		g.append(svgElement('title', {}, laneName(picture.lanes[a.lane]) + ': came after ' + duration(a.start - begin) + ', in the call for ' + duration(a.dur)));
		g.append(svgElement('text', {x: left - 8, y: y + 10, 'text-anchor': 'end', 'font-weight': a.start === last ? 'bold' : 'normal'},
			cutMiddle(laneName(picture.lanes[a.lane]), left - 12, a.start === last)));
		g.append(svgElement('rect', {x: x(a.start - begin), y: y + 2, width: Math.max(0, x(wait - begin) - x(a.start - begin)), height: row - 5, fill: 'var(--waiting)', class: 'waits'}));
		g.append(svgElement('rect', {x: x(wait - begin), y: y + 2, width: Math.max(1, x(a.start + a.dur - begin) - x(wait - begin)), height: row - 5, fill: 'var(--' + colour + ')', class: 'takes'}));
		if (i === drawn.length / 2 && gap)
			g.append(svgElement('line', {x1: 0, x2: width, y1: y - gap / 2, y2: y - gap / 2, stroke: 'var(--quiet)', 'stroke-dasharray': '2 4'}));
		svg.append(g);
	});
	return element('div', {class: 'meets'}, element('p', {}, meetingText(m, all) + (drawn.length < all.length ? '; the first and the last ' + MPI.members / 2 + ' are drawn' : '') + '. ',
		element('button', {onclick: () => select({from: begin, to: Math.ceil(end)})}, 'Choose its time'), ' ',
		...saveButtons(svg, 'late', () => [['rank', 'came_ns', 'in_call_ns']].concat(all.map(a => [laneName(picture.lanes[a.lane]), a.start - begin, a.dur])))),
	element('div', {class: 'picture'}, svg));
}

function showMpi() {
	const ranks = mpiRanks();
	const choice = element('select', {id: 'mpi-by', onchange: e => choose(MPI, 'by', e.target.value, showMpi)}, ...Object.keys(transferMeasures).map(m => element('option', {value: m}, m)));
	const worst = picture.meetings.filter(m => m.waited > 0 && (selection.file < 0 || m.file === selection.file) &&
		membersOf(m).some(a => isLaneSelected(a.lane)) && (selection.call === '' || selection.call === m.call) &&
		membersOf(m).some(a => a.start <= selection.to && a.start + a.dur >= selection.from));

	document.getElementById('mpi').hidden = !picture.mpi.length;
	document.querySelector('nav a[href="#mpi"]').hidden = !picture.mpi.length;
	if (!picture.mpi.length)
		return;
	choice.value = MPI.by;
	fill('mpi-view', element('div', {class: 'tools'}, element('label', {}, 'Calls that read and write, by ', choice),
		element('button', {onclick: () => download('mpi.csv', 'text/csv', mpiCsv(ranks))}, 'Save as csv')),
	mpiTable(ranks),
	element('p', {class: 'note'}, 'Sums of the whole job. Ranks with system calls beneath collective calls are the aggregators: they move the bytes of the others.' +
		(flights.size ? ' A nonblocking operation is in flight from its issue to its completion; what of that is in neither of the calls that begin and complete it went to other work.' : '')),
	element('h3', {}, 'Who came late to collective calls'),
	element('p', {class: 'note'}, count(picture.meetings_seen) + ' collective calls of several ranks, opening and closing among them' +
		(worst.length ? '; here are those with the longest waits that are selected: grey until the last one came.' : '; nobody waited in those that are selected.')),
	...worst.slice(0, MPI.meetings).map(meetingPicture),
	worst.length > MPI.meetings ? element('button', {id: 'more-meetings', onclick: () => {
		MPI.meetings *= 2;
		redraw(showMpi);
	}}, 'More') : '');
}
