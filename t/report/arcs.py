#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""arcs.py N CALLS PAGE... - compares the operations that pages draw as arcs with the completions that iotrace-cat
prints as JSON, N or more: each says itself how long ago its operation was issued."""
from assertions import ok, same
from pagedata import each_page


def wanted_of(calls):
    """Each operation, and sums of MPI's by thread: how many, for how long, and how long their calls took."""
    issued, early, wanted, mpi = {}, [], [], {}
    for c in calls:
        args = c.get("args", {})
        if not args.get("op") or "told" in args:  # told: it was collected
            continue
        key = c["pid"], c["family"], args["op"]
        since = args.get("elapsed") or args.get("since")
        if c["call"] == "completion" and (not since or key not in issued):
            early.append((key, c, since))
            continue
        if not since:
            issued[key] = c
            continue
        i = issued[key]
        wanted.append((c["start"] + c["dur"] - since, since, i["tid"], c["tid"], i.get("size", 0), c.get("path")))
        if c["family"] == "mpiio":
            of = mpi.setdefault(i["tid"], [0, 0, 0])
            for k, v in enumerate((1, since, i["dur"] + c["dur"])):
                of[k] += v
    # it ended before the call was back that issued it: the log may not tell after how long
    for key, c, since in early:
        i, end = issued[key], c["start"] + c["dur"]
        begin = end - since if since else min(i["start"], end)
        wanted.append((begin, end - begin, i["tid"], c["tid"], i.get("size", 0), c.get("path")))
    return sorted(wanted), mpi


def drawn_on(d):
    p = d["picture"]
    at, arcs = int(p["begin"]), []
    tid = lambda lane: p["lanes"][lane]["tid"]
    for i in range(0, len(p["arcs"]), 8):
        step, dur, lane, to, _, file, size = p["arcs"][i:i + 7]
        at += step
        arcs.append((at, dur, tid(lane), tid(to), size, d["stat"]["files"][file]["path"]))
    sums = p["operations"]
    return sorted(arcs), {tid(sums[i]): sums[i + 1:i + 4] for i in range(0, len(sums), 4)}


def compare(d, calls, least):
    wanted, mpi = wanted_of(calls)
    got, sums = drawn_on(d)
    ok(len(wanted) >= least, "there are operations")
    same(d["picture"]["arcs_seen"], len(wanted), "all have arcs")
    same(got, wanted, "from when and where they were issued to when and where they were complete")
    same(sums, mpi, "how long those of MPI were in flight, and in calls")


each_page(compare)
