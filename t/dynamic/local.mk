# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables.
TESTS += \
	t/dynamic/append.t \
	t/dynamic/builds.t \
	t/dynamic/calls.t \
	t/dynamic/clocks.t \
	t/dynamic/ctl.t \
	t/dynamic/defaults.t \
	t/dynamic/disk.t \
	t/dynamic/ends.t \
	t/dynamic/first.t \
	t/dynamic/fork.t \
	t/dynamic/handlers.t \
	t/dynamic/hostile.t \
	t/dynamic/hosts.t \
	t/dynamic/limits.t \
	t/dynamic/link.t \
	t/dynamic/maps.t \
	t/dynamic/memory.t \
	t/dynamic/messages.t \
	t/dynamic/nowhere.t \
	t/dynamic/numbers.t \
	t/dynamic/offsets.t \
	t/dynamic/processes.t \
	t/dynamic/records.t \
	t/dynamic/replaced.t \
	t/dynamic/roots.t \
	t/dynamic/seccomp.t \
	t/dynamic/secure.t \
	t/dynamic/settings.t \
	t/dynamic/short.t \
	t/dynamic/streams.t \
	t/dynamic/survive-threads.t \
	t/dynamic/survive.t \
	t/dynamic/threads.t \
	t/dynamic/times.t \
	t/dynamic/unshare.t \
	t/dynamic/unwind.t \
	t/dynamic/vdso.t \
	t/dynamic/versions.t \
	t/dynamic/which.t
EXTRA_DIST += \
	t/dynamic/compare.pl \
	t/dynamic/differences.txt \
	t/dynamic/first.c \
	t/dynamic/messages.c \
	t/dynamic/offsets.c \
	t/dynamic/offsets.pl \
	t/dynamic/second.c \
	t/dynamic/seek.c \
	t/dynamic/streams.c \
	t/dynamic/streams.pl \
	t/dynamic/vdso.c
