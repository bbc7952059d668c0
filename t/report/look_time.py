# SPDX-License-Identifier: BSD-3-Clause
"""look_time.py - the timeline, processes, and what threads spent their time on."""
from selenium.webdriver import Keys

from tab import browser, cells, click, data, every, find, ok, same, state, text


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
    for view in ("#processes-view", "#timeline-view"):
        ok(browser.execute_script("""const svg = document.querySelector(arguments[0] + ' svg'), box = svg.getBoundingClientRect();
            const texts = [...svg.querySelectorAll('.mark text')].map(e => e.getBoundingClientRect());
            return texts.length == 2 && texts.every(t => t.left >= box.left && t.right <= box.right) && texts[0].right <= texts[1].left""", view),
           f"{view}: whole words, which do not overlap")
    lanes = browser.execute_script("return [...document.querySelectorAll('#timeline-view text.lane')].map(e => e.firstChild.data)")
    same(len(set(lanes)), stat["job"]["threads"], "no two lanes have one name")
    heads = [e.text for e in every("#matrix text.heat-column")]
    same(len(set(heads)), stat["job"]["processes"], "nor have columns of the heat map")
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
