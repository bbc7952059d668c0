# SPDX-License-Identifier: BSD-3-Clause
"""look_lines.py - lines of the program."""
from selenium.webdriver import Keys

from assertions import ok, same
from tab import browser, cells, data, every, find, open_page, state, text, until


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
    find("#icicle-by option[value=calls]").click()  # whatever took how long, these are many
    totals = set()
    for way in ("treemap", "inwards", "outwards"):
        find(f"#icicle-way option[value={way}]").click()
        totals.add(text("#lines-sum").split(". ")[0])
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
    until(lambda: every("#selection .chip"))
    process = stat["processes"][0]
    for by, total in (("bytes", process["read"] + process["written"]), ("time", process["io"] + process["waiting"])):
        find(f"#icicle-by option[value={by}]").click()
        drawn = browser.execute_script("return document.querySelector('#lines-view g title').textContent").split(": ")[-1].split(",")[0]
        number, unit = drawn.split()
        size = float(number) * {"B": 1, "KiB": 1024, "MiB": 1 << 20, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
        ok(abs(size - total) <= .01 * total, f"{by} of a process' functions are its own")
    find("#selection .chip").send_keys(Keys.ENTER)
