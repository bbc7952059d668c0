#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""mpi.py RANKS CALLS PAGE... - compares what pages have of MPI-IO with calls that iotrace-cat prints as JSON."""
import re

from assertions import same
from pagedata import each_page

KINDS = ("independent", "collective", "beneath_independent", "beneath_collective")
MINE = {"MPI_File_write_all": "collective", "MPI_File_write_at": "independent", "MPI_File_iwrite_at": "independent"}
MOVES = re.compile(r"p?readv?|p?writev?|pread64|pwrite64|preadv2|pwritev2")


def transfers(calls):
    """Calls, bytes and time by thread and kind."""
    sums, around = {}, {}
    for c in calls:
        open_calls = around.setdefault(c["tid"], {})
        for depth in [d for d in open_calls if d >= c["depth"]]:
            del open_calls[depth]
        kind = MINE.get(c["call"])
        if kind:
            open_calls[c["depth"]] = kind
            moved = c["size"]
        elif open_calls and MOVES.fullmatch(c["call"]):
            kind, moved = "beneath_" + open_calls[min(open_calls)], c["ret"]
        if kind:
            of = sums.setdefault((c["tid"], kind), [0, 0, 0])
            for k, v in enumerate((1, moved, c["dur"])):
                of[k] += v
    return sums


def meetings(calls):
    """The n-th call of each kind and file, of all ranks, by who came when."""
    nth, met = {}, {}
    for c in calls:
        args = c.get("args", {})
        if args.get("collective") and args.get("comm_size", 0) > 1:
            key = c["call"], c.get("path"), c["tid"]
            nth[key] = nth.get(key, 0) + 1
            met.setdefault((*key[:2], nth[key]), []).append((c["start"], c["tid"], c["dur"]))
    return [sorted(m) for m in met.values()]


def waits(members):
    return [members[-1][0] - start for start, _, _ in members]


def late(met):
    """By thread: calls, waited, was last, others waited."""
    by = {}
    for members in met:
        for (_, tid, _), waited in zip(members, waits(members)):
            of = by.setdefault(tid, [0, 0, 0, 0])
            of[0] += 1
            of[1] += waited
        of = by[members[-1][1]]
        of[2] += 1
        of[3] += sum(waits(members))
    return by


def compare(d, calls, ranks):
    p = d["picture"]
    sums, met = transfers(calls), meetings(calls)
    by = late(met)

    same(len(p["mpi"]), ranks, "a row for each rank")
    for rank in p["mpi"]:
        lane = p["lanes"][rank["lane"]]
        for kind in KINDS:
            same(rank[kind], sums.get((lane["tid"], kind), [0, 0, 0]), f"rank {lane['rank']}: {kind}")
    same(p["meetings_seen"], len(met), "collective calls")
    for rank in p["mpi"]:
        lane = p["lanes"][rank["lane"]]
        same([rank[k] for k in ("met", "waited", "last", "kept_waiting")], by.get(lane["tid"], [0, 0, 0, 0]), f"rank {lane['rank']}: waiting")
    got = []
    for m in p["meetings"]:
        members = [(m["members"][i + 1] + int(p["begin"]), p["lanes"][m["members"][i]]["tid"], m["members"][i + 2]) for i in range(0, len(m["members"]), 3)]
        got.append((m["waited"], members))
    same(sorted(got), sorted((sum(waits(members)), members) for members in met), "who came when")
    same([w for w, _ in got], sorted((w for w, _ in got), reverse=True), "the longest wait comes first")


each_page(compare)
