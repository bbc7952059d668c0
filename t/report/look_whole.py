# SPDX-License-Identifier: BSD-3-Clause
"""look_whole.py - the page as a whole: keys, widths, what it says and asks for, and axe-core."""
import json
import os
import shutil
import sys

from selenium.webdriver import Keys

from assertions import ok, same
import access
from tab import browser, click, colours, data, drawn, every, find, open_page, page_with, resized, state, until, where


def keys():
    row = every("#table-of-files tbody tr")[1]

    browser.execute_script("arguments[0].focus()", row)
    row.send_keys(" ")
    ok("file=" in state(), "the space bar chooses a row")
    find("#selection .chip").send_keys(Keys.ENTER)
    lane = every("#timeline-view .lane")[1]
    browser.execute_script("arguments[0].focus()", lane)
    lane.send_keys(Keys.ENTER)
    same((state(), len(every("#timeline-view .lane"))), ("#lane=1", 1), "Enter chooses a lane")
    find("#selection .chip").send_keys(Keys.ENTER)
    reached = browser.execute_script(
        "return [...document.querySelectorAll('button, select, input, a, [role=button], tr[aria-selected]')].filter(e => e.tabIndex < 0).length")
    same(reached, 0, "keys reach all that can be chosen")


def axe_core(what):
    """The page as it stands."""
    if sys.argv[1] == "firefox" or not os.path.exists(where + "/package/axe.min.js"):
        return
    with open(where + "/package/axe.min.js", encoding="utf8") as f:
        access.axe(browser, f.read(), same, "axe-core finds nothing: " + what)


def all_can_use():
    open_page("page.html", "#node=1")
    access.contrast(browser, colours, same, ok)
    open_page("page.html")
    axe_core("the page")
    table = next(i for i, f in enumerate(data()["stat"]["files"]) if f["path"].endswith("/table.txt"))
    open_page("page.html", f"#file={table}")
    find("#icicle-way option[value=treemap]").click()
    axe_core("a file that is chosen, and functions as areas")
    open_page("page.html")
    # Chromium takes nine times as long as Firefox from each to the next
    if sys.argv[1] == "firefox" or os.environ.get("TEST_LONG") == "1" or not shutil.which("firefox-esr"):
        access.keys_alone(browser, find, same, ok, state)


def narrow():
    for width in (1280, 400):
        resized(width)
        until(lambda: browser.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        ok(True, f"nothing is wider than {width} pixels")
        if width == 1280:
            cut_off = browser.execute_script(
                "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel)")
            same(cut_off, [], "no table is cut off")
    resized(1280)
    printed()
    crowded()
    open_page("page.html")


def deep_names():
    """Processes that each were started by the one above."""
    def chain(all_of):
        processes, lanes = all_of["stat"]["processes"], all_of["picture"]["lanes"]
        last = max(processes, key=lambda p: p["start"])
        lane = next(lane for lane in lanes if lane["pid"] == last["pid"])
        for i in range(12):
            start = last["start"] + 10000 * (i + 1)
            processes.append({**last, "prog": "p", "pid": 1000001 + i, "start": start, "parent": 1000000 + i if i else last["pid"]})
            lanes.append({**lane, "prog": "p", "pid": 1000001 + i, "tid": 1000001 + i, "begin": lane["begin"] + 10000 * (i + 1)})
            lanes.append({**lane, "prog": "climate-model", "rank": 100, "pid": 2000000, "tid": 2000001 + i})

    page_with("deep.html", chain)
    open_page("deep.html")
    resized(400)
    threads = browser.execute_script("return [...document.querySelectorAll('#timeline-view text.lane')].map(e => e.firstChild.data)")
    same(sorted(name[-7:] for name in threads if name.startswith("rank 100")), [str(2000001 + i) for i in range(12)], "names of threads have their numbers")
    names = browser.execute_script("return [...document.querySelectorAll('#processes-view text.process')].map(e => [Number(e.getAttribute('x')), e.firstChild.data])")
    deep = [(x, name) for x, name in names if "p 10000" in name]
    same([name for x, name in deep], [f"└ p {1000001 + i}" for i in range(12)], "names of a deep tree are whole on a phone")
    ok(all(a[0] < b[0] for a, b in zip(deep, deep[1:])), "each further in")


def names_fit():
    """Names that are wider than their letters are many, and letters that are two for JavaScript."""
    def rename(all_of):
        for i, f in enumerate(all_of["stat"]["files"]):
            f["path"] = "/" + "W" * 150 + "\U0001f600" * 150 + str(i)
        for node in all_of["picture"]["nodes"][1:]:
            node[1] = "W" * 200
        all_of["stat"]["findings"][0]["sites"] = [{"func": "W" * 200}] * 9

    page_with("wide.html", rename)
    open_page("wide.html")
    browser.execute_script("document.querySelectorAll('#list-of-findings details').forEach(d => { d.open = true; })")
    for width in (1280, 400):
        resized(width)
        ok(browser.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), f"{width} pixels: all names together")
        beyond, halves, boxes = browser.execute_script("""
            const texts = [...document.querySelectorAll('.picture svg text')], right = e => e.getBoundingClientRect().right;
            const left = e => e.getBoundingClientRect().left, name = e => e.closest('section').id + ': ' + e.textContent;
            return [texts.filter(t => left(t) < left(t.ownerSVGElement) - 1 || right(t) > right(t.ownerSVGElement) + 1).map(name),
                texts.filter(t => /[\\ud800-\\udfff]/u.test(t.textContent)).map(name),
                [...document.querySelectorAll('#lines-view g > text')].filter(t => right(t) > right(t.parentNode.querySelector('rect')) + 1).map(name)]""")
        same(beyond, [], f"{width} pixels: names end within their picture")
        same(boxes, [], f"{width} pixels: names of functions within their boxes")
        same(halves, [], f"{width} pixels: no letter is cut in two")
        room = browser.execute_script("""const most = document.documentElement.clientWidth * .45;
            return [...document.querySelectorAll('.picture text.lane, .heat-row')].filter(t => Number(t.getAttribute('x')) > most && getComputedStyle(t).textAnchor === 'end').length""")
        same(room, 0, f"{width} pixels: names leave room for the picture")
    ok(any("W" in t.text for t in every("#lines-view g > text")), "which are there")
    deep_names()
    resized(1280)
    open_page("page.html")


