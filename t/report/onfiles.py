#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""onfiles.py N CALLS PAGE... - of the calls that pages have one by one, as many are on each file as iotrace-stat counts:
those on memory that is the file's, of which N are munmap(), with it."""
from collections import Counter

from assertions import same
from pagedata import each_page


def compare(d, calls, unmaps):
    p, files = d["picture"], d["stat"]["files"]
    one_by_one = [p["calls"][i:i + 12] for i in range(0, len(p["calls"]), 12)]
    inferred, at = set(), 0
    for step in p["inferred"]:
        at += step
        inferred.add(at)
    on = Counter(c[4] for i, c in enumerate(one_by_one) if i not in inferred)
    named = {i: f["calls"] for i, f in enumerate(files) if f["path"] != "(no file)"}
    same(p["shortest"], 0, "all calls are there")
    same({i: on[i] for i in named}, named, "each file has those that iotrace-stat counts")
    same(sum(p["names"][c[3]] == "munmap" and c[4] in named for c in one_by_one), unmaps, "munmap() is on the file that was mapped")


each_page(compare)
