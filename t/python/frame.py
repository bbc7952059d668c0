# SPDX-License-Identifier: BSD-3-Clause
"""frame.py CAT LOGS - iotrace.read has the calls of iotrace-cat, in their order, and batches are
parts of it.  Prints what differs, and how many calls there are."""
import json
import subprocess
import sys

import iotrace
import pandas

cat, logs = sys.argv[1:]


def text(part):
    return part.astype(object).where(part.notna(), "missing").astype(str)


frame = iotrace.read(logs)
lines = [json.loads(line) for line in subprocess.run([cat, "--format=json", logs], stdout=subprocess.PIPE).stdout.splitlines()]
if len(frame) != len(lines):
    print(len(frame), "calls, and not", len(lines))
for column in ("start", "dur", "host", "pid", "tid", "rank", "prog", "family", "call", "syscall", "internal", "depth", "path", "offset",
               "size", "ret", "errno", "status", "mpi_own"):
    for got, line in zip(frame[column].tolist(), lines):
        want = line.get(column, False if column == "mpi_own" else None)
        if column == "size" and want is not None:
            want = min(want, 2**63 - 1)
        if not (want is None and pandas.isna(got)) and got != want:
            print(column, repr(got), "and not", repr(want), line)
            break
for got, line in zip(frame.fd.tolist(), lines):
    if not pandas.isna(got) and got != line.get("fd"):
        print("fd", got, line)
around = {}
for (identity, parent, depth), line in zip(frame[["id", "parent_id", "depth"]].itertuples(index=False), lines):
    calls = around.setdefault((line["host"], line["pid"], line["tid"]), {})
    calls[depth] = identity
    want = calls.get(depth - 1)
    if (None if pandas.isna(parent) else parent) != want:
        print("parent", parent, "and not", want, line)
        break
if len(frame) and frame["id"].nunique() != len(frame):
    print("ids are not unique")
for size in (7, len(frame), 1 << 20):
    parts = list(iotrace.batches(logs, max(size, 1)))
    if max((len(p) for p in parts), default=0) > max(size, 1) or sum(map(len, parts)) != len(frame):
        print("batches of", size, "have", [len(p) for p in parts])
    joined = pandas.concat(map(text, parts)) if parts else text(frame)
    if not joined.reset_index(drop=True).equals(text(frame)):
        print("batches of", size, "differ")
print(len(frame))
