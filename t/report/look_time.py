# SPDX-License-Identifier: BSD-3-Clause
"""look_time.py - the timeline, processes, and what threads spent their time on."""
from selenium.webdriver import Keys

from assertions import ok, same
from tab import browser, cells, click, data, every, find, open_page, page_with, state, text, until


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
    same(["CPU" in share for share in shares], [False, False, False, True], "processor time is that of the program that was executed, not of who executed it")
    same(len(every("#processes-view .mark")), 2, "what the program said is there")
    titles = browser.execute_script("return [...document.querySelectorAll('#processes-view .mark title')].map(e => e.textContent)")
    ok(titles[1].startswith("</script><b>\\u0085\\u202e\n"), "which are words only")
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


def idle():
    """Threads that did nothing, as MPI begins some in every rank, are left out where there are many lanes."""
    there = len(every("#timeline-view text.lane"))

    def add(all_of):
        p = all_of["picture"]
        for i in range(24):
            p["lanes"].append(dict(p["lanes"][0], tid=90000 + i, time=[0] * len(p["parts"]), bins=[[] for _ in p["parts"]]))

    page_with("idle.html", add)
    open_page("idle.html")
    same(len(every("#timeline-view text.lane")), there, "idle threads are left out")
    ok("24 threads that read, wrote and waited for nothing are left out." in text("#timeline-view"), "which the page says")
    find("#show-idle").click()
    same(len(every("#timeline-view text.lane")), there + 24, "they are there for who asks")
    ok("idle=true" in state(), "and the address says so")
    open_page("page.html")
    same(len(every("#show-idle")), 0, "where there are few lanes, all are there")


def marks():
    """Words of what the program said stand where there is room for them, whenever that was."""
    def change(all_of):
        p = all_of["picture"]
        p["marks"] = [[int(at * p["wall"]), 0, words] for at, words in
                      ((0, "first"), (.5, "to the left of its line"), (.502, "</script><b>to the right"), (.9999, "at the very end"))]

    page_with("marks.html", change)
    open_page("marks.html")
    for view in ("#processes-view", "#timeline-view"):
        words, apart = browser.execute_script("""const svg = document.querySelector(arguments[0] + ' svg'), box = svg.getBoundingClientRect();
            const texts = [...svg.querySelectorAll('.mark text')], at = texts.map(e => e.getBoundingClientRect());
            return [texts.map(e => e.textContent), at.every((t, i) => t.left >= box.left && t.right <= box.right && (!i || at[i - 1].right <= t.left))]""", view)
        same(words, ["first", "to the left of its line", "</script><b>to the right", "at the very end"], f"{view}: words, where there is room")
        ok(apart, f"{view}: whole ones, which do not overlap")
    open_page("page.html")


def hosts():
    """Lanes stand below their hosts, and no name is cut off."""
    open_page("hosts.html")
    names = browser.execute_script("""return [...document.querySelectorAll('#timeline-view text.host, #timeline-view text.lane')]
        .map(e => e.firstChild.data)""")
    wanted = []
    for host, ranks in ("node9", (0, 2)), ("node17", (1, 3)):
        wanted += [f"{host}.partition.example.org"]
        for rank in ranks:
            wanted += [f"rank {rank} ocean-model {1000 + rank}", f"rank {rank} ocean-model {1000 + rank}/{1500 + rank}"]
    same(names, wanted, "hosts, their ranks and threads")
    inside = browser.execute_script("""const svg = document.querySelector('#timeline-view svg'), left = svg.getBoundingClientRect().left;
        const end = Number(svg.querySelector(':scope > line').getAttribute('x1')) + left;
        return [...svg.querySelectorAll('text.host, text.lane')].every(e => e.getBoundingClientRect().left >= left && e.getBoundingClientRect().right <= end)""")
    ok(inside, "names have room")
    rows = browser.execute_script("return [...document.querySelectorAll('#processes-view text[font-weight=bold]')].map(e => e.textContent)")
    same(rows, [wanted[0], wanted[5]], "processes stand below them in the same order")
    # paths are of bytes and of each row, all writing
    same(len(every("#timeline-view svg > path[fill='var(--writing)']")), 1 + len(names), "each row has its colours, that of a host, too")
    open_page("page.html")


