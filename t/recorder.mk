# SPDX-License-Identifier: BSD-3-Clause
# The recorder: its settings, what it survives, and that the program does not notice.
TESTS += \
	t/about.t \
	t/append.t \
	t/clocks.t \
	t/details.t \
	t/disk.t \
	t/flips.t \
	t/fork.t \
	t/handlers.t \
	t/hostile.t \
	t/limits.t \
	t/mem-off.t \
	t/memory.t \
	t/names.t \
	t/nowhere.t \
	t/numbers.t \
	t/own.t \
	t/pointers.t \
	t/processes.t \
	t/python.t \
	t/rank.t \
	t/records.t \
	t/regex.t \
	t/roots.t \
	t/seccomp.t \
	t/secure.t t/trust.t t/apart.t \
	t/settings.t \
	t/short.t \
	t/slow.t \
	t/stack-memory.t \
	t/stack-oracle.t \
	t/stack-tables.t \
	t/stack-tree.t \
	t/survive-threads.t \
	t/survive.t \
	t/tasks.t \
	t/threads.t \
	t/times.t \
	t/unshare.t \
	t/unwind.t \
	t/user.t
# the same with dynamic executables
TESTS += \
	t/dyn-append.t \
	t/dyn-clocks.t \
	t/dyn-disk.t \
	t/dyn-fork.t \
	t/dyn-handlers.t \
	t/dyn-hostile.t \
	t/dyn-limits.t \
	t/dyn-memory.t \
	t/dyn-nowhere.t \
	t/dyn-numbers.t \
	t/dyn-processes.t \
	t/dyn-records.t \
	t/dyn-roots.t \
	t/dyn-seccomp.t \
	t/dyn-secure.t \
	t/dyn-settings.t \
	t/dyn-short.t \
	t/dyn-survive.t \
	t/dyn-survive-threads.t \
	t/dyn-threads.t \
	t/dyn-times.t \
	t/dyn-unshare.t \
	t/dyn-unwind.t
EXTRA_DIST += \
	t/lib/recorder.sh \
	t/pointers/gen.awk \
	t/pointers/left-out.txt \
	t/pointers/nothing.c \
	t/pointers/pointers.c \
	t/python/arrays.py \
	t/python/between.c \
	t/python/calls.py \
	t/python/compare.py \
	t/python/named.py \
	t/recorder/apart.c \
	t/recorder/append.c \
	t/recorder/busy.c \
	t/recorder/clocks.c \
	t/recorder/cut.c \
	t/recorder/ending.c \
	t/recorder/failing.c \
	t/recorder/flips.c \
	t/recorder/fork.c \
	t/recorder/handlers.c \
	t/recorder/hostile.c \
	t/recorder/limits.c \
	t/recorder/memory.c \
	t/recorder/names.c \
	t/recorder/nowhere.c \
	t/recorder/numbers.c \
	t/recorder/offsets.pl \
	t/recorder/own.c \
	t/recorder/pattern.c \
	t/recorder/pattern.pl \
	t/recorder/processes.c \
	t/recorder/regex.c \
	t/recorder/regions.c \
	t/recorder/seccomp.c \
	t/recorder/settings.c \
	t/recorder/short.c \
	t/recorder/slowly.c \
	t/recorder/threads.c \
	t/recorder/times.c \
	t/recorder/times.pl \
	t/recorder/trust.c \
	t/recorder/unshare.c \
	t/recorder/unwind.cc \
	t/recorder/waiting.h \
	t/stacks/bound.c \
	t/stacks/callbacks.py \
	t/stacks/calls.c \
	t/stacks/compare.pl \
	t/stacks/hdf5.c \
	t/stacks/item.c \
	t/stacks/item.f90 \
	t/stacks/kinds.c \
	t/stacks/mpiio.f90 \
	t/stacks/oracle.pl \
	t/stacks/panics.rs \
	t/stacks/plugin.c \
	t/stacks/reduce.c \
	t/stacks/reload.c \
	t/stacks/site.h \
	t/stacks/stream.cc \
	t/stacks/team.f90 \
	t/stacks/tree.c \
	t/tasks/coroutines.c \
	t/tasks/shared.c

# t/stack-oracle.t: stacks as libdw has them, from outside
check_PROGRAMS += t/stacks/frames
t_stacks_frames_SOURCES = t/stacks/frames.c
t_stacks_frames_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS)
t_stacks_frames_LDADD = $(LIBDW_LIBS)
