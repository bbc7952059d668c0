#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""browser.py BROWSER DIRECTORY [PART] - looks at pages there with chromium or firefox, and clicks.

Without PART at page.html, few.html and, if it is there, compared.html; with mpi at page.html, of
ranks; with served and iotrace-report at pages of its --serve.  Prints "ok what" and "not ok what", and "end" at the end.
"""
import json
import os
import re
import subprocess
import sys

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import access
import marionette

where = sys.argv[2]


def ok(right, what):
    print("ok" if right else "not ok", what)


def same(got, expected, what):
    ok(got == expected, what)
    if got != expected:
        print("# got", repr(got), "expected", repr(expected))


class Chromium(webdriver.Chrome):
    def __init__(self, profile):
        options = Options()
        for argument in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-dev-shm-usage",
                         "disable-background-networking", "disable-component-update", "disable-sync",
                         "window-size=1280,720", "user-data-dir=" + profile):
            options.add_argument("--" + argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(service=Service("/usr/bin/chromedriver"), options=options)
        self.set_page_load_timeout(300)
        self.set_script_timeout(300)

    def said(self):
        return [e["message"] for e in self.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]

    def colours(self, scheme):
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def drag(self, element, by):
        ActionChains(self).move_to_element_with_offset(element, 0, 0).click_and_hold().move_by_offset(by, 0).release().perform()


if sys.argv[1] == "firefox":
    browser = marionette.Firefox("firefox-esr", where + "/firefox")
else:
    browser = Chromium(where + "/chromium")


def find(css):
    return browser.find_element(By.CSS_SELECTOR, css)


def every(css):
    return browser.find_elements(By.CSS_SELECTOR, css)


def text(css):
    return find(css).text


def open_page(name, state=""):
    browser.get("about:blank")
    browser.get("file://" + where + "/" + name + state)
    WebDriverWait(browser, 300).until(lambda b: b.find_elements(By.ID, "calls-found"))


def data():
    return json.loads(browser.execute_script("return document.getElementById('data').textContent"))


def state():
    return browser.execute_script("return decodeURIComponent(location.hash)")


def click(element):
    # Firefox takes rows of tables for nothing that can be clicked, but their cells
    browser.execute_script("""arguments[0].scrollIntoView({block: 'center'});
                           return arguments[0].cells ? arguments[0].cells[0] : arguments[0]""", element).click()


def cells(css):
    """The texts of a table's cells, by row."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(r => [...r.cells].map(c => c.textContent))", css)


def look_at_numbers():
    all_of = data()
    stat, picture = all_of["stat"], all_of["picture"]
    facts = dict(zip([e.text for e in every("#facts dt")], [e.text for e in every("#facts dd")]))

    same(text("#title"), "program", "the title is the program's name")
    same(facts["calls"], f"{stat['job']['calls']:,}", "the number of calls")
    same(facts["failed"], f"{stat['job']['errors']:,}", "those that failed")
    same(facts["files"], f"{len(stat['files']):,}", "the number of files")
    same(len(every(".finding")), len(stat["findings"]), "an article for each finding")
    articles = [e.text for e in every(".finding")]
    ok(all(f["title"] in a for f, a in zip(stat["findings"], articles)), "each has its title")
    leak = next(i for i, f in enumerate(stat["findings"]) if f["id"] == "leaked")
    ok('open("table.txt", O_RDONLY)' in articles[leak], "and the source of that")
    ok(f"leak (program.c:{stat['findings'][leak]['site']['line']})" in articles[leak], "and its line")
    same(len(every("#timeline-view .lane")), stat["job"]["threads"], "a lane for each thread")
    ok(len(every("#timeline-view path[fill^='var(--']")) > 3, "lanes have colours")
    rows = cells("#table-of-files tbody tr")
    same(len(rows), len(stat["files"]), "a row for each file")
    by_name = {row[0]: row for row in rows}
    table = next(f for f in stat["files"] if f["path"].endswith("/table.txt"))
    shown = next(row for name, row in by_name.items() if name.endswith("/table.txt"))
    same([shown[2], shown[5], shown[7]], [f"{table[k]:,}" for k in ("calls", "reads", "writes")], "a file's numbers")
    same(len(every("#timeline-view .lived")), stat["job"]["threads"], "a line for each thread's life")
    ok(any("main (program.c" in e.get_attribute("data-label") for e in every("#lines-view g[data-label]")),
       "functions are there")
    same(text("#calls-found").split()[0], f"{len(picture['calls']) // 12:,}", "calls are counted")


