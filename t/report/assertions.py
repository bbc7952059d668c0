# SPDX-License-Identifier: BSD-3-Clause
"""assertions.py - what scripts say of what they look at, for assertions in t/lib/tap.sh."""


def ok(right, what):
    print("ok" if right else "not ok", what)


def same(got, expected, what):
    ok(got == expected, what)
    if got != expected:
        print("# got", repr(got)[:500], "expected", repr(expected)[:500])
