// SPDX-License-Identifier: BSD-3-Clause
// main.js - what is selected, as chips that take it back, and the page's start.

function chip(text, change) {
	return element('button', {class: 'chip', onclick: () => select(change), 'aria-label': 'Take back: ' + text}, text + ' ✕');
}

function showSelection() {
	const chips = [];

	if (!allTime())
		chips.push(chip([selection.from, selection.to].map(momentsApart(selection.to, (selection.to - selection.from) / 10)).join(' to '), {from: 0, to: wall()}));
	if (selection.process >= 0)
		chips.push(chip(processName(processes[selection.process]), {process: -1}));
	if (selection.lane >= 0)
		chips.push(chip(laneName(picture.lanes[selection.lane]), {lane: -1}));
	if (selection.file >= 0)
		chips.push(chip(shown(stat.files[selection.file].path), {file: -1}));
	if (selection.node >= 0)
		chips.push(chip(boxLabel(nodes[selection.node]), {node: -1}));
	if (selection.inner !== '')
		chips.push(chip(shown(selection.inner), {inner: ''}));
	if (selection.call !== '')
		chips.push(chip(selection.call + '()', {call: ''}));
	fill('selection', ...chips);
}

views.push(showSelection, showCompared, showTimeline, showProcessesIfChanged, showFiles, showScribble, showHeat, showMpi, showStacks, showCalls);
document.getElementById('licence').textContent = document.getElementById('licence-text').textContent.trim();
take(document.getElementById('data').textContent);
measureWidth();
showSummary();
showFindings();
readAddress();
views.forEach(view => view());
window.addEventListener('hashchange', readAddress);
// The address is what is selected: going to a part of the page leaves it alone.
document.querySelectorAll('nav a').forEach(link => link.addEventListener('click', e => {
	e.preventDefault();
	document.querySelector(link.getAttribute('href')).scrollIntoView();
}));
{
	let width = window.innerWidth, waiting = 0;

	window.addEventListener('resize', () => {
		clearTimeout(waiting);
		waiting = setTimeout(() => {
			if (width !== window.innerWidth) {
				measureWidth();
				views.forEach(view => view());
			}
			width = window.innerWidth;
		}, 150);
	});
}
// What is folded is on paper, too, but for the licence.
{
	let folded = [];

	window.addEventListener('beforeprint', () => {
		folded = [...document.querySelectorAll('main details:not([open])')];
		folded.forEach(d => { d.open = true; });
	});
	window.addEventListener('afterprint', () => folded.forEach(d => { d.open = false; }));
}
if (Number(document.body.dataset.served))
	followServer(Number(document.body.dataset.served));
