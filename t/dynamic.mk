# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables.
TESTS += t/dispatch.t t/real-dispatch.t t/dyn-builds.t t/dyn-calls.t t/dyn-ends.t t/dyn-hosts.t t/dyn-link.t t/dyn-maps.t t/dyn-offsets.t t/dyn-streams.t t/dyn-versions.t t/run.t
EXTRA_DIST += \
	t/dispatch/altstacks.c \
	t/dispatch/cancel.c \
	t/dispatch/counted.c \
	t/dispatch/deep.c \
	t/dispatch/filters.c \
	t/dispatch/processes.c \
	t/dispatch/raw.s \
	t/dispatch/say.h \
	t/dispatch/signals.c \
	t/dispatch/threads.go \
	t/dispatch/threads.py \
	t/dynamic/compare.pl \
	t/dynamic/differences.txt \
	t/dynamic/offsets.c \
	t/dynamic/offsets.pl \
	t/dynamic/seek.c \
	t/dynamic/streams.c \
	t/dynamic/streams.pl
