# SPDX-License-Identifier: BSD-3-Clause
# Call stacks.
TESTS += \
	t/stacks/deep.t \
	t/stacks/inline.t \
	t/stacks/memory.t \
	t/stacks/oracle.t \
	t/stacks/own.t \
	t/stacks/tables.t \
	t/stacks/tree.t \
	t/stacks/turns.t \
	t/stacks/unwind.t
EXTRA_DIST += \
	t/stacks/bound.c \
	t/stacks/callbacks.py \
	t/stacks/calls.c \
	t/stacks/compare.pl \
	t/stacks/deep.c \
	t/stacks/hdf5.c \
	t/stacks/inline.pl \
	t/stacks/item.c \
	t/stacks/item.f90 \
	t/stacks/kinds.c \
	t/stacks/mpiio.f90 \
	t/stacks/nested.f90 \
	t/stacks/opens.c \
	t/stacks/own.c \
	t/stacks/oracle.pl \
	t/stacks/panics.rs \
	t/stacks/plugin.c \
	t/stacks/reduce.c \
	t/stacks/reload.c \
	t/stacks/site.h \
	t/stacks/stream.cc \
	t/stacks/team.f90 \
	t/stacks/tree.c \
	t/stacks/turns.c

# t/stacks/oracle.t: stacks as libdw has them, from outside
check_PROGRAMS += t/stacks/frames
t_stacks_frames_SOURCES = t/stacks/frames.c
t_stacks_frames_CPPFLAGS = $(AM_CPPFLAGS) $(LIBDW_CFLAGS)
t_stacks_frames_LDADD = $(LIBDW_LIBS)
