# SPDX-License-Identifier: BSD-3-Clause
"""look_files.py - the table of files, seeks and heat maps."""
from selenium.webdriver import Keys

from assertions import ok, same
from tab import browser, cells, click, data, every, find, open_page, page_with, state, text


def colours_of_lanes():
    """Calls of a file that are too many to be drawn one by one colour the lanes."""
    p = data()["picture"]
    table = next(i for i, f in enumerate(data()["stat"]["files"]) if f["path"].endswith("/table.txt"))
    calls = sum(p["calls"][i + 4] == table for i in range(0, len(p["calls"]), 12))
    found = browser.execute_script("""const svg = document.querySelector('#timeline-view svg');
        return [svg.querySelectorAll(':scope > rect').length, [...svg.querySelectorAll(':scope > path[fill]')].map(e => e.getAttribute('fill'))]""")
    ok(calls > 4000 and found[0] < 10, "calls of the file are too many to be drawn")
    # two are of the bytes; reading, writing and metadata are of threads
    ok(len(found[1]) > 5 and set(found[1]) >= {"var(--reading)", "var(--writing)", "var(--metadata)"}, "so lanes have colours")


def choose():
    rows = every("#table-of-files tbody tr")
    at = next(i for i, row in enumerate(cells("#table-of-files tbody tr")) if row[0].endswith("/table.txt"))

    click(rows[at])
    ok("file=" in state(), "a file that is chosen is in the address")
    same(len(every("#selection .chip")), 1, "and above the page")
    ok(text("#chosen-file").endswith("/table.txt"), "its name heads its pictures")
    ok(len(every("rect.access")) > 100, "its accesses are drawn")
    colours_of_lanes()
    found = {row[4].split("/")[-1] for row in cells("#calls-view tbody tr")}
    same(found, {"table.txt"}, "calls are those of the file")
    before = (state(), text("#calls-found"))
    open_page("page.html", before[0])
    same((state(), text("#calls-found")), before, "the address brings all that back")
    find("#selection .chip").send_keys(Keys.ENTER)
    same((state(), len(every("#selection .chip"))), ("", 0), "and Enter takes it back")


def no_file():
    """The row of calls that are about no file."""
    rows = cells("#table-of-files tbody tr")
    at = next(i for i, row in enumerate(rows) if row[0] == "(no file)")

    click(every("#table-of-files tbody tr")[at])
    same(text("#calls-found").split()[0], rows[at][2], "calls that are about no file are there")
    same({row[4] for row in cells("#calls-view tbody tr")}, {""}, "without a name")
    same([e.text for e in every("#timeline-view svg > text:not(.lane)")], ["0", "of the file"], "no bytes are said of them")
    ok("Nothing of what is selected" in text("#lines-view") or every("#lines-view svg g"), "no picture is empty")
    find("#selection .chip").send_keys(Keys.ENTER)


def missing():
    """Which file is missing: calls that found none, by what is searched."""
    find("#search-calls").send_keys("ENOENT")
    same([(row[3], row[4].split("/")[-1], row[7]) for row in cells("#calls-view tbody tr")], [("stat", "missing", "ENOENT")], "ENOENT finds the file that is missing")
    find("#search-calls").send_keys(Keys.BACKSPACE * 6 + "^_exit")
    same({row[1] for row in cells("#calls-view tbody tr")}, {"?"}, "how long a call took that did not come back is not known")
    find("#search-calls").send_keys(Keys.BACKSPACE * 6)
    failed = find("#calls-view input[type=checkbox]")
    failed.click()
    same({row[4].split("/")[-1] for row in cells("#calls-view tbody tr")}, {"missing"}, "so does the choice of calls that failed")
    failed.click()
    click(next(e for e in every("#table-of-files th button") if e.text.split()[0] == "failed"))
    same(cells("#table-of-files tbody tr")[0][0].split("/")[-1], "missing", "and the table of files, by how many failed")
    click(next(e for e in every("#table-of-files th button") if e.text.split()[0] == "time"))


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


