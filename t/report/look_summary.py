# SPDX-License-Identifier: BSD-3-Clause
"""look_summary.py - numbers, names and findings."""
import re

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from assertions import ok, same
from tab import browser, cells, click, data, every, find, open_page, page_with, state, text


def each_has_one(found, articles, what):
    """Whether each finding has an article, wherever that stands: those of one title are folded, as are many that took long on a busy machine."""
    ok(all(any(f["title"] in a and f["text"] in a for a in articles) for f in found), what)


def look_at_numbers():
    all_of = data()
    stat, picture = all_of["stat"], all_of["picture"]
    facts = dict(zip([e.text for e in every("#facts dt")], [e.text for e in every("#facts dd")]))

    same(text("#title"), "program", "the title is the program's name")
    same(facts["calls"], f"{stat['job']['calls']:,}", "the number of calls")
    same(facts["calls that failed"], f"{stat['job']['errors']:,}", "those that failed")
    files = sum(f["path"] != "(no file)" for f in stat["files"])
    same(facts["files"], f"{files:,}", "the number of files, of which no file is none")
    ok(files < len(stat["files"]) and text("#files-found").startswith(f"{files} of {files} files"), "so it stands below their table")
    ok(text("#subtitle").count("run") == (stat["job"]["runs"] > 1), "of one run nothing is said")
    articles = browser.execute_script("""return [...document.querySelectorAll('#list-of-findings > article, #list-of-findings > details > article')]
        .map(e => e.textContent)""")
    same(len(articles), len(stat["findings"]), "an article for each finding")
    each_has_one(stat["findings"], articles, "each has its title")
    leak = next(f for f in stat["findings"] if f["id"] == "leaked")
    article = next(a for a in articles if leak["title"] in a)
    ok('open("table.txt", O_RDONLY)' in article, "and the source of that")
    ok(f"leak (program.c:{leak['site']['line']})" in article, "and its line")
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


def look_at_names():
    names = [row[0] for row in cells("#table-of-files tbody tr")]

    ok(any('/<img src=x onerror="window.broken=1">' in n for n in names), "a name with HTML is a name")
    ok(any("\\u202eround\\u001b]0;title\\u0007" in n for n in names), "nothing turns round or rings")
    ok(not any(re.search("[\u202a-\u202e\u0000-\u0008\u001b]", n) for n in names), "no name has characters that are obeyed")
    ok(any(n.endswith("/heaped\u0301\u0301\u0301" + "\\u0301" * 3) for n in names), "a letter has no heap of marks")
    same(browser.execute_script("return window.broken"), None, "no name was run")
    same(browser.execute_script("return document.images.length"), 0, "or made a picture")


def added_up():
    """Findings that cost next to nothing, of which the list has the sum."""
    def add_up(all_of):
        found = all_of["stat"]["findings"]
        for f in found:
            f["severity"] = "cost"
            f.pop("findings", None)
        found[0].update(below=True, others=1234, path="/some/place", saves=[.0711, .07112],
                        sites=[{"module": "/lib/libx.so", "offset": 0xab071}, {"func": "main", "module": "/bin/x", "offset": 16}])
        all_of["stat"]["findings"] = [{"id": "minor", "severity": "info", "title": "the sum", "text": "many", "seconds": 1, "count": len(found), "findings": found}]

    def turn_round(all_of):
        found = all_of["stat"]["findings"]
        found.insert(0, {**found[-1], "severity": "info", "title": "no fault", "seconds": 1e6})

    page_with("turned.html", turn_round)
    open_page("turned.html")
    titles = [e.text for e in every("#list-of-findings h3") if e.is_displayed()]
    ok("no fault" not in titles[0] and any("no fault" in title for title in titles[1:]), "what is no fault comes last")
    page_with("minor.html", add_up)
    open_page("minor.html")
    displayed = lambda: [e.text for e in every("#list-of-findings article") if e.is_displayed()]
    same(len(displayed()), 1, "what costs next to nothing is one finding")
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    found = data()["stat"]["findings"][0]["findings"]
    same(len(displayed()), 1 + len(found), "on paper they are there one by one")
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    summary = find("#list-of-findings summary")
    summary.send_keys(Keys.ENTER)
    for more in every("#list-of-findings details details"):
        browser.execute_script("arguments[0].open = true", more)
    shown = displayed()[1:]
    same(len(shown), len(found), "and there for who asks")
    each_has_one(found, shown, "each with its title")
    ok("below /some/place and 1,234 more: " in shown[0], "one of many files says so")
    ok("saves 71.1 ms" in shown[0] and "71.1 ms to" not in shown[0], "an estimate whose ends are the same is one number")
    ok("libx.so + 0xab071 < main (x)" in shown[0], "code without a name has its place")
    click(next(e for e in every("#list-of-findings details button") if e.is_displayed()))
    ok(state(), "each leads to what it is about")
    open_page("page.html")


def nameless():
    """A finding about functions of which only the place is known."""
    def strip(all_of):
        places, finding = {}, all_of["stat"]["findings"][0]
        for node in all_of["picture"]["nodes"][1:]:
            offset = places.setdefault(tuple(node[1:4]), 16 * len(places) + 16)
            node[1:4] = [None, f"/bin/stripped + {offset:#x}", 0]
        del finding["path"]
        finding.update(text="done by fsync()", call="fsync",
                       sites=[{"module": "/bin/stripped", "offset": places[s["func"], s["file"], s["line"]]} for s in finding["sites"]])

    page_with("nameless.html", strip)
    open_page("nameless.html")
    shown = next(e for e in every("#list-of-findings article") if "done by" in e.text)
    ok("fsync()" not in shown.text.replace("done by fsync()", ""), "a call is named once")
    click(shown.find_elements(By.TAG_NAME, "button")[0])
    ok("call=fsync" in state() and "inner=stripped + 0x" in state(), "functions without names lead to their calls")
    ok(text("#calls-found").startswith("200 calls"), "all of them")
    open_page("page.html")


def findings():
    click(next(e for e in every(".finding button") if e.is_displayed()))
    ok(state(), "a finding leads to what it is about")
    find("#selection .chip").send_keys(Keys.ENTER)