def look_at_processes():
    all_of = data()
    stat = all_of["stat"]
    labels = [e.text for e in every("#processes-view text.process")]
    names = browser.execute_script("return [...document.querySelectorAll('#processes-view text.process')].map(e => e.getAttribute('data-label'))")

    same(len(labels), stat["job"]["processes"], "a row for each process")
    same([n.split()[-1] if n.endswith(")") else "" for n in names], ["", "", "", "(exec)"], "what was executed stands last")
    same(sorted(n.split()[1] for n in names), sorted(str(p["pid"]) for p in stat["processes"]), "each with its number")
    at = [float(e.get_attribute("x")) for e in every("#processes-view text.process")]
    ok(at == sorted(set(at)), "each beneath the one that started it")
    same(len(every("#processes-view .life")), len(labels), "each has a span")
    same(len(every("#processes-view .started")), len(labels) - 1, "lines lead to those that were started")
    shares = [e.text for e in every("#processes-view .share")]
    first = max(stat["processes"], key=lambda p: p["lived"])
    ok(abs(float(shares[0].split()[1]) - 100 * first["io"] / first["lived"]) < 1, "the share of I/O is iotrace-stat's")
    same(len(every("#processes-view .mark")), 2, "what the program said is there")
    ok("the table" in text("#processes-view svg"), "by its words")
    titles = browser.execute_script("return [...document.querySelectorAll('#processes-view .mark title')].map(e => e.textContent)")
    ok(titles[1].startswith("</script><b>\\u0085\\u202e\n"), "which are words only")
    find("#show-threads").click()
    same(len(every("#processes-view .life")), stat["job"]["threads"], "threads, too")
    find("#show-threads").click()
    child = every("#processes-view text.process")[1]
    browser.execute_script("arguments[0].focus()", child)
    child.send_keys(Keys.ENTER)
    ok(state().startswith("#process="), "Enter chooses a process")
    pid = int(names[1].split()[1])
    calls = next(p for p in stat["processes"] if p["pid"] == pid)["calls"]
    same(int(text("#calls-found").split()[0].replace(",", "")), calls, "calls are those of that process")
    same(len(every("#timeline-view .lane")), 1, "and so are lanes")
    find("#selection .chip").send_keys(Keys.ENTER)


def point(svg, column, row, click=False):
    """What is said of a cell of a heat map, the first ones being 0."""
    return browser.execute_script("""
        const svg = document.querySelector(arguments[0]), box = svg.getBoundingClientRect();
        const head = svg.querySelectorAll('.heat-row');
        const lines = svg.querySelectorAll('line[stroke-width="0.4"]');
        const left = Number(lines[0].getAttribute('x1'));
        const at = {clientX: box.left + left + arguments[1], clientY: box.top + Number(head[arguments[2]].getAttribute('y')) - 5, bubbles: true};
        svg.dispatchEvent(new PointerEvent('pointermove', at));
        const said = svg.parentElement.parentElement.querySelector('.heat-says').textContent;
        if (arguments[3])
            svg.dispatchEvent(new MouseEvent('click', at));
        return said;""", svg, column, row, click)


def spent():
    """Own time by call and file, of all threads and of one."""
    all_of = data()
    stat = all_of["stat"]
    total = text("#timeline-view > .note:last-child")

    ok("waited for" in text("#timeline-view h3"), "what threads spent time on is there")
    rows = cells("#table-of-times tbody tr")
    names = {c["call"] for c in stat["calls"]}
    ok(rows and all(row[0] in names for row in rows), "by calls")
    shares = [float(row[2].split()[0]) for row in rows]
    ok(shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 100.5, "with their shares, the largest first")
    sync = next(row for row in rows if row[0] == "fsync")
    ok(sync[4].endswith("/journal.db") and sync[3] == "200", "what was synced, how often")
    click(next(r for r in every("#table-of-times tbody tr") if r.text.startswith("fsync")))
    same(len(every("#selection .chip")), 2, "a row chooses its call and its file")
    same(text("#calls-found").split()[0], "200", "which are the calls that are counted")
    while every("#selection .chip"):
        find("#selection .chip").send_keys(Keys.ENTER)
    same(text("#timeline-view > .note:last-child"), total, "and all is as before")