def own_times(p):
    """Calls and own time by name and file."""
    sums, open_calls, at = {}, {}, 0
    for i in range(0, len(p["calls"]), 12):
        at, (dur, lane, name, file, depth, part) = at + p["calls"][i], (p["calls"][i + k] for k in (1, 2, 3, 4, 10, 11))
        around = open_calls.setdefault(lane, [])
        del around[depth:]
        mine = [p["names"][name], file, 1, dur, part]
        if around:
            around[-1][3] -= dur
        around.append(mine)
        sums.setdefault((name, file), []).append(mine)
    of = [(made[0][0], made[0][1], len(made), sum(max(0, m[3]) for m in made)) for made in sums.values() if made[0][4] >= 0]
    return sorted(of, key=lambda row: -row[3])


def parts_of(p, call):
    """What calls of that name do: reading, writing, ..., by number."""
    name, calls = p["names"].index(call), p["calls"]
    return {calls[i + 11] for i in range(0, len(calls), 12) if calls[i + 3] == name}


def spent():
    """Own time by call and file, of all threads and of one."""
    all_of = data()
    stat = all_of["stat"]
    total = text("#timeline-view > .note:last-child")
    wanted = own_times(all_of["picture"])

    ok("waited for" in text("#timeline-view h3"), "what threads spent time on is there")
    rows = cells("#table-of-times tbody tr")
    names = {c["call"] for c in stat["calls"]}
    ok(rows and all(row[0] in names for row in rows), "by calls")
    marks_of = browser.execute_script("""return [...document.querySelectorAll('#table-of-times tbody tr')].map(r =>
        [r.cells[0].textContent, r.querySelector('.part').style.getPropertyValue('--mark')])""")
    marks = {mark for name, mark in marks_of if name in ("fflush", "write")}
    # fflush may be too fast for the rows that are shown
    ok(marks <= {"var(--writing)"}, "those that write have that colour")
    same(parts_of(all_of["picture"], "fflush"), parts_of(all_of["picture"], "write"), "a flush writes")
    shares = [float(row[2].split()[0]) for row in rows]
    ok(shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 100.5, "with their shares, the largest first")
    same([(row[0], row[3]) for row in rows], [(name, f"{n:,}") for name, file, n, time in wanted[:len(rows)]], "of how many calls they are")
    at, path = next((i, stat["files"][row[1]]["path"]) for i, row in enumerate(wanted) if 0 <= row[1] < len(stat["files"]) and stat["files"][row[1]]["path"].isascii())
    same(rows[at][4], path, "of which file")
    click(every("#table-of-times tbody tr")[at])
    same(len(every("#selection .chip")), 2, "a row chooses its call and its file")
    same(text("#calls-found").split()[0], f"{wanted[at][2]:,}", "which are the calls that are counted")
    while every("#selection .chip"):
        find("#selection .chip").send_keys(Keys.ENTER)
    same(text("#timeline-view > .note:last-child"), total, "and all is as before")


def later():
    """A call that a page fetched, and that began when its picture had been made."""
    def postpone(all_of):
        all_of["picture"]["calls"][-12] += all_of["picture"]["wall"] // 20

    page_with("later.html", postpone)
    open_page("later.html")
    beyond = browser.execute_script("""const svg = document.querySelector('#timeline-view svg'), end = svg.getAttribute('width') - 30 + 1;
        return [...svg.querySelectorAll(':scope > rect > title')].filter(e => Number(e.parentNode.getAttribute('x')) > end).map(e => e.textContent)""")
    same(beyond, [], "no call is drawn beyond the axis")


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
    until(lambda: "from=" in state())
    ok(True, "dragging chooses a time")
    calls = int(text("#calls-found").split()[0].replace(",", ""))
    p = data()["picture"]
    now = dict(part.split("=") for part in state()[1:].split("&"))
    at = expected = 0
    for i in range(0, len(p["calls"]), 12):
        at += p["calls"][i]
        expected += at <= int(now.get("to", p["wall"])) and at + p["calls"][i + 1] >= int(now.get("from", 0))
    same(calls, expected, "calls are those of that time")
    find("#selection .chip").send_keys(Keys.ENTER)
