# SPDX-License-Identifier: BSD-3-Clause
"""pagedata.py - what scripts have in common that compare pages with calls that iotrace-cat prints as JSON."""
import json
import sys


def data_of(page):
    with open(page, encoding="utf8", errors="surrogateescape", newline="") as f:
        return json.loads(f.read().split('<script type="application/json" id="data">')[1].split("</script>")[0])


def calls_of(name):
    with open(name, encoding="utf8", errors="surrogateescape") as f:
        return [json.loads(line) for line in f]


def each_page(compare):
    """Of arguments NUMBER CALLS PAGE...: compare(data, calls, number) for each page."""
    calls = calls_of(sys.argv[2])
    for page in sys.argv[3:]:
        print("#", page)
        compare(data_of(page), calls, int(sys.argv[1]))
    print("end")