def seeks():
    all_of = data()
    stat, p = all_of["stat"], all_of["picture"]
    last, moves, between, files = {}, 0, 0, set()
    for i in range(0, len(p["calls"]), 12):
        lane, name, file, offset, size, err = (p["calls"][i + k] for k in (2, 3, 4, 6, 7, 9))
        if p["names"][name] not in ("read", "write", "pread", "pwrite", "pread64", "pwrite64") or file < 0 or offset < 0 or size < 1 or err:
            continue
        moves += 1
        files.add(file)
        between += lane in last and last[lane] != (file, offset)
        last[lane] = (file, offset + size)
    ok(text("#seeks-found").startswith(f"{moves:,} reads and writes of {len(files)} files, with {between:,} seeks"), "reads, writes and seeks are counted")
    same(len(every(".file-box")), len(files), "a box for each file")
    drawn = browser.execute_script("return [...document.querySelectorAll('#seeks-view .seeks')].map(e => e.getAttribute('d').split('M').length - 1)")
    same(sum(drawn), between, "a line for each seek")
    box = next(e for e in every(".file-box") if e.get_attribute("data-label").endswith("/journal.db"))
    browser.execute_script("arguments[0].focus()", box)
    box.send_keys(Keys.ENTER)
    ok("file=" in state(), "Enter chooses a box' file")
    ok(text("#seeks-found").startswith("200 reads and writes of 1 file, with 0 seeks"), "what goes in order has no seeks")
    find("#selection .chip").send_keys(Keys.ENTER)


def heat():
    all_of = data()
    stat, picture = all_of["stat"], all_of["picture"]
    rows = browser.execute_script("return [...document.querySelectorAll('#matrix .heat-row')].map(e => e.getAttribute('data-label'))")
    heads = [e.text for e in every("#matrix .heat-column")]

    same(len(heads), stat["job"]["processes"], "the matrix has a column for each process")
    same(len(rows), sum(1 for f in stat["files"] if f["read"] + f["written"] and f["path"] != "(no file)"), "and a row for each file")
    journal = next(i for i, n in enumerate(rows) if n.endswith("/journal.db"))
    f = next(f for f in stat["files"] if f["path"].endswith("/journal.db"))
    ok(point("#matrix svg.heat", 5, journal).endswith(f"/journal.db: {f['written'] // 1024} KiB"), "a cell says its bytes")
    find("#heat-by option[value=calls]").click()
    rows = browser.execute_script("return [...document.querySelectorAll('#matrix .heat-row')].map(e => e.getAttribute('data-label'))")
    table = next(i for i, n in enumerate(rows) if n.endswith("/table.txt"))
    said = [int(point("#matrix svg.heat", 5 + 100 * i, table).split(": ")[1].replace(",", "")) for i in range(len(heads))]
    same(sum(said), next(f for f in stat["files"] if f["path"].endswith("/table.txt"))["calls"], "calls of a file, by process, are all its calls")
    find("#heat-by option[value=written]").click()
    bins = next(f for f in picture["files"] if stat["files"][f["row"]]["path"].endswith("/journal.db"))["written"]
    rows = browser.execute_script("return [...document.querySelectorAll('#files-by-time .heat-row')].map(e => e.getAttribute('data-label'))")
    width = browser.execute_script("const l = document.querySelector('#files-by-time svg.heat line[stroke-width=\"0.4\"]'); return l.getAttribute('x2') - l.getAttribute('x1')")
    column = (bins[0] + .5) * width / picture["bins"]
    journal = next(i for i, n in enumerate(rows) if n.endswith("/journal.db"))
    said = point("#files-by-time svg.heat", column, journal)
    ok(said.endswith(f": {bins[1]} B") or said.endswith("KiB"), "bytes by time")
    ok(every("#files-by-time .level") and every("#processes-by-time .level"), "maps by time have colours")
    point("#processes-by-time svg.heat", column, 0, True)
    ok("to=" in state() and "process=" in state(), "a click chooses a time and a process")
    while every("#selection .chip"):
        find("#selection .chip").send_keys(Keys.ENTER)
    row = every("#files-by-time .heat-row")[0]
    browser.execute_script("arguments[0].focus()", row)
    row.send_keys(Keys.ENTER)
    ok("file=" in state(), "Enter chooses a file")
    same(len(every("#matrix .heat-row")), 1, "and only that one stays")
    find("#selection .chip").send_keys(Keys.ENTER)
    same(len(every("#processes-by-time .heat-row")), stat["job"]["processes"], "a row for each process")


