# SPDX-License-Identifier: BSD-3-Clause
# Functions and lines of Python in place of the interpreter's.
TESTS += \
	t/python/python.t \
	t/python/read.t \
	t/python/regions.t
EXTRA_DIST += \
	t/python/arrays.py \
	t/python/between.c \
	t/python/calls.py \
	t/python/compare.py \
	t/python/frame.py \
	t/python/named.py \
	t/python/regions.py