def marked():
    """How many pieces of files have the colours of reading and writing."""
    return browser.execute_script("""return ['reading', 'writing'].map(what => [...document.querySelectorAll('#seeks-view .accesses')]
        .filter(e => e.getAttribute('fill') === 'var(--' + what + ')').reduce((n, e) => n + e.getAttribute('d').split('M').length - 1, 0))""")


def unknown():
    """Writing to a file in memory is no time of I/O, and of reads within libc the number is not known."""
    def change(all_of):
        p = all_of["picture"]
        p["calls"][11::12] = [-1] * (len(p["calls"]) // 12)
        next(f for f in all_of["stat"]["files"] if f["path"].endswith("/table.txt"))["reads"] = 0

    before = marked()
    ok("is not known" not in text("#files-view"), "all numbers of calls are known")
    page_with("memory.html", change)
    open_page("memory.html")
    same(marked(), before, "whatever time went to, reads are reads and writes are writes")
    same([row[5] for row in cells("#table-of-files tbody tr") if row[0].endswith("/table.txt")], ["?"], "a number that is not known is none")
    ok("how many they were is not known" in text("#files-view"), "the page says why")
    open_page("page.html")


def seeks():
    all_of = data()
    stat, p = all_of["stat"], all_of["picture"]
    last, moves, between, files = {}, [0, 0], 0, set()
    for i in range(0, len(p["calls"]), 12):
        lane, name, file, offset, size, err = (p["calls"][i + k] for k in (2, 3, 4, 6, 7, 9))
        if p["names"][name] not in ("read", "write", "pread", "pwrite", "pread64", "pwrite64") or file < 0 or offset < 0 or size < 1 or err:
            continue
        moves["write" in p["names"][name]] += 1
        files.add(file)
        between += lane in last and last[lane] != (file, offset)
        last[lane] = (file, offset + size)
    ok(text("#seeks-found").startswith(f"{sum(moves):,} reads and writes of {len(files)} files, with {between:,} seeks"), "reads, writes and seeks are counted")
    same(len(every(".file-box")), len(files), "a box for each file")
    drawn = browser.execute_script("return [...document.querySelectorAll('#seeks-view .seeks')].map(e => e.getAttribute('d').split('M').length - 1)")
    same(sum(drawn), between, "a line for each seek")
    names = browser.execute_script("return [...document.querySelectorAll('#seeks-view text.over')].map(e => e.textContent)")
    ends = {f["path"].rsplit("/", 1)[-1] for f in stat["files"]}
    ok(names and all(n.rsplit("/", 1)[-1].lstrip("…") in ends for n in names), f"names of boxes are whole words: {names}")
    # what goes on in the next row has two
    ok(all(n <= pieces <= n + 9 for n, pieces in zip(moves, marked())), f"each is in its file: {moves}, {marked()}")
    box = next(e for e in every(".file-box") if e.get_attribute("data-label").endswith("/journal.db"))
    browser.execute_script("arguments[0].focus()", box)
    box.send_keys(Keys.ENTER)
    ok("file=" in state(), "Enter chooses a box' file")
    ok(text("#seeks-found").startswith("200 reads and writes of 1 file, with 0 seeks"), "what goes in order has no seeks")
    find("#selection .chip").send_keys(Keys.ENTER)


# x of the place in the map's picture, and a function that sends an event to it, in row arguments[1]
POINT = """
    const svg = document.querySelector(arguments[0] + ' svg.heat'), box = svg.getBoundingClientRect();
    const line = svg.querySelector('line[stroke-width="0.4"]'), left = Number(line.getAttribute('x1')), right = Number(line.getAttribute('x2'));
    const y = box.top + Number(svg.querySelectorAll('.heat-row')[arguments[1]].getAttribute('y')) - 5;
    const send = (kind, name, x) => svg.dispatchEvent(new kind(name, {clientX: box.left + x, clientY: y, bubbles: true}));
    const says = () => svg.parentElement.parentElement.querySelector('.heat-says').textContent;
"""


def said_of_column(row, column):
    """What the matrix says of a cell: names of columns stand in their middle."""
    return browser.execute_script(POINT + """
        send(PointerEvent, 'pointermove', Number(svg.querySelectorAll('.heat-column')[arguments[2]].getAttribute('x')));
        return says();""", "#matrix", row, column)


def said_of_bin(heat_map, row, share):
    """What a map says of a moment, which is a share of the job's time."""
    return browser.execute_script(POINT + "send(PointerEvent, 'pointermove', left + arguments[2] * (right - left)); return says();", heat_map, row, share)


def click_in_middle(heat_map, row):
    """The share of the job's time that was clicked: clicks are at whole pixels."""
    return browser.execute_script(POINT + """
        const x = Math.round(box.left + (left + right) / 2) - box.left;
        send(MouseEvent, 'click', x);
        return (x - left) / (right - left);""", heat_map, row)


def heat():
    all_of = data()
    stat, picture = all_of["stat"], all_of["picture"]
    rows = browser.execute_script("return [...document.querySelectorAll('#matrix .heat-row')].map(e => e.getAttribute('data-label'))")
    heads = [e.text for e in every("#matrix .heat-column")]

    same(len(heads), stat["job"]["processes"], "the matrix has a column for each process")
    same(len(rows), sum(1 for f in stat["files"] if f["read"] + f["written"] and f["path"] != "(no file)"), "and a row for each file")
    journal = next(i for i, n in enumerate(rows) if n.endswith("/journal.db"))
    f = next(f for f in stat["files"] if f["path"].endswith("/journal.db"))
    ok(said_of_column(journal, 0).endswith(f"/journal.db: {f['written'] // 1024} KiB"), "a cell says its bytes")
    find("#heat-by option[value=calls]").click()
    rows = browser.execute_script("return [...document.querySelectorAll('#matrix .heat-row')].map(e => e.getAttribute('data-label'))")
    table = next(i for i, n in enumerate(rows) if n.endswith("/table.txt"))
    said = [int(said_of_column(table, i).split(": ")[1].replace(",", "")) for i in range(len(heads))]
    same(sum(said), next(f for f in stat["files"] if f["path"].endswith("/table.txt"))["calls"], "calls of a file, by process, are all its calls")
    find("#heat-by option[value=written]").click()
    bins = next(f for f in picture["files"] if stat["files"][f["row"]]["path"].endswith("/journal.db"))["written"]
    rows = browser.execute_script("return [...document.querySelectorAll('#files-by-time .heat-row')].map(e => e.getAttribute('data-label'))")
    journal = next(i for i, n in enumerate(rows) if n.endswith("/journal.db"))
    said = said_of_bin("#files-by-time", journal, (bins[0] + .5) / picture["bins"])
    ok(said.endswith(f": {bins[1]} B") if bins[1] < 1024 else said.endswith("KiB"), "bytes by time")
    ok(every("#files-by-time .level") and every("#processes-by-time .level"), "maps by time have colours")
    clicked = int(click_in_middle("#processes-by-time", 0) * picture["bins"])
    ok(f"from={clicked * picture['width']}&" in state() and "process=" in state(), "a click chooses a time and a process")
    while every("#selection .chip"):
        find("#selection .chip").send_keys(Keys.ENTER)
    row = every("#files-by-time .heat-row")[0]
    browser.execute_script("arguments[0].focus()", row)
    row.send_keys(Keys.ENTER)
    ok("file=" in state(), "Enter chooses a file")
    same(len(every("#matrix .heat-row")), 1, "and only that one stays")
    find("#selection .chip").send_keys(Keys.ENTER)
    same(len(every("#processes-by-time .heat-row")), stat["job"]["processes"], "a row for each process")
