# SPDX-License-Identifier: BSD-3-Clause
"""PAGE PROGRAM: the ways to calls of a program without symbols, of which the page says places.  The names are those
that the list "functions" has; "code" says where the file has its code, and where memory has it."""
import sys

from pagedata import data_of

with open("functions", encoding="utf8") as f:
    functions = [(name, int(at, 16), int(size, 16)) for name, at, size in map(str.split, f)]
with open("code", encoding="utf8") as f:
    [(offset, address)] = [[int(n, 16) for n in line.split()] for line in f]


def name_of(node):
    if node[1] is not None or node[2] is None or " + 0x" not in node[2]:
        return None
    module, place = node[2].split(" + ")
    at = int(place, 16) - offset + address
    names = [name for name, begin, size in functions if begin < at <= begin + size]
    return names[0] if names and module.endswith("/" + sys.argv[2]) else None


nodes = data_of(sys.argv[1])["picture"]["nodes"]
for node in nodes:
    if name_of(node) in ("first", "second"):
        print(name_of(nodes[node[0]]), ">", name_of(node), node[4])
