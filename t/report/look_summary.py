# SPDX-License-Identifier: BSD-3-Clause
"""look_summary.py - numbers, names and findings."""
import re

from selenium.webdriver import Keys

from assertions import ok, same
from tab import browser, cells, click, data, every, find, state, text


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


def look_at_names():
    names = [row[0] for row in cells("#table-of-files tbody tr")]

    ok(any('/<img src=x onerror="window.broken=1">' in n for n in names), "a name with HTML is a name")
    ok(any("\\u202eround\\u001b]0;title\\u0007" in n for n in names), "nothing turns round or rings")
    ok(not any(re.search("[\u202a-\u202e\u0000-\u0008\u001b]", n) for n in names), "no name has characters that are obeyed")
    ok(any(n.endswith("/heaped\u0301\u0301\u0301" + "\\u0301" * 3) for n in names), "a letter has no heap of marks")
    same(browser.execute_script("return window.broken"), None, "no name was run")
    same(browser.execute_script("return document.images.length"), 0, "or made a picture")


def findings():
    click(next(e for e in every(".finding button")))
    ok(state(), "a finding leads to what it is about")
    find("#selection .chip").send_keys(Keys.ENTER)
