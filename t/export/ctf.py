#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""ctf.py STAT CAT TRACE LOGS... - what babeltrace2 reads from the trace, or from a directory of logs, are the calls, times and names of
iotrace-cat, and the bytes of iotrace-stat.  Prints what differs, then how many threads and processes
there are."""
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

stat, cat, trace, *logs = sys.argv[1:]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, stdin=subprocess.DEVNULL)
    if command[0] == "babeltrace2" and done.stderr:
        print("babeltrace2 says:", done.stderr.decode())
    return done.stdout


def value(text):
    """A field as babeltrace2 prints it; what is escaped as in C, then as in JSON."""
    if not text.startswith('"'):
        return int(text)
    return "" if text == '"-"' else re.sub(r"\\(.)", r"\1", text[1:-1])


def unescaped(text):
    return json.loads('"' + text + '"')


FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|-?\d+)')
calls, moved, open_calls = Counter(), Counter(), {}
threads, processes, last, number = set(), {}, 0, 0
nested = defaultdict(list)
for line in run("babeltrace2", "--clock-seconds", "--no-delta", trace).decode().splitlines():
    seconds, nanos, name, rest = re.match(r"\[(\d+)\.(\d{9})\] ([\w:]+): (.*)", line).groups()
    time = int(seconds) * 1000000000 + int(nanos)
    fields = {key: value(text) for key, text in FIELD.findall(rest)}
    if time < last:
        print("time goes back:", line)
    last = time
    thread = (fields["vpid"], fields["vtid"])
    if name == "iotrace:process":
        processes[fields["vpid"]] = fields["pid"]
    elif name == "iotrace:thread":
        threads.add(thread)
    elif name.endswith("_entry"):
        call = name.split(":")[1].removesuffix("_entry")
        if fields["id"] in open_calls or thread not in threads or fields["vpid"] not in processes:
            print("begins twice, or before its thread:", line)
        json.loads(fields["args"])
        open_calls[fields["id"]] = (call, time, fields)
        nested[thread].append(fields["id"])
    else:
        call, begun, entry = open_calls.pop(fields["id"])
        if call.endswith("_inferred") != (fields["status"] == "inferred"):
            print("its name does not say that it was inferred:", line)
        if name.split(":")[1] != call + "_exit" or nested[thread].pop() != fields["id"]:
            print("ends what did not begin, or another call:", line)
        calls[(call.removesuffix("_inferred"), begun, time - begun, unescaped(entry["path"]), entry["fd"], entry["offset"], entry["size"],
               fields["ret"] if fields["has_ret"] else None, fields["error"], fields["status"], fields["rank"],
               processes[fields["vpid"]])] += 1
        number += fields["status"] != "inferred"
        moved["read"] += fields["read"]
        moved["written"] += fields["written"]
if open_calls:
    print("begins and does not end:", open_calls)


def signed(number):
    return number - (1 << 64) if number >= 1 << 63 else number


want = Counter()
for text in run(cat, "--format=json", *logs).splitlines():
    c = json.loads(text)
    want[(c["call"], c["start"], c.get("dur", 0), c.get("path", ""), c.get("fd", -1), signed(c.get("offset", -1)),
          signed(c.get("size", -1)), c.get("ret"), str(c.get("errno", "")), c.get("status", ""), c.get("rank", -1),
          c["pid"])] += 1
for row in list((want - calls).elements())[:3]:
    print("only iotrace-cat:", row)
for row in list((calls - want).elements())[:3]:
    print("only babeltrace2:", row)
rows = json.loads(run(stat, "--by=process", "--format=json", *logs))["processes"]
for key in "read", "written":
    if moved[key] != sum(row[key] for row in rows):
        print(key, "is", moved[key], "and not", sum(row[key] for row in rows))
if number != sum(row["calls"] for row in rows):
    print("calls:", number, "and not", sum(row["calls"] for row in rows))
print(len(threads), len(processes), len(calls) > 0)
