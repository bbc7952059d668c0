#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""perfetto.py STAT CAT FILE LOGS... - the trace has what Perfetto requires: slices of a thread nest,
numbers of processes and threads are unique, flows have both ends within slices.  Its calls
are those of iotrace-cat, its sums those of iotrace-stat.  Prints what differs, and how many processes,
flows and counters there are."""
import json
import subprocess
import sys
from collections import Counter, defaultdict

stat, cat, file, *logs = sys.argv[1:]
with open(file, encoding="utf-8", errors="strict") as f:
    trace = json.load(f)
events = trace["traceEvents"]
begin = trace["otherData"]["started"]


def ns(micros):
    return round(micros * 1000)


report = json.loads(subprocess.run([stat, "--by=call,process", "--format=json", *logs], stdout=subprocess.PIPE).stdout)
lines = [json.loads(line) for line in subprocess.run([cat, "--format=json", *logs], stdout=subprocess.PIPE).stdout.splitlines()]
calls = [e for e in events if e["ph"] in "Xi"]

# --- what Perfetto requires
names = Counter(e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name")
if set(names.values()) != {1}:
    print("processes are not unique:", names)
threads = {}
for e in events:
    if e["ph"] == "M" and e["name"] == "thread_name":
        if e["tid"] in threads:
            print("a thread has two names:", e)
        threads[e["tid"]] = e["pid"]
for e in calls:
    if threads.get(e["tid"]) != e["pid"]:
        print("a call is in no thread:", e)
        break
starts = [e["ts"] for e in calls]
if starts != sorted(starts):
    print("calls are not sorted")
open_calls = defaultdict(list)
for e in calls:
    if e["ph"] != "X":
        continue
    start, end = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
    stack = open_calls[e["tid"]]
    while stack and stack[-1] <= start:
        stack.pop()
    if stack and stack[-1] < end:
        print("slices overlap:", e, stack)
    stack.append(end)
at = {(e["tid"], e["ts"]) for e in calls}
flows = defaultdict(list)
for e in events:
    if e["ph"] in "sf":
        flows[(e["cat"], e["id"])].append(e)
        if (e["tid"], e["ts"]) not in at:
            print("a flow is at no call:", e)
        if e["id"] >= 2**53:
            print("the number of a flow is too large:", e)
for ends in flows.values():
    if [e["ph"] for e in ends] != ["s", "f"]:
        print("a flow has not both ends:", ends)
    elif ends[0]["ts"] > ends[1]["ts"]:
        print("a flow runs backwards:", ends)

# --- the same numbers
want = Counter((l["start"] - begin, l.get("dur"), l["call"], l["family"], l.get("path"), l.get("size"), l.get("ret"), l.get("errno"),
                json.dumps(l.get("args"), sort_keys=True)) for l in lines)
got = Counter((ns(e["ts"]), ns(e["dur"]) if "dur" in e else None, e["name"].removesuffix(", inferred"), e["cat"], e["args"].get("path"), e["args"].get("size"),
               e["args"].get("ret"), e["args"].get("errno"), json.dumps(e["args"].get("arguments"), sort_keys=True)) for e in calls)
for row in list((want - got).elements())[:3]:
    print("only iotrace-cat:", row)
for row in list((got - want).elements())[:3]:
    print("only the trace:", row)
time = Counter()
number = Counter()
for e in calls:
    name = e["name"]
    if name == "syscall":
        continue
    if name.endswith(", inferred") != (e["args"].get("status") == "inferred"):
        print("its name does not say whether it was inferred:", e)
    number[name] += 1
    time[name] += ns(e["dur"]) if "dur" in e and "status" not in e["args"] else 0
for c in report["calls"]:
    if (number[c["call"]], time[c["call"]]) != (c["calls"], c["time"]) and c["call"] in number:
        print(c["call"], number[c["call"]], time[c["call"]], "and not", c["calls"], c["time"])
for key in "read", "written":
    total = sum(p[key] for p in report["processes"])
    if sum(e["args"].get(key, 0) for e in calls) != total:
        print(key, "is not", total)
    rates = sum(e["args"][key] for e in events if e["ph"] == "C" and e["name"] == "bytes a second")
    if abs(rates * trace["otherData"]["interval"] / 1e9 - total) > 1 + total / 1e6:
        print("rates of bytes", key, "add up to", rates * trace["otherData"]["interval"] / 1e9, "and not", total)
counters = Counter(e["name"] for e in events if e["ph"] == "C")
for e in events:
    if e["ph"] == "C" and any(v < 0 or v > 1e15 for v in e["args"].values()):
        print("counter:", e)
print(len(names), sum(len(f) for f in flows.values()), " ".join(sorted(counters)))
