# SPDX-License-Identifier: BSD-3-Clause
"""look_compared.py - what differs from another run."""
from selenium.webdriver import Keys

from assertions import ok, same
from look_whole import axe_core, narrow
from look_saved import sums, tables
from tab import browser, cells, click, data, every, find, state, until

RUNS = "before", "after"


def of_runs(css):
    """The texts of what is in each of the two timelines."""
    return [browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(e => e.firstChild.textContent)",
                                   f"#timeline-{run} {css}") for run in RUNS]


def calls_in(run, chosen):
    """How many calls a run's data have that are so."""
    p, at, n = run["picture"], 0, 0
    for i in range(0, len(p["calls"]), 12):
        at += p["calls"][i]
        n += chosen(p, at, *p["calls"][i + 1:i + 5])
    return n


def path_of(run, file):
    """A file's name."""
    return run["stat"]["files"][file]["path"] if 0 <= file < len(run["stat"]["files"]) else "no file"


def timelines():
    """Both runs stand beside each other on one scale, and what is chosen is chosen in both."""
    all_of = data()
    runs = all_of["before"], all_of
    longest = max(run["picture"]["wall"] for run in runs)

    same([names[0].split(",")[0] for names in of_runs("h3")], ["Before: logs", "After: less"], "each run has a timeline")
    axes, heights = of_runs(".axis text"), of_runs("svg > text:not(.lane)")
    ok(axes[0] and axes[0] == axes[1], "on one scale of time")
    ok(heights[0] and heights[0] == heights[1], "and one of bytes a second")
    same([len(names) for names in of_runs("text.lane")], [run["stat"]["job"]["threads"] for run in runs], "with a lane for each thread")
    found = tables()
    for name, run in ("timeline-before.csv", runs[0]), ("timeline.csv", runs[1]):
        spent = {part: sum(lane["time"][i] for lane in run["picture"]["lanes"]) for i, part in enumerate(run["picture"]["parts"])}
        same(sums(found[name], "what", "ns"), {part: ns for part, ns in spent.items() if ns}, f"{name}: what lanes spent their time on")

    # the longer one goes on where the other one has ended
    ends = browser.execute_script("""return arguments[0].map(run => Math.max(...[...document.querySelectorAll('#timeline-' + run + ' line.lived')]
        .map(e => Number(e.getAttribute('x2')))))""", RUNS)
    share = runs[1]["picture"]["wall"] / runs[0]["picture"]["wall"]
    left = float(find("#timeline-before svg > line:not(.lived)").get_attribute("x1"))
    ok(abs((ends[1] - left) / (ends[0] - left) - share) < .02, "a run that takes less time is as much shorter")

    # a thread of the run before, whose number is another one
    label = next(e for e in every("#timeline-before text.lane") if "/" in e.text)
    browser.execute_script("arguments[0].focus()", label)
    label.send_keys(Keys.ENTER)
    lanes = of_runs("text.lane")
    same([[name.split("/")[-1] for name in names] for names in lanes],
         [[str(run["picture"]["lanes"][next(i for i, lane in enumerate(run["picture"]["lanes"]) if lane["tid"] != lane["pid"])]["tid"])] for run in runs],
         "Enter chooses a thread in both runs")
    find("#selection .chip").send_keys(Keys.ENTER)

    # a file, and a call
    at, path = next((i, r[4]) for i, r in enumerate(cells("#table-of-times-before tbody tr")) if r[0] == "pread")
    click(every("#table-of-times-before tbody tr")[at])
    same(len(every("#selection .chip")), 2, "a row of the run before chooses its call and its file")
    for run, name in zip(runs, ("-before", "")):
        place = next(i for i, f in enumerate(run["stat"]["files"]) if f["path"] == path)
        wanted = calls_in(run, lambda p, at, dur, lane, name, file: p["names"][name] == "pread" and file == place)
        same([r[3] for r in cells(f"#table-of-times{name} tbody tr")], [f"{wanted:,}"], f"which are the calls of each run{name}")
    while every("#selection .chip"):
        find("#selection .chip").send_keys(Keys.ENTER)

    end = int(longest * .1)
    browser.execute_script("location.hash = arguments[0]", f"#from=1&to={end}")
    until(lambda: every("#selection .chip"))
    for run, name in zip(runs, ("-before", "")):
        # names that the page shows otherwise than they are have no place here: a slow disk brings their rows among the first
        names = {path_of(run, file) for file in range(-1, len(run["stat"]["files"]))}
        rows = [r for r in cells(f"#table-of-times{name} tbody tr") if r[4] in names]
        ok(rows and all(int(r[3].replace(",", "")) == calls_in(run, lambda p, at, dur, lane, name, file: p["names"][name] == r[0] and
            at <= end and at + dur >= 1 and path_of(run, file) == r[4]) for r in rows), f"calls are those of a time that is chosen{name}")
    click(find("#all-time"))
    same(state(), "", "all of the time is that of the longer run")


def compared():
    timelines()
    all_of = data()
    diff = all_of["diff"]["differences"]
    job = {d["measure"]: d for d in diff if d["table"] == "job"}
    rows = {row[0]: row for row in cells("#compared-job tbody tr")}
    heads = browser.execute_script("return [...document.querySelectorAll('#compared-view th')].map(e => e.textContent)")
    ok(len(heads) == 12 and all(heads), "each column of its tables has a title")

    same(rows["calls"][1:3], [f"{job['calls']['before'][0]:,}", f"{job['calls']['after'][0]:,}"], "calls before and after")
    same(rows["calls"][4], "fewer", "there are fewer")
    same({row[4] for row in rows.values()}, {job[m]["change"] for m in job if m != "bytes" and (job[m]["before"][0] or job[m]["after"][0])}, "a word for each change")
    found = all_of["before"]["stat"]["findings"] + all_of["stat"]["findings"]
    titles = {f["id"]: f["title"] for f in found + [little for f in found for little in f.get("findings", [])]}
    changed = list(dict.fromkeys(d["name"] for d in diff if d["table"] == "findings"))
    listed = [e.text for e in every("#compared-findings li")]
    same(len(listed), len(changed), "findings that changed")
    ok(all(f" {titles[name.split(':')[0]]}" in text for name, text in zip(changed, listed)), "by their titles")
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
    ok(state().startswith("#call=pread&"), "Enter chooses that call")
    find("#selection .chip").send_keys(Keys.ENTER)
    narrow()
    axe_core("another run")
