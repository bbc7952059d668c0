# SPDX-License-Identifier: BSD-3-Clause
"""look_saved.py - what is saved of pictures: as SVG, and their data as csv."""
import csv
import io

from assertions import ok, same
from tab import browser, cells, click, data, every, find, open_page, text

# A link that is clicked to save something is asked for its name and contents instead.
SAVED = """
    const was = HTMLAnchorElement.prototype.click, got = [];
    HTMLAnchorElement.prototype.click = function() {
        got.push([this.download, decodeURIComponent(this.href.slice(this.href.indexOf(',') + 1))]);
    };
    try {
        for (const b of document.querySelectorAll('button'))
            if (b.textContent === arguments[0])
                b.click();
    } finally {
        HTMLAnchorElement.prototype.click = was;
    }
    return got;"""


def tables():
    """The tables that can be saved, by name: a list of rows, the first one of names."""
    return {name: list(csv.reader(io.StringIO(contents))) for name, contents in browser.execute_script(SAVED, "Save as csv")}


def pictures(names):
    found = dict(browser.execute_script(SAVED, "Save as SVG"))
    same(sorted(found), sorted(n + ".svg" for n in names), "each picture can be saved")
    same([n for n, svg in found.items() if not svg.startswith("<svg") or "var(" in svg], [], "with the colours that it has")


def sums(rows, key, value):
    """What a column comes to, by another one."""
    of = {}
    for row in rows[1:]:
        of[row[rows[0].index(key)]] = of.get(row[rows[0].index(key)], 0) + int(row[rows[0].index(value)])
    return of


def saved():
    open_page("page.html")
    all_of = data()
    picture, files = all_of["picture"], [f["path"] for f in all_of["stat"]["files"]]
    drawn = ["timeline", "processes", "lines", "seeks", "matrix", "files-by-time", "processes-by-time"]
    pictures(drawn)
    found = tables()
    same(sorted(n for n in drawn if n + ".csv" not in found), [], "so can the data of each picture")
    same([n for n, rows in found.items() if len(rows) < 2 or {len(r) for r in rows} != {len(rows[0])}], [], "tables have rows, all as long")
    spent = {part: sum(lane["time"][i] for lane in picture["lanes"]) for i, part in enumerate(picture["parts"])}
    same(sums(found["timeline.csv"], "what", "ns"), {part: ns for part, ns in spent.items() if ns}, "what lanes spent their time on")
    ok(f"{len(found['seeks.csv']) - 1:,} seeks" in text("#seeks-found"), "as many seeks as the picture has")
    same(len(found["lines.csv"]) - 1, len(every("#lines-view svg g")), "a function for each box")
    rows = every("#table-of-files tbody tr")
    click(rows[next(i for i, row in enumerate(cells("#table-of-files tbody tr")) if row[0].endswith("/table.txt"))])
    pictures(drawn + ["addresses", "sizes", "durations"])
    found = tables()
    same(len(found["addresses.csv"]) - 1, len(every("rect.access")), "accesses of a file")
    calls = [picture["calls"][i:i + 12] for i in range(0, len(picture["calls"]), 12)]
    calls = [(picture["names"][c[3]], c[7], c[11]) for c in calls if c[4] >= 0 and files[c[4]].endswith("/table.txt") and c[7] >= 0]
    layers = {"stdio": ["fprintf"], "system calls": ["write", "pread"]}
    same(sorted({name for name, _, part in calls if part in (0, 1)}), sorted(sum(layers.values(), [])), "calls that read and write it")
    for name in "sizes", "durations":
        for layer, names in layers.items():
            rows = [r for r in found[name + ".csv"][1:] if r[0] == layer]
            same([sum(int(r[i]) for r in rows) for i in (2, 3)], [sum(c[0] in names and c[2] == part for c in calls) for part in (0, 1)],
                 f"{name} of its reads and writes: {layer}")
        same([e.text for e in every(f"svg.{name} text.layer")], list(layers), f"{name}: layers have their names")
        marks = [e.text for e in every(f"svg.{name} text:not(.layer)") if not e.get_attribute("text-anchor")]
        same(sum(int(m.replace(",", "")) for m in marks), sum(c[2] in (0, 1) for c in calls), f"and {name} as the picture counts them")
    # by sizes of powers of two, writes of 16 bytes: all bytes of the file, once in each layer
    table = next(f for f in all_of["stat"]["files"] if f["path"].endswith("/table.txt"))
    same([[int(r[1]) * int(r[3]) for r in found["sizes.csv"][1:] if r[0] == layer and int(r[3])] for layer in layers],
         [[table["lib_written"]], [table["written"]]], "each byte counts once in each layer")
    find("#selection .chip").click()
