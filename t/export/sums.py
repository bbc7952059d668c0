#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""sums.py STAT CAT DATABASE RUN LOGS... - a run in a database has the sums of iotrace-stat, and
the calls of iotrace-cat, each inside of the right one.  Prints what differs."""
import json
import sqlite3
import subprocess
import sys
from collections import Counter

stat, cat, database, run, *logs = sys.argv[1:]
db = sqlite3.connect(database)
db.row_factory = sqlite3.Row
db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")


def text(value):
    """As iotrace-stat's csv has it."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def wanted(by):
    """iotrace-stat's rows: names in JSON are exact, where csv escapes."""
    out = subprocess.run([stat, "--by=" + by, "--format=json", "--no-progress", *logs], stdout=subprocess.PIPE).stdout
    return json.loads(out)


def rows_of(table, keys, columns):
    found = Counter()
    for row in table:
        found[tuple(text(row.get(k)) for k in keys) + tuple(int(row.get(c) or 0) for c in columns)] += 1
    return found


def compare(what, keys, stats_rows, view, view_keys):
    cursor = db.execute(f"SELECT * FROM {view} WHERE run_id = ?", (run,))
    columns = [c[0] for c in cursor.description]
    columns = [c for c in columns if stats_rows and c in stats_rows[0] and c not in keys and c not in ("rank", "pid", "parent")]
    if len(columns) < 12:
        print(f"{what}: compares only {columns}")
    got = rows_of([dict(r) for r in cursor], view_keys, columns)
    want = rows_of(stats_rows, keys, columns)
    for row in (want - got):
        print(f"{what}: only iotrace-stat: {row} {columns}")
    for row in (got - want):
        print(f"{what}: only {view}: {row} {columns}")


report = wanted("call,file,process,thread,rank,site")
compare("calls", ["call", "family"], report["calls"], "by_call", ["call", "family"])
compare("files", ["path"], report["files"], "by_file", ["path"])
compare("sites", ["site"], report["sites"], "by_site", ["site"])
compare("threads", ["prog", "host", "pid", "tid"], report["threads"], "by_thread", ["program", "host", "pid", "tid"])
compare("processes", ["prog", "host", "pid", "parent"], [dict(p, parent=p["parent"] or None) for p in report["processes"]],
        "by_process", ["program", "host", "pid", "parent_pid"])
ranks = [r for r in report["ranks"] if r.get("rank") is not None]
if ranks:
    compare("ranks", ["prog", "host", "rank"], ranks, "by_rank", ["program", "host", "rank"])

# --- findings, and sums by time
findings = Counter((f["id"], f.get("path", f.get("call")) or "", f["count"], f["bytes"], f["text"]) for f in wanted("all")["findings"])
got = Counter((f["rule"], text(f["name"] if f["name"] is not None else f["call"]), f["count"], f["bytes"], text(f["text"]))
              for f in db.execute("SELECT * FROM findings WHERE run_id = ?", (run,)))
if findings != got:
    print("findings:", findings - got, got - findings)
slices = json.loads(subprocess.run([stat, "--by=time=1s", "--format=json", *logs], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
keys = ("start", "calls", "read", "written", "io", "waiting", "lived", "fetched", "dirtied")
want = [tuple(r[k] for k in keys) for r in slices["time"]["intervals"]]
got = [tuple(r) for r in db.execute(f"SELECT {', '.join(keys)} FROM intervals WHERE run_id = ? ORDER BY start", (run,))]
if want != got:
    print("intervals:", want, got)

# --- each call, as iotrace-cat prints it; inside of which, by depth
lines = [json.loads(line) for line in subprocess.run([cat, "--format=json", *logs], stdout=subprocess.PIPE).stdout.splitlines()]


def fields(row, get):
    return tuple(text(get(row, k)) for k in ("start", "dur", "host", "pid", "tid", "rank", "program", "family", "call", "syscall",
                                             "fd", "path", "offset", "size", "ret", "errno", "status"))


def of_line(row, key):
    value = row.get("prog" if key == "program" else key)
    return value if key not in ("size", "offset") or value is None else min(value, 2**63 - 1)


def of_row(row, key):
    """A descriptor of which the name is not known has a row of its own in iotrace-stat."""
    value = row[key]
    return None if key == "path" and text(value).startswith("(descriptor ") else value


want = Counter(fields(line, of_line) for line in lines)
got = Counter(fields(row, of_row) for row in db.execute("SELECT * FROM trace WHERE run_id = ?", (run,)))
for row in list((want - got).elements())[:5]:
    print("calls: only iotrace-cat:", row)
for row in list((got - want).elements())[:5]:
    print("calls: only trace:", row)

args = Counter(json.dumps(line["args"], sort_keys=True) for line in lines if "args" in line)
got = Counter(json.dumps(json.loads(row[0]), sort_keys=True) for row in db.execute("SELECT args FROM trace WHERE run_id = ? AND args IS NOT NULL", (run,)))
if args != got:
    print("args:", list((args - got).elements())[:5], list((got - args).elements())[:5])

around = {}
nested = Counter()
for line in lines:
    place = (line["host"], line["pid"], line["tid"])
    parent = around.setdefault(place, {}).get(line["depth"] - 1)
    if line.get("dur") != 0:  # a moment is around nothing
        around[place][line["depth"]] = line
    nested[(line["call"], parent["call"] if parent else "", parent["start"] if parent else "")] += 1
got = Counter((r[0], r[1] or "", r[2] or "") for r in db.execute(
    "SELECT i.call, o.call, o.start FROM trace i LEFT JOIN trace o ON o.id = i.parent_id WHERE i.run_id = ?", (run,)))
if nested != got:
    print("parents:", list((nested - got).items())[:5], list((got - nested).items())[:5])
bad = db.execute("SELECT count(*) FROM calls WHERE parent_id IS NOT NULL AND parent_id NOT IN (SELECT id FROM calls)").fetchone()[0]
if bad:
    print(f"{bad} calls are inside of calls that are not there")
# spans find calls
missing = db.execute("SELECT count(*) FROM calls c WHERE NOT EXISTS (SELECT 1 FROM spans s WHERE c.id BETWEEN s.first AND s.last"
                     " AND c.start >= s.started AND c.start <= s.ended)").fetchone()[0]
if missing:
    print(f"{missing} calls are outside of spans")
print(db.execute("SELECT count(*) FROM calls").fetchone()[0], "calls", file=sys.stderr)
if not lines:
    print("there are no calls")
