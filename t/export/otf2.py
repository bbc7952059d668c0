#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""otf2.py STAT CAT ARCHIVE LOGS... - what otf2-print reads from the archive are the calls and times of
iotrace-cat, and the operations and bytes of iotrace-stat.  Prints what differs, and how many
locations there are."""
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

stat, cat, archive, *logs = sys.argv[1:]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, stdin=subprocess.DEVNULL).stdout


printed = run("otf2-print", archive + "/traces.otf2").decode("utf-8", "replace").splitlines()
definitions = run("otf2-print", "-G", archive + "/traces.otf2").decode("utf-8", "replace").splitlines()
paradigms = {}
for line in definitions:
    handle = re.match(r'IO_HANDLE +(\d+) .*I/O Paradigm: "([^"]*)"', line)
    if handle:
        paradigms[int(handle[1])] = handle[2]
locations = sum(line.startswith("LOCATION ") for line in definitions)

calls, last = Counter(), {}
stacks = defaultdict(list)
number, moved, modes = Counter(), Counter(), {}
for line in printed:
    event = re.match(r"([A-Z_]+) +(\d+) +(\d+)  (.*)", line)
    if not event:
        continue
    name, location, time, rest = event[1], int(event[2]), int(event[3]), event[4]
    if time < last.get(location, 0):
        print("time goes back:", line)
    last[location] = time
    if name == "ENTER":
        stacks[location].append((re.match(r'Region: "(.*)" <', rest)[1], time))
    elif name == "LEAVE":
        entered, since = stacks[location].pop()
        if entered != re.match(r'Region: "(.*)" <', rest)[1]:
            print("leaves what it is not in:", line)
        calls[(entered, since, time - since)] += 1
    elif name == "IO_OPERATION_BEGIN":
        modes[int(re.search(r"Matching Id: (\d+)", rest)[1])] = re.search(r"Mode: (\w+)", rest)[1]
    elif name == "IO_OPERATION_COMPLETE":
        handle = int(re.match(r'Handle: ".*" <(\d+)>', rest)[1])
        mode = modes.pop(int(re.search(r"Matching Id: (\d+)", rest)[1]))
        number[(paradigms[handle], mode)] += 1
        moved[(paradigms[handle], mode)] += int(re.search(r"Bytes Result: (\d+)", rest)[1])
if any(stacks.values()) or modes:
    print("what is entered or begun does not end:", dict(stacks), modes)

lines = [json.loads(line) for line in run(cat, "--format=json", *logs).splitlines()]
want = Counter((l["call"] + (", inferred" if l.get("status") == "inferred" else ""), l["start"], l.get("dur", 0)) for l in lines)
for row in list((want - calls).elements())[:3]:
    print("only iotrace-cat:", row)
for row in list((calls - want).elements())[:3]:
    print("only otf2-print:", row)
processes = json.loads(run(stat, "--by=process", "--format=json", *logs))["processes"]
for mode, key in ("READ", "read"), ("WRITE", "written"):
    total = sum(p[key] for p in processes)
    if moved[("system calls", mode)] != total:
        print(key, "is", moved[("system calls", mode)], "and not", total)
if number[("system calls", "READ")] < sum(p["reads"] for p in processes):
    print("reads:", number)
entered = sum(n for (call, _, _), n in calls.items() if not call.endswith(", inferred"))
if entered != sum(p["calls"] for p in processes):
    print("calls:", entered, "and not", sum(p["calls"] for p in processes))
print(locations, len(calls) > 0)
