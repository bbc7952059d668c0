# SPDX-License-Identifier: BSD-3-Clause
# Mapped files and the page cache: IOTRACE_FAULTS, IOTRACE_CACHE.
# lru.t reads six GB: for make check-long
TESTS += \
	t/faults/cached.t \
	t/faults/faults.t \
	t/faults/marked.t \
	t/faults/pages.t \
	t/faults/stacks.t \
	t/faults/start.t
EXTRA_DIST += \
	t/faults/asks.c \
	t/faults/cached.c \
	t/faults/deny.c \
	t/faults/huge.c \
	t/faults/lru.c \
	t/faults/lru.t \
	t/faults/marked.c \
	t/faults/nameless.c \
	t/faults/pages.c \
	t/faults/stacks.c \
	t/faults/start.c \
	t/faults/storm.c \
	t/faults/touch.c
