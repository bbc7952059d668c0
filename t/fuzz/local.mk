# SPDX-License-Identifier: BSD-3-Clause
# Damaged logs: t/fuzz/README says how to look for more.
EXTRA_DIST += \
	t/fuzz/README \
	t/fuzz/corpus/above \
	t/fuzz/corpus/alike \
	t/fuzz/corpus/args \
	t/fuzz/corpus/copy \
	t/fuzz/corpus/empty \
	t/fuzz/corpus/forms \
	t/fuzz/corpus/garbage \
	t/fuzz/corpus/job \
	t/fuzz/corpus/late \
	t/fuzz/corpus/moved \
	t/fuzz/corpus/nested \
	t/fuzz/corpus/no-blocks \
	t/fuzz/corpus/packed-above \
	t/fuzz/corpus/packed-alike \
	t/fuzz/corpus/packed-job \
	t/fuzz/corpus/packed-late \
	t/fuzz/corpus/packed-no-body \
	t/fuzz/corpus/packed-processes \
	t/fuzz/corpus/packed-streams \
	t/fuzz/corpus/processes \
	t/fuzz/corpus/stacks \
	t/fuzz/corpus/streams \
	t/fuzz/mkcorpus

# The fuzzing target as a program that replays its corpus; t/fuzz/README says how
# to fuzz.
check_PROGRAMS += t/fuzz/replay
t_fuzz_replay_SOURCES = \
	t/fuzz/fuzz-read.c \
	t/fuzz/fuzz.h \
	t/fuzz/replay.c \
	$(cat_print_sources) \
	tools/common/filter.c \
	tools/common/message.c \
	tools/common/moment.c \
	tools/common/option.c \
	tools/common/out.c \
	tools/common/screen.c
nodist_t_fuzz_replay_SOURCES = tools/common/filter-names.h
t_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common
t_fuzz_replay_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la
