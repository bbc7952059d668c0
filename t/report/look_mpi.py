# SPDX-License-Identifier: BSD-3-Clause
"""look_mpi.py - MPI-IO, on a page of ranks."""
import csv
import io

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from assertions import ok, same
from look_saved import SAVED
from look_whole import printed
from tab import browser, cells, click, data, every, find, state


def saved(late):
    """What is saved of the pictures of late calls, and of the table of ranks."""
    def got(what, suffix):
        return [contents for name, contents in browser.execute_script(SAVED, what) if name == suffix]

    tables = [list(csv.reader(io.StringIO(text))) for text in got("Save as csv", "late.csv")]
    same([rows[0] for rows in tables], [["rank", "came_ns", "in_call_ns"]] * len(tables), "csv of late calls has titles")
    same([[[int(n) for n in row[1:]] for row in rows[1:]] for rows in tables],
         [[[m["members"][i + 1] - m["members"][1], m["members"][i + 2]] for i in range(0, len(m["members"]), 3)] for m in late[:len(tables)]],
         "and when each rank came, and how long it was in the call")
    pictures = got("Save as SVG", "late.svg")
    ok(len(pictures) == len(tables) == len(every("svg.meeting")) and all(svg.startswith("<svg") and "var(" not in svg for svg in pictures),
       "a picture of each, with its colours")
    same(len(list(csv.reader(io.StringIO(got("Save as csv", "mpi.csv")[0])))), 1 + len(every("#table-of-ranks tbody tr")), "csv of ranks has a row for each")


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
    saved(late)
    first = late[0]["members"]
    begin, end = first[1], max(first[i + 1] + first[i + 2] for i in range(0, len(first), 3))
    waits = [float(e.get_attribute("width")) for e in every("svg.meeting")[0].find_elements(By.CSS_SELECTOR, ".waits")]
    whole = browser.execute_script("return document.getElementById('mpi-view').clientWidth") - 2 - 170 - 40
    ok(all(abs(w - (min(first[-2], first[3 * i + 1] + first[3 * i + 2]) - first[3 * i + 1]) * whole / (end - begin)) < 2
           for i, w in enumerate(waits)), "as long as they waited")
    does = [("_read", "reading"), ("_write", "writing"), ("", "metadata")]
    same([e.get_attribute("fill") for e in every("svg.meeting > g:last-child > .takes")],
         [next(f"var(--{part})" for name, part in does if name in m["call"]) for m in late[:12]], "in the colour of what the call does")
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
    cut_off = browser.execute_script(
        "return [...document.querySelectorAll('th')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)")
    same(cut_off, [], "nor is a title of a column")
    names = [e.text for e in every("#matrix .heat-column")]
    same(len(set(names)), len(names), "no two columns of the matrix have one name")
    printed()
