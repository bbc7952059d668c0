# SPDX-License-Identifier: BSD-3-Clause
# callbacks.py - calls below Python's interpreter: sorted by C, in a thread, while it imports.
import functools
import os
import threading


def compare(a, b):
    with open("/dev/null", "w") as f:
        f.write("x" * 10000)
    return (a > b) - (a < b)


sorted([3, 1, 2], key=functools.cmp_to_key(compare))
thread = threading.Thread(target=compare, args=(1, 2))
thread.start()
thread.join()
import decimal
import json
import sqlite3

sqlite3.connect(":memory:").execute("select 1")
os.write(2, b"")
