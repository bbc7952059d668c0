# SPDX-License-Identifier: BSD-3-Clause
"""look_compared.py - what differs from another run."""
from selenium.webdriver import Keys

from assertions import ok, same
from look_whole import axe_core, narrow
from tab import browser, cells, data, every, find, state


def compared():
    diff = data()["diff"]["differences"]
    job = {d["measure"]: d for d in diff if d["table"] == "job"}
    rows = {row[0]: row for row in cells("#compared-job tbody tr")}
    heads = browser.execute_script("return [...document.querySelectorAll('#compared-view th')].map(e => e.textContent)")
    ok(len(heads) == 12 and all(heads), "each column of its tables has a title")

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
    axe_core("another run")