def address():
    """How views show what is selected, too; whoever wrote the address."""
    shown = "return [...document.querySelectorAll('main section')].map(s => s.innerText + [...s.querySelectorAll('input, select')].map(e => e.value + e.checked))"

    find("#search-files").send_keys("in/.*=?")
    click(every("#table-of-files th button")[2])
    click(every("#table-of-files th button")[2])
    for choice in ("#icicle-way option[value=treemap]", "#icicle-by option[value=calls]", "#heat-by option[value=calls]",
                   "#heat-of option[value=syncing]", "#order-calls option[value=dur]"):
        find(choice).click()
    click(find("#show-threads"))
    find("#search-calls").send_keys("ENOENT|%&#")
    click(find("#only-failed"))
    kept, before = state(), browser.execute_script(shown)
    ok("files=" in kept and "lines-way=treemap" in kept, "choices of views are in the address")
    there = browser.execute_script("return location.hash")
    open_page("page.html", there)
    same(browser.execute_script(shown), before, "which brings back what it showed")
    same(state(), kept, "and is as before")
    for hostile in ("#call=%", "#lines-way=constructor&__proto__=1&heat-of=%ff", "#constructor=1&files=(", "#file=1e99&lane=x"):
        open_page("page.html", hostile)
        ok(len(every("#lines-view svg")) == 1, f"{hostile}: the page is there")
    open_page("page.html")


def printed():
    """On A4, with margins of 1 cm, from a dark screen."""
    if sys.argv[1] == "firefox":
        return
    browser.paper(718)
    drawn()
    wide = browser.execute_script("""return [...document.querySelectorAll('main *')].filter(e =>
        e.getBoundingClientRect().right > 718.5).map(e => e.tagName + '#' + e.id + '.' + e.getAttribute('class')).slice(0, 5)""")
    same(wide, [], "nothing is wider than paper")
    hidden = browser.execute_script("""return [...document.querySelectorAll('main section:not([hidden]) h3')].filter(e =>
        e.getBoundingClientRect().height === 0).map(e => e.textContent)""")
    same(hidden, [], "all headings are on paper")
    looks = browser.execute_script("""const of = (css, name) => getComputedStyle(document.querySelector(css), css === '.legend span' ? '::before' : null)[name];
        return [of('body', 'backgroundColor'), of('.legend span', 'printColorAdjust') || of('.legend span', 'webkitPrintColorAdjust')]""")
    same(looks, ["rgb(255, 255, 255)", "exact"], "paper is white, and legends have their colours")
    browser.paper(0)
    drawn()


def crowded():
    """Pictures that are higher than their place, or a sheet of paper."""
    def crowd(all_of):
        lanes = all_of["picture"]["lanes"]
        lane = max(lanes, key=lambda one: sum(one["time"]))
        lanes.extend({**lane, "pid": 1000000 + i, "tid": 1000000 + i} for i in range(150))

    page_with("crowd.html", crowd)
    open_page("crowd.html")
    high, sideways = browser.execute_script("""const all = [...document.querySelectorAll('.picture')];
        return [all.some(e => e.scrollHeight > e.clientHeight), all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.closest('section').id)]""")
    ok(high and not sideways, "what scrolls up and down is as wide as there is room")
    if sys.argv[1] == "firefox":
        return
    browser.paper(718)
    drawn()
    pictures = browser.execute_script("""return [...document.querySelectorAll('.picture svg')].map(e => [e.viewBox.baseVal, e.getBoundingClientRect(), e])
        .filter(([whole, box]) => box.height > 0).map(([whole, box, e]) =>
            [whole.height * box.width / whole.width / 832, box.height, getComputedStyle(e.parentNode, '::after').content !== 'none'])""")
    ok(max(height for pages, height, said in pictures) < 833, "a picture is no higher than a page")
    same({said for pages, height, said in pictures if pages > 1.05}, {True}, "one that would be says so")
    same({said for pages, height, said in pictures if pages < .95}, {False}, "others do not")
    browser.paper(0)
    drawn()


def quiet():
    same(browser.said(), [], "nothing is said on the console")
    same(browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)"), [], "a page asks for nothing")
    if sys.argv[1] == "firefox":
        return
    asked = set()
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.add(message["params"]["request"]["url"][:60])
    same(sorted(u for u in asked if u.split(":")[0] not in ("file", "data", "about", "chrome")), [], "nothing is asked of a network")
