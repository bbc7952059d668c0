# SPDX-License-Identifier: BSD-3-Clause
"""assertions.py - what scripts say of what they look at, for assertions in t/lib/tap.sh."""


def ok(right, what):
    print("ok" if right else "not ok", what)


def same(got, expected, what):
    ok(got == expected, what)
    if got != expected:
        print("# got", repr(got)[:500], "expected", repr(expected)[:500])


def near(got, expected, what):
    """Sums by name, which the page adds up from numbers of 24 bits: a bin of more than 16 ms or MB is rounded."""
    ok(got.keys() == expected.keys() and all(abs(got[name] - n) <= n * 1e-5 for name, n in expected.items()), what)
    if got != expected:
        print("# got", repr(got)[:500], "expected", repr(expected)[:500])
