#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""browser.py BROWSER DIRECTORY [PART] - looks at pages there with chromium or firefox, and clicks.

Without PART at page.html and, with chromium or TEST_LONG=1, at few.html, compared.html and others; with mpi at page.html, of
ranks; with served and iotrace-report at pages of its --serve.  Prints "ok what" and "not ok what", and "end" at the end.

tab.py has the browser, look_*.py what is looked at.
"""
import os
import sys

from assertions import ok, same
from look_compared import compared
from look_files import choose, heat, missing, no_file, search, seeks, unknown
from look_lines import lines
from look_mpi import mpi
from look_saved import saved
from look_served import live, single_calls, unnamed
from look_summary import added_up, findings, look_at_names, look_at_numbers, nameless
from look_time import hosts, idle, later, look_at_processes, marks, spent, times
from look_whole import address, all_can_use, keys, names_fit, narrow, quiet
from tab import browser, cells, click, data, every, find, open_page, page_with, state, text, where


def look_at_page():
    look_at_numbers()
    look_at_processes()
    marks()
    hosts()
    idle()
    spent()
    look_at_names()
    choose()
    keys()
    times()
    no_file()
    missing()
    search()
    lines()
    findings()
    added_up()
    nameless()
    seeks()
    unknown()
    heat()
    ok(not find("#compared").is_displayed(), "without other runs there is nothing of them")
    ok(not find("#mpi").is_displayed(), "without MPI there is nothing of it")
    same([e.get_attribute("href").split("#")[1] for e in every("nav a") if not e.is_displayed()], ["compared", "mpi"], "nor a link to either")
    narrow()
    names_fit()
    address()
    all_can_use()
    saved()


def look_at_others():
    """Pages of other logs."""
    open_page("few.html")
    ok("that took" in text("#calls-found"), "a page with few calls says which they are")
    ok("here one by one" in text("#timeline-view"), "and that there were others")
    files = {f["path"]: f for f in data()["stat"]["files"] if f["located"]}
    shares = {row[0]: row[9] for row in cells("#table-of-files tbody tr")}
    ok(all(abs(float(shares[path][:-2]) - 100 * f["consecutive"] / f["located"]) <= .5 for path, f in files.items() if path in shares),
       "what share of a file's calls was in order")
    page_with("longest.html", lambda all_of: all_of["picture"].update(shortest=1))
    open_page("longest.html")
    ok("the list of files says how many calls were in order" in text("#seeks-found") and " jumps " in text("#seeks-found"),
       "where calls are missing, no line is said to be a seek")
    later()
    open_page("alike.html")
    same([e.text for e in every("#list-of-findings > details > summary")], ["3 more: " + data()["stat"]["findings"][0]["title"]], "findings that are alike are folded")
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    same(len([e for e in every("#list-of-findings article") if e.is_displayed()]), 6, "on paper all are there")
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    same(len([e for e in every("#list-of-findings article") if e.is_displayed()]), 3, "and folded again behind that")
    click(find("#list-of-findings > details > summary"))
    same(len([e for e in every("#list-of-findings article") if e.is_displayed()]), 6, "and there for who asks")
    click(every("#list-of-findings article button")[5])
    ok("file=" in state(), "each leads to its file")
    open_page("queued.html")
    ok(text("#seeks-found").startswith("24 reads and writes of 1 file, with 0 jumps"), "operations have their places in files")
    picture = data()["picture"]
    calls = [picture["calls"][i:i + 12] for i in range(0, len(picture["calls"]), 12)]
    same({c[11] for c in calls if picture["names"][c[3]] == "completion"}, {picture["parts"].index("writing")}, "what they wrote is writing")
    open_page("none.html")
    same(text("#subtitle"), "no call is on record", "a page of a log without calls says so")
    open_page("many.html")
    ok("2,000 of 2,000 files that are here, those with the most time of 2,100" in text("#files-found"), "a page of many files says how many there are")
    ok("Files that the list above leaves out are missing." in text("#seeks-found"), "and draws those that it has")
    ok(" of the first 400 of 2,000 files, " in text("#seeks-found"), "as many as there is room for, which it says")
    ok("/data/part" in text("#files-by-time") and "of 2,100 files the map has 30" in text("#heat-view"), "and in heat maps files that are listed")
    listed = {f["path"] for f in data()["stat"]["files"]}
    on = {row[4] for row in cells("#table-of-calls tbody tr")}
    ok(on - listed and on <= {"/data/part%04d" % n for n in range(100, 2200)}, "calls on others have their names")
    same({row[9] for row in cells("#table-of-files tbody tr")}, {"100 %"}, "a file's first call is in order")
    other = sorted(on - listed)[0]
    ok("found by their names, below" in text("#files-found"), "and can be searched, as the list says")
    find("#search-calls").send_keys(other + "( |$)")
    same({row[4] for row in cells("#table-of-calls tbody tr")}, {other}, "by their names")
    click(find("#list-of-findings button"))
    ok("calls=/data" in state(), "a finding about a directory leads to calls on what is in it")
    open_page("twice.html")
    ok(text("#subtitle").split(", ")[-2] == "in 2 runs", "of how many runs the logs are")
    if os.path.exists(where + "/compared.html"):
        open_page("compared.html")
        compared()


try:
    if sys.argv[3:4] == ["served"]:
        single_calls()
        browser.get("about:blank")  # no page asks a server that has ended
        browser.said()
        unnamed()
        live()
        same(browser.said(), [], "nothing is said on the console")
    else:
        open_page("page.html")
        if sys.argv[3:] == ["mpi"]:
            mpi()
        else:
            look_at_page()
            # another browser shows much the same of them
            if sys.argv[1] == "chromium" or os.environ.get("TEST_LONG"):
                look_at_others()
        quiet()
    print("end")
finally:
    browser.quit()
