#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""queries.py PAGE STAT CAT DATABASE LOGS AFTER - the queries of iotrace-export(1), run against a
database of two runs, LOGS and AFTER; what they give is what iotrace-stat and iotrace-cat say.
Prints what differs, and how many queries there are."""
import json
import math
import re
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict

page, stat, cat, database, logs, after = sys.argv[1:]
text = open(page, encoding="utf-8").read().replace("\\-", "-")
queries = [q for q in re.findall(r"^\.EX\n(.*?)^\.EE$", text, re.S | re.M) if q.startswith("SELECT")]
queries = [q.replace("%.h5", "%/%") for q in queries]  # there are no files of HDF5
db = sqlite3.connect(database)


def report(path, by):
    return json.loads(subprocess.run([stat, f"--by={by}", "--format=json", path], stdout=subprocess.PIPE).stdout)


def lines_of(path):
    return [json.loads(line) for line in subprocess.run([cat, "--format=json", path], stdout=subprocess.PIPE).stdout.splitlines()]


runs = [{by: report(path, by)[key] for by, key in (("call", "calls"), ("file", "files"), ("site", "sites"), ("process", "processes"))}
        for path in (logs, after)]
lines = lines_of(logs) + lines_of(after)
rows = {by: runs[0][by] + runs[1][by] for by in runs[0]}
results = [db.execute(q).fetchall() for q in queries]


def same(number, got, want):
    if got != want:
        print(f"query {number}: got {got}\nwanted {want}")
    if not got:
        print(f"query {number}: nothing")


files = sorted((f["path"], f["calls"], f["read"], f["written"], f["self"]) for f in rows["file"])
got = [(p, c, r, w, round(s * 1e9)) for p, c, r, w, s in results[0]]
same(1, sorted(got), sorted(sorted(files, key=lambda f: -f[4])[:20]))
same(2, results[1], [tuple(sum(p[k] for p in rows["process"]) for k in ("calls", "read", "written", "self", "io"))])
same(3, sorted(results[2]), sorted((s["site"], s["writes"], s["written"], s["written"] // s["writes"]) for s in rows["site"] if s["writes"]))
same(4, [r[2] for r in results[3]], sorted((l["dur"] for l in lines if "dur" in l), reverse=True)[:10])
same(5, dict(results[4]), dict(Counter(l.get("path") for l in lines if l.get("errno") == "ENOENT")))

around = {}
beneath = defaultdict(int)
for line in lines:
    calls = around.setdefault((line["host"], line["pid"], line["tid"]), {})
    calls[line["depth"]] = line
    outer = calls.get(line["depth"] - 1)
    if outer and outer["family"] == "stdio":
        beneath[(outer["call"], line["call"])] += 1
same(6, {r[:2]: r[2] for r in results[5]}, dict(beneath))
sizes = Counter((l["call"], math.ceil(math.log2(l["size"]))) for l in lines if l.get("size", 0) > 0 and "syscall" in l)
same(7, {(r[0], int(r[1])): r[2] for r in results[6]}, dict(sizes))
same(8, (sum(r[1] for r in results[7]), sum(r[2] for r in results[7])),
     (sum(p["calls"] for p in rows["process"]), sum(p["read"] for p in rows["process"])))
begins = dict(zip((0, 1), (r[0] for r in db.execute("SELECT started FROM runs ORDER BY id"))))
want = Counter()
for path, begin in ((logs, begins[0]), (after, begins[1])):
    for l in lines_of(path):
        since = l["start"] - begin
        if "dur" in l and since < 600000000 and since + l["dur"] >= 500000000:
            want[(l["call"], since, l["dur"])] += 1
if Counter((r[0], r[2], r[3]) for r in results[8]) != want:
    print("query 9:", results[8], want)
before, now = ({c["call"]: c["self"] for c in run["call"]} for run in runs)
same(10, {r[0]: tuple(None if v is None else round(v * 1e9) for v in r[1:]) for r in results[9]},
     {call: (before.get(call), now.get(call)) for call in before.keys() | now.keys()})
same(11, sorted((r[1], r[3]) for r in results[10]),
     sorted((f["id"], f["text"]) for path in (logs, after) for f in report(path, "all")["findings"]))
got, want = (Counter(r[:2] for r in results[11]), Counter((l["call"], l["path"]) for l in lines if "/" in l.get("path", "")))
if got != want or not got:
    print("query 12:", (got - want).most_common(3), (want - got).most_common(3))
print(len(queries))
