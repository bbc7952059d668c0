#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""db.py DIRECTORY REPORT CAT STAT - a database in place of logs: the same page and the same answers.

DIRECTORY has logs, and run.db, which iotrace-export made of them, and in two.db as another run behind one of
"other".  Prints "ok what" and "not ok what", and "end" at the end.
"""
import json
import os
import signal
import subprocess

from assertions import ok, same
from server import Server, cat_says, stat, where


def unpack(p):
    """Single calls, by what each is."""
    at, found = 0, []
    inferred, where_inferred = set(), 0
    for step in p["inferred"]:
        where_inferred += step
        inferred.add(where_inferred)
    for i in range(0, len(p["calls"]), 12):
        c = p["calls"][i:i + 12]
        at += c[0]
        found.append((at, c[1], lane(p["lanes"][c[2]]), p["names"][c[3]], c[4], line(p, c[5]), *c[6:9], p["errors"].get(str(c[9]), c[9]), *c[10:12],
                      i // 12 in inferred))
    return sorted(found, key=repr)


def lane(one):
    return one.get("host"), one.get("pid"), one.get("tid")


def line(p, node):
    """A node, by the functions and lines on the way to it."""
    way = []
    while node > 0:
        way.append(tuple(p["nodes"][node][1:4]))
        node = p["nodes"][node][0]
    return tuple(way) if node == 0 else None


def sums(p):
    lanes, nodes, cells = {}, {}, {}
    for one in p["lanes"]:
        lanes[lane(one)] = [one["time"], one["bins"], one["begin"], one["end"], one.get("prog"), one.get("rank")]
    for i, n in enumerate(p["nodes"]):
        nodes[line(p, i)] = n[4:]
    rows = [f["row"] for f in p["files"]] + [None]
    for i in range(0, len(p["cells"]), 6):
        c = p["cells"][i:i + 6]
        cells[lane(p["lanes"][c[0]]), rows[c[1]]] = c[2:]
    return lanes, nodes, cells


def by_file(p):
    return {f["row"]: (f["read"], f["written"], f["every"], len(f["points"])) for f in p["files"]}


def same_page(db, logs):
    for key in ("job", "total", "files", "calls", "sites", "threads", "processes", "ranks", "findings", "logs"):
        same(db["stat"][key], logs["stat"][key], f"{key} are the same")
    d, p = db["picture"], logs["picture"]
    for key in ("begin", "wall", "bins", "width", "seen", "files_seen", "read", "written", "parts", "marks_seen", "arcs_seen", "meetings_seen"):
        same(d[key], p[key], f"{key} is the same")
    for mine, theirs, what in zip(sums(d), sums(p), ("lanes", "functions", "what threads did to files")):
        same(mine, theirs, what)
    same(unpack(d), unpack(p), "single calls")
    same(by_file(d), by_file(p), "files by time, and their accesses")
    same([m[2] for m in d["marks"]], [m[2] for m in p["marks"]], "what the program said")
    same(d.get("sources"), p.get("sources"), "lines of source")
    same(db["title"], logs["title"], "the title")


def plain(call):
    """What a database has of a call: not what was in the page cache."""
    return {k: v for k, v in call.items() if k not in ("cached", "fetched", "dirtied", "stack")}


def in_order(all_of):
    return sorted((plain(c) for c in all_of), key=lambda c: (c["start"], c["tid"], c["depth"], c["call"], json.dumps(c)))


def lines_of(call):
    return [(f.get("func"), f.get("file"), f.get("line")) for f in call.get("stack", [])]


def calls(s):
    wanted = in_order(cat_says())
    pages = s.pages(limit=1997)
    got = sum(pages, [])
    same(in_order(got), wanted, "calls, a page after another, are those of iotrace-cat")
    ok([c["start"] for c in got] == [c["start"] for c in wanted], "by start")
    ok(all(len(p) == 1997 for p in pages[:-1]) and 0 < len(pages[-1]) <= 1997, "as many as were asked for on each")
    for what, parameters, options in (
            ("some by name", {"calls": "execve,pthread_create,stat,fsync"}, ("-e", "execve,pthread_create,stat,fsync")),
            ("a family", {"calls": "stdio"}, ("-e", "stdio")),
            ("all but some", {"calls": "!posix"}, ("-e", "!posix")),
            ("those that failed", {"failed": 1}, ("-Z",)),
            ("those that succeeded", {"successful": 1}, ("-z",)),
            ("of a file", {"path": "/table[.]txt$"}, ("-P", "/table[.]txt$")),
            ("large ones", {"min-size": "64"}, ("--min-size=64",)),
            ("long ones", {"min-time": "20us"}, ("--min-time=20us",)),
            ("of a process", {"pid": str(wanted[0]["pid"])}, ("-p", str(wanted[0]["pid"])))):
        same(in_order(sum(s.pages(limit=2500, **parameters), [])), in_order(cat_says(*options)), what)
    middle = wanted[len(wanted) // 2]["start"]
    at = f"@{middle // 10 ** 9}.{middle % 10 ** 9:09}"
    same(in_order(sum(s.pages(limit=10000, **{"from": at}), [])), [c for c in wanted if c["start"] >= middle], "from a time on")
    same(in_order(sum(s.pages(limit=10000, to=at), [])), [c for c in wanted if c["start"] < middle], "until a time")
    same(s.pages(calls="mkdir"), [[]], "of which there are none")
    for parameters in ({"calls": "nonsense"}, {"path": "("}, {"from": "x"}, {"after": "1.x"}, {"limit": "0"}, {"nonsense": "1"}):
        got = s.json("calls", **parameters)
        ok(isinstance(got, tuple) and got[0] == 400, f"{parameters}: 400")
    same(s.pages(site="') OR 1 --"), [[]], "a quote in a name is no SQL")


def stacks(s):
    mine, theirs = s.json("calls", calls="fsync", stacks=1)["calls"], cat_says("-k", "-e", "fsync")
    same([lines_of(c) for c in mine], [lines_of(c) for c in theirs], "stacks are those of iotrace-cat")


def lists(s, logs):
    for name, key in (("files", "path"), ("sites", "site"), ("processes", "pid"), ("threads", "tid")):
        mine, theirs = sum(s.pages(name, limit=3), []), sum(logs.pages(name), [])
        members = set(mine[0]) & set(theirs[0])
        ok({key, "calls", "self"} <= members, f"{name} have the same members")
        cut = sorted(({k: v for k, v in row.items() if k in members} for row in theirs), key=repr)
        same(sorted(({k: v for k, v in row.items() if k in members} for row in mine), key=repr), cut, f"{name} are the same")
    site = max((row for row in s.pages("sites")[0] if row["site"] != "(no stack)"), key=lambda row: row["calls"])["site"]
    same(in_order(sum(s.pages(site=site), [])), in_order(sum(logs.pages(site=site), [])), "calls of a line")
    mine, theirs = (sum(one.pages(site=site, stacks=1), []) for one in (s, logs))
    same([lines_of(c) for c in in_order(mine)], [lines_of(c) for c in in_order(theirs)], "with their stacks")


database, logs = Server("run.db"), Server("logs")
same_page(database.json("report"), logs.json("report"))
same(database.json("state"), {"version": 1, "generation": 1, "running": False}, "nothing is running")
ok(b'id="data"' in database.ask("/")[2], "there is a page")
calls(database)
stacks(database)
lists(database, logs)
same(database.end(signal.SIGTERM), 0, "SIGTERM ends it")
of_two = Server("two.db")
same(in_order(sum(of_two.pages(limit=10000), [])), in_order(cat_says()), "of two runs the last one is shown")
same(of_two.json("stat")["job"], logs.json("stat")["job"], "with its sums")
of_two.end(signal.SIGTERM)
first = Server("--run=before", "two.db")
same(first.json("stat")["job"]["calls"], json.loads(subprocess.run([stat, "--format=json", "other"], cwd=where, stdout=subprocess.PIPE, check=True).stdout)["job"]["calls"],
     "or one that is named")
# whether libc made a call within another one is not known of calls thread by thread, which a database is made of
same([(c["start"], c["call"]) for c in in_order(sum(first.pages(), []))], [(c["start"], c["call"]) for c in in_order(cat_says(logs="other"))],
     "with its calls only")
first.end(signal.SIGTERM)
if os.path.exists(where + "/other.db"):  # without json-c there is no comparison
    two = Server("other.db", "run.db")
    same(in_order(sum(two.pages(limit=10000), [])), in_order(cat_says()), "of two databases the last one is shown")
    ok(two.json("report")["diff"]["differences"], "and compared with the first")
    two.end(signal.SIGTERM)
print("end")