def look_at_names():
    names = [row[0] for row in cells("#table-of-files tbody tr")]

    ok(any('/<img src=x onerror="window.broken=1">' in n for n in names), "a name with HTML is a name")
    ok(any("\\u202eround\\u001b]0;title\\u0007" in n for n in names), "nothing turns round or rings")
    ok(not any(re.search("[\u202a-\u202e\u0000-\u0008\u001b]", n) for n in names), "no name has characters that are obeyed")
    same(browser.execute_script("return window.broken"), None, "no name was run")
    same(browser.execute_script("return document.images.length"), 0, "or made a picture")


def choose():
    rows = every("#table-of-files tbody tr")
    at = next(i for i, row in enumerate(cells("#table-of-files tbody tr")) if row[0].endswith("/table.txt"))

    click(rows[at])
    ok("file=" in state(), "a file that is chosen is in the address")
    same(len(every("#selection .chip")), 1, "and above the page")
    ok(text("#chosen-file").endswith("/table.txt"), "its name heads its pictures")
    ok(len(every("rect.access")) > 100, "its accesses are drawn")
    found = {row[4].split("/")[-1] for row in cells("#calls-view tbody tr")}
    same(found, {"table.txt"}, "calls are those of the file")
    before = (state(), text("#calls-found"))
    open_page("page.html", before[0])
    same((state(), text("#calls-found")), before, "the address brings all that back")
    find("#selection .chip").send_keys(Keys.ENTER)
    same((state(), len(every("#selection .chip"))), ("", 0), "and Enter takes it back")


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


def times():
    for _ in range(12):
        click(find("#zoom-in"))
    for view in ("timeline", "processes", "heat"):
        labels = browser.execute_script(f"return [...document.querySelectorAll('#{view}-view .axis')].map(a => [...a.querySelectorAll('text')].map(t => t.textContent))")
        ok(labels and all(len(set(axis)) == len(axis) > 1 for axis in labels), f"{view}: no two labels of an axis look alike, however near")
    find("#selection .chip").send_keys(Keys.ENTER)
    click(find("#zoom-in"))
    first = state()
    ok("from=" in first and "to=" in first, "a nearer time is in the address")
    click(find("#zoom-in"))
    ok(state() != first, "and nearer")
    click(find("#all-time"))
    same(state(), "", "all of the time again")
    picture = find("#timeline-view svg")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", picture)
    browser.drag(picture, 120)
    ok("from=" in state(), "dragging chooses a time")
    calls = int(text("#calls-found").split()[0].replace(",", ""))
    p = data()["picture"]
    now = dict(part.split("=") for part in state()[1:].split("&"))
    at = expected = 0
    for i in range(0, len(p["calls"]), 12):
        at += p["calls"][i]
        expected += at <= int(now.get("to", p["wall"])) and at + p["calls"][i + 1] >= int(now.get("from", 0))
    same(calls, expected, "calls are those of that time")
    find("#selection .chip").send_keys(Keys.ENTER)


def search():
    find("#search-files").send_keys("journal|table")
    same(len(every("#table-of-files tbody tr")), 2, "files that match")
    find("#search-files").send_keys("(")
    ok("no regular expression" in text("#table-of-files"), "an expression that is none")
    find("#search-files").send_keys(Keys.BACKSPACE * 20)
    ok(len(every("#table-of-files tbody tr")) > 2, "all again")
    for title in ("calls", "file"):
        click(next(e for e in every("#table-of-files th button") if e.text.split()[0] == title))
        rows = cells("#table-of-files tbody tr")
        column = [r[2] if title == "calls" else r[0] for r in rows]
        wanted = sorted(column, key=lambda c: int(c.replace(",", "")), reverse=True) if title == "calls" else sorted(column)
        same(column if title == "calls" else column[:1], wanted if title == "calls" else wanted[:1], f"sorted by {title}")


