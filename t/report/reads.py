#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""reads.py DIRECTORY REPORT CAT STAT - how much of a large database is read for a page of calls.

DIRECTORY has many.db, logs in many, of which it was made, and reads, in which strace, by which REPORT runs, writes what
is read.  Prints "ok what" and "not ok what", and "end" at the end.
"""
import signal

from assertions import ok, same
from server import Server, cat_says, where


def reads():
    with open(where + "/reads", encoding="ascii", errors="replace") as lines:
        return sum("pread64(" in line for line in lines)


s = Server("many.db")
wanted = cat_says(logs="many")
before = reads()  # of all calls, of which the page is made
middle = wanted[len(wanted) // 2]["start"]
at = f"@{middle // 10 ** 9}.{middle % 10 ** 9:09}"
ok(before > 200, "strace sees what is read")
for what, parameters, chosen in (
        ("the first ones", {}, wanted),
        ("from a time on", {"from": at}, [c for c in wanted if c["start"] >= middle]),
        ("of a kind that is rare", {"calls": "read"}, [c for c in wanted if c["call"] == "read"]),
        ("of a file that few name", {"path": "rare"}, [c for c in wanted if c.get("path") == "/data/rare"]),
        ("of a thread, that failed", {"pid": wanted[-1]["tid"], "failed": 1}, [c for c in wanted if c["tid"] == wanted[-1]["tid"] and "errno" in c]),
        ("that took long", {"min-time": "40us"}, [c for c in wanted if c.get("dur", 0) >= 40000]),
        ("that are large", {"min-size": "1m"}, [c for c in wanted if c.get("size", 0) >= 1 << 20]),
        ("that no call is", {"calls": "mkdir"}, [])):
    page = s.json("calls", limit=100, **parameters)["calls"]
    same([c["start"] for c in page], [c["start"] for c in chosen[:100]], f"calls {what}")
    now = reads()
    ok(now - before < 100, f"calls {what}: {now - before} reads")
    before = now
s.end(signal.SIGTERM)
print("end")
