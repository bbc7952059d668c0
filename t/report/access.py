# SPDX-License-Identifier: BSD-3-Clause
"""access.py - whether a page can be read and used: contrast of its text, and keys alone."""
from selenium.webdriver import Keys

# Texts whose contrast with what is painted below them is less than WCAG 2.1 AA asks for.
# What is below is found by asking which elements lie at the text's middle.
CONTRAST = r"""
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const bad = new Map();
let seen = 0;

// [r, g, b, a], of any colour that CSS knows
function parse(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
}
function paint(e) {
    const style = getComputedStyle(e);
    if (!e.namespaceURI.endsWith('svg'))
        return parse(style.backgroundColor);
    if (['svg', 'g', 'text', 'title', 'line'].includes(e.tagName) || style.fill === 'none')
        return [0, 0, 0, 0];
    const [r, g, b, a] = parse(style.fill);
    return [r, g, b, a * Number(style.fillOpacity) * Number(style.opacity)];
}
function over(top, below) {
    return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
}
function luminance(colour) {
    const [r, g, b] = colour.slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
}
function look(e, box) {
    const style = getComputedStyle(e), svg = e.namespaceURI.endsWith('svg');
    const x = box.left + Math.min(box.width / 2, 20), y = box.top + box.height / 2;
    const all = document.elementsFromPoint(x, y);
    const first = all.findIndex(o => o === e || o.contains(e) || e.contains(o));
    if (!all.length || (!svg && first < 0))
        return; // it is cut off by what scrolls
    let below = [255, 255, 255, 1];
    const root = parse(getComputedStyle(document.body).backgroundColor);
    below = over(root, below);
    for (const o of all.slice(svg ? 0 : first).reverse())
        below = over(paint(o), below);
    const colour = over(parse(svg ? style.fill : style.color), below);
    const [a, b] = [luminance(colour), luminance(below)].sort((p, q) => q - p);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + .05) / (b + .05);
    seen++;
    if (ratio < (large ? 3 : 4.5))
        bad.set((e.className.baseVal || e.className || e.tagName) + ' ' + style[svg ? 'fill' : 'color'] + ' on ' + below.map(Math.round).slice(0, 3), ratio.toFixed(2) + ' ' + e.textContent.slice(0, 30));
}
document.querySelectorAll('details').forEach(d => { d.open = false; });
for (const section of document.querySelectorAll('header, section, footer')) {
    const texts = [...section.querySelectorAll('*')].filter(e => !['title', 'TITLE', 'SCRIPT', 'OPTION', 'PRE'].includes(e.tagName) &&
        [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()));
    for (let i = 0; i < texts.length; i += Math.ceil(texts.length / 250)) {
        texts[i].scrollIntoView({block: 'center'});
        const box = texts[i].getBoundingClientRect();
        if (box.width)
            look(texts[i], box);
    }
}
return [seen, [...bad].map(b => b.join(': '))];
"""

FOCUS = """
const e = document.activeElement, style = getComputedStyle(e);
const label = e.labels && e.labels.length ? e.labels[0].textContent : '';
window.reached = window.reached || [];
const before = window.reached[window.reached.length - 1];
const answer = {
    name: (e.getAttribute('aria-label') || label || e.getAttribute('placeholder') || e.textContent).trim(),
    inOrder: !before || !before.isConnected || Boolean(before.compareDocumentPosition(e) & 4),
    seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
    row: e.matches('#table-of-files tbody tr'), last: e.matches('#calls-view .scroll'), nothing: e === document.body,
    what: e.tagName + '.' + e.id,
};
window.reached.push(e);
return answer;
"""


AXE = """
const done = arguments[0];
axe.run(document, {resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}}).then(
    result => done(result.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).slice(0, 5).join(' '))),
    error => done([String(error)]));
"""


def axe(browser, source, same, what):
    """All rules of axe-core that are on without being asked for, and that what is seen names what is there."""
    browser.execute_script(source)
    same(browser.execute_async_script(AXE), [], what)


def contrast(browser, colours, same, ok):
    for scheme in ("light", "dark"):
        colours(scheme)
        seen, bad = browser.execute_script(CONTRAST)
        ok(seen > 200, f"{scheme}: there is text")
        same(bad, [], f"{scheme}: and it has enough contrast")
    colours("light")


def keys_alone(browser, find, same, ok, state):
    """From the top of the page to its end by Tab, with Enter on the way."""
    chosen, wrong, n = "", [], 0
    browser.execute_script("window.reached = []")
    find("body").send_keys(Keys.TAB)
    for n in range(2000):
        at = browser.execute_script(FOCUS)
        if at["nothing"] or at["last"]:
            break
        if not (at["name"] and at["inOrder"] and at["seen"]):
            wrong.append(at)
        if at["row"] and not chosen:
            find("#table-of-files tbody tr:focus").send_keys(Keys.ENTER)
            chosen = state()
            again = browser.execute_script("const e = document.activeElement; return e.tagName + e.className")
            ok(again.startswith("TR"), "the row that was chosen keeps the focus")
            browser.execute_script("window.reached = []")
        browser.execute_script("return document.activeElement").send_keys(Keys.TAB)
    same((n > 20, at["last"] or at["what"]), (True, True), "Tab leads to the end of the page")
    same(wrong, [], "in order, to what has a name and is seen to have the focus")
    ok("file=" in chosen, "Enter chooses a file on the way")
    if chosen:
        find("#selection .chip").send_keys(Keys.ENTER)