def lines():
    find("#icicle-by option[value=calls]").click()
    box = next(e for e in every("#lines-view g[data-label]") if "look_up" in e.get_attribute("data-label"))
    browser.execute_script("arguments[0].focus()", box)
    box.send_keys(Keys.ENTER)
    ok("node=" in state(), "a function that is chosen is in the address")
    found = {row[8].split()[0] for row in cells("#calls-view tbody tr")}
    same(found, {"look_up"}, "calls are those that it made")
    chosen = cells("#chosen-lines tbody tr")
    ok(chosen[-1][0].startswith("look_up (program.c") and chosen[-1][1].startswith(("int fd = open", "if (pread", "close")), "its line of source is there")
    ok(any(row[0].startswith("main (") and "look_up" in row[1] for row in chosen), "and that of its caller")
    find("#selection .chip").send_keys(Keys.ENTER)
    for by in ("calls", "bytes", "time"):
        find(f"#icicle-by option[value={by}]").click()
        ok(every("#lines-view g[data-label]"), f"as wide as the {by}")
    totals = set()
    for way in ("treemap", "inwards", "outwards"):
        find(f"#icicle-way option[value={way}]").click()
        totals.add(text("#lines-sum").split(" in calls")[0])
        ok(any("look_up" in e.get_attribute("data-label") for e in every("#lines-view g[data-label]")), f"functions {way}")
    same(len(totals), 1, "sums are the same, whichever way")
    box = next(e for e in every("#lines-view g[data-label]") if "look_up" in e.get_attribute("data-label"))
    browser.execute_script("arguments[0].focus()", box)
    box.send_keys(Keys.ENTER)
    ok(state().startswith("#inner=look_up"), "an inner function is chosen")
    same({row[8].split()[0] for row in cells("#calls-view tbody tr")}, {"look_up"}, "calls are those that it made")
    before = (state(), text("#calls-found"))
    open_page("page.html", before[0])
    same((state(), text("#calls-found")), before, "the address brings that back")
    find("#selection .chip").send_keys(Keys.ENTER)
    stat = data()["stat"]
    browser.execute_script("location.hash = 'process=0'")
    WebDriverWait(browser, 60).until(lambda b: every("#selection .chip"))
    process = stat["processes"][0]
    for by, total in (("bytes", process["read"] + process["written"]), ("time", process["io"] + process["waiting"])):
        find(f"#icicle-by option[value={by}]").click()
        drawn = browser.execute_script("return document.querySelector('#lines-view g title').textContent").split(": ")[-1].split(",")[0]
        number, unit = drawn.split()
        size = float(number) * {"B": 1, "KiB": 1024, "MiB": 1 << 20, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
        ok(abs(size - total) <= .01 * total, f"{by} of a process' functions are its own")
    find("#selection .chip").send_keys(Keys.ENTER)


def findings():
    click(next(e for e in every(".finding button")))
    ok(state(), "a finding leads to what it is about")
    find("#selection .chip").send_keys(Keys.ENTER)


def mpi():
    all_of = data()
    picture = all_of["picture"]
    rows = cells("#table-of-ranks tbody tr")

    same(len(rows), len(picture["mpi"]), "a row for each rank")
    find("#mpi-by option[value=calls]").click()
    by_rank = sorted(picture["mpi"], key=lambda r: picture["lanes"][r["lane"]]["rank"])
    keys = ("independent", "collective", "beneath_independent", "beneath_collective")
    same([row[1:5] for row in cells("#table-of-ranks tbody tr")], [[f"{r[k][0]:,}" for k in keys] for r in by_rank], "with its calls")
    same([row[7] for row in cells("#table-of-ranks tbody tr")], [f"{r['last']:,}" for r in by_rank], "and how often it came last")
    flights = {picture["operations"][i]: picture["operations"][i + 1] for i in range(0, len(picture["operations"]), 4)}
    same([row[8] for row in cells("#table-of-ranks tbody tr")], [f"{flights[r['lane']]:,}" for r in by_rank], "nonblocking operations")
    same(len(every("#timeline-view .arc")), picture["arcs_seen"], "each operation has an arc")
    ok(any("MPI_File_iwrite_at of 8 B" in e for e in browser.execute_script(
        "return [...document.querySelectorAll('#timeline-view .arc title')].map(e => e.textContent)")), "which says what it was")
    late = [m for m in picture["meetings"] if m["waited"]]
    same(len(every("svg.meeting")), min(6, len(late)), "pictures of calls with waits")
    if len(late) > 6:
        click(find("#more-meetings"))
        same(len(every("svg.meeting")), min(12, len(late)), "and more")
    first = late[0]["members"]
    begin, end = first[1], max(first[i + 1] + first[i + 2] for i in range(0, len(first), 3))
    waits = [float(e.get_attribute("width")) for e in every("svg.meeting")[0].find_elements(By.CSS_SELECTOR, ".waits")]
    whole = browser.execute_script("return document.getElementById('mpi-view').clientWidth") - 2 - 170 - 40
    ok(all(abs(w - (min(first[-2], first[3 * i + 1] + first[3 * i + 2]) - first[3 * i + 1]) * whole / (end - begin)) < 2
           for i, w in enumerate(waits)), "as long as they waited")
    click(find(".meets button"))
    ok(f"from={begin}" in state(), "its time can be chosen")
    find("#selection .chip").send_keys(Keys.ENTER)
    row = every("#table-of-ranks tbody tr")[1]
    row.send_keys(Keys.ENTER)
    ok("process=" in state(), "Enter chooses a rank")
    same(len(every("#table-of-ranks tbody tr")), 1, "and only that stays")
    find("#selection .chip").send_keys(Keys.ENTER)
    same([e.text for e in every("#matrix .heat-column")], [f"rank {i}" for i in range(len(rows))], "ranks head the matrix")
    cut_off = browser.execute_script(
        "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel)")
    same(cut_off, [], "no table is cut off")


def compared():
    diff = data()["diff"]["differences"]
    job = {d["measure"]: d for d in diff if d["table"] == "job"}
    rows = {row[0]: row for row in cells("#compared-job tbody tr")}

    same(rows["calls"][1:3], [f"{job['calls']['before'][0]:,}", f"{job['calls']['after'][0]:,}"], "calls before and after")
    same(rows["calls"][4], "fewer", "there are fewer")
    same({row[4] for row in rows.values()}, {job[m]["change"] for m in job if m != "bytes" and (job[m]["before"][0] or job[m]["after"][0])}, "a word for each change")
    same(len(every("#compared-findings li")), len({d["name"] for d in diff if d["table"] == "findings"}), "findings that changed")
    find("#compare-table option[value=calls]").click()
    find("#compare-by option[value=calls]").click()
    wanted = {d["name"]: d for d in diff if d["table"] == "calls" and d["measure"] == "calls"}
    found = cells("#table-of-changes tbody tr")
    same({row[0] for row in found}, set(wanted), "calls that differ")
    ok(all(row[1:3] == [f"{wanted[row[0]][w][0]:,}" for w in ("before", "after")] for row in found), "with their numbers")
    find("#search-changes").send_keys("^pread$")
    same([row[0] for row in cells("#table-of-changes tbody tr")], ["pread"], "those that match")
    bar = find("#table-of-changes svg.difference rect")
    ok(float(bar.get_attribute("x")) < 80 and float(bar.get_attribute("width")) > 70, "what is less is on the left")
    find("#table-of-changes tbody tr").send_keys(Keys.ENTER)
    same(state(), "#call=pread", "Enter chooses that call")
    find("#selection .chip").send_keys(Keys.ENTER)
    narrow()


def axe_core():
    with open(where + "/package/axe.min.js") as f:
        source = f.read()
    open_page("page.html")
    access.axe(browser, source, same, "axe-core finds nothing")
    table = next(i for i, f in enumerate(data()["stat"]["files"]) if f["path"].endswith("/table.txt"))
    open_page("page.html", f"#file={table}")
    find("#icicle-way option[value=treemap]").click()
    access.axe(browser, source, same, "nor with a file that is chosen, and functions as areas")


def narrow():
    for width in (1280, 400):
        browser.set_window_size(width, 720)
        browser.execute_script("window.dispatchEvent(new Event('resize'))")
        WebDriverWait(browser, 60).until(lambda b: b.execute_script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        ok(True, f"nothing is wider than {width} pixels")
        if width == 1280:
            cut_off = browser.execute_script(
                "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel)")
            same(cut_off, [], "no table is cut off")
    browser.set_window_size(1280, 720)


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


def serve(*arguments):
    """A server, and the address of its page."""
    process = subprocess.Popen([sys.argv[4], "--serve", *arguments], cwd=where, stdout=subprocess.PIPE, text=True)
    return process, re.search(r"http:\S+", process.stdout.readline())[0]


def until(done):
    WebDriverWait(browser, 100, ignored_exceptions=(StaleElementReferenceException, JavascriptException)).until(lambda b: done())


def found_calls():
    return text("#calls-found")


def single_calls():
    """A page that has 50 of all calls fetches others."""
    server, url = serve("--max-calls=50", "logs")
    browser.get(url)
    ok("token" not in browser.current_url, "the token is not in the address")
    until(lambda: found_calls().startswith("4,000 calls, the first ones there are"))
    stat = data()["stat"]
    calls = stat["job"]["calls"]
    while every("#fetch-calls") or every("#more-calls"):
        before = found_calls()
        browser.execute_script("document.querySelector('#more-calls, #fetch-calls').click()")
        until(lambda: found_calls() != before)
    ok(found_calls().startswith(f"{calls:,} calls, all there are"), "each call of the job can be seen")
    same(len(every("#table-of-calls tbody tr")), calls, "and is in the table")
    at = next(i for i, f in enumerate(stat["files"]) if f["path"].endswith("/journal.db"))
    browser.execute_script(f"location.hash = 'file={at}'")
    until(lambda: found_calls().startswith(f"{stat['files'][at]['calls']:,} calls, all"))
    ok(text("#seeks-found").startswith("200 reads and writes of 1 file"), "other views have them, too")
    find("#search-calls").send_keys("^fsync")
    ok(found_calls().startswith("200 calls"), "they can be searched")
    find("#search-calls").clear()
    browser.execute_script("location.hash = 'file=" + str(next(i for i, f in enumerate(stat["files"]) if "window.broken" in f["path"])) + "'")
    until(lambda: "all there are" in found_calls() and not found_calls().startswith("4"))
    same(browser.execute_script("return window.broken"), None, "names are names")
    server.terminate()
    same(server.wait(60), 0, "the server ends")
    until(lambda: text("#following").startswith("The server has ended"))
    ok(True, "which the page says")


def live():
    os.mkdir(where + "/live")
    talker = subprocess.Popen([where + "/talker"], cwd=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "IOTRACE_DIR": where + "/live"})
    talker.stdout.readline()
    server, url = serve("live")
    browser.get(url)
    until(lambda: "follows" in text("#following"))
    before = len(every("#calls-view tbody tr"))
    find("#search-files").send_keys("talk$")
    browser.execute_script("document.getElementById('search-files').focus()")
    for _ in range(20):
        talker.stdin.write("x\n")
    talker.stdin.flush()
    until(lambda: (rows := cells("#table-of-files tbody tr")) and rows[0][7] == "20")
    ok(len(every("#calls-view tbody tr")) > before, "a page shows what a program does while it runs")
    same(browser.execute_script("const e = document.activeElement; return [e.id, e.value, e.selectionStart]"), ["search-files", "talk$", 5],
         "and leaves alone where somebody types")
    click(every("#table-of-files tbody tr")[0])
    talker.stdin.write("x\n")
    talker.stdin.flush()
    until(lambda: cells("#table-of-files tbody tr")[0][7] == "21")
    ok(text("#chosen-file").endswith("/talk"), "what is chosen stays")
    talker.stdin.close()
    talker.wait()
    until(lambda: not find("#following").is_displayed())
    ok(True, "when the program has ended the page says so no more")
    server.terminate()
    server.wait(60)


def look_at_page():
    look_at_numbers()
    look_at_processes()
    spent()
    look_at_names()
    choose()
    keys()
    times()
    search()
    lines()
    findings()
    seeks()
    heat()
    ok(not find("#compared").is_displayed(), "without other runs there is nothing of them")
    ok(not find("#mpi").is_displayed(), "without MPI there is nothing of it")
    narrow()
    open_page("page.html", "#node=1")
    access.contrast(browser, same, ok)
    open_page("page.html")
    if os.path.exists(where + "/package/axe.min.js") and sys.argv[1] == "chromium":
        axe_core()
        open_page("page.html")
    access.keys_alone(browser, find, same, ok, state)
    open_page("few.html")
    ok("that took" in text("#calls-found"), "a page with few calls says which they are")
    ok("here one by one" in text("#timeline-view"), "and that there were others")
    if os.path.exists(where + "/compared.html"):
        open_page("compared.html")
        compared()


try:
    if sys.argv[3:4] == ["served"]:
        single_calls()
        browser.said()  # that the server has ended
        live()
        same(browser.said(), [], "nothing is said on the console")
    else:
        open_page("page.html")
        mpi() if sys.argv[3:] == ["mpi"] else look_at_page()
        quiet()
    print("end")
finally:
    browser.quit()
