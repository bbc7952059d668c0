# SPDX-License-Identifier: BSD-3-Clause
# Tests of the reader library and iotrace-cat, on logs that t/lib/MkLog.pm makes.
TESTS += t/cat-text.t t/cat-json.t t/raw-names.t t/cat-job.t t/cat-order.t t/cat-rank.t t/cat-damage.t t/cat-about.t t/cat-filter.t t/cat-stack.t t/cat-stacks.t \
	t/read-processes.t t/cat-large.t t/cat-fuzz.t t/cat-follow.t t/cat-overwritten.t t/read-many.t t/read-scan.t t/read-went-on.t \
	t/progress.t
EXTRA_DIST += t/lib/MkLog.pm t/lib/CatTest.pm t/recorder/follow.c

# Reads logs in both ways and compares.
check_PROGRAMS += t/read/scan
t_read_scan_SOURCES = t/read/scan.c
t_read_scan_CPPFLAGS = $(AM_CPPFLAGS)
t_read_scan_LDADD = reader/libiotrace-read.la

# Follows a log whose window it changes.
check_PROGRAMS += t/read/went-on
t_read_went_on_SOURCES = t/read/went-on.c
t_read_went_on_CPPFLAGS = $(AM_CPPFLAGS)
t_read_went_on_LDADD = reader/libiotrace-read.la

# The fuzzing target as a program that replays its corpus; t/fuzz/README says how
# to fuzz.
check_PROGRAMS += t/fuzz/replay
t_fuzz_replay_SOURCES = \
	t/fuzz/fuzz-read.c \
	t/fuzz/fuzz.h \
	t/fuzz/replay.c \
	tools/cat/addr.c \
	tools/cat/args.c \
	tools/cat/json.c \
	tools/cat/notes.c \
	tools/cat/table.c \
	tools/cat/text.c \
	tools/common/filter.c \
	tools/common/out.c
nodist_t_fuzz_replay_SOURCES = tools/common/filter-names.h
t_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common
t_fuzz_replay_LDADD = reader/libiotrace-read.la
EXTRA_DIST += \
	t/fuzz/README \
	t/fuzz/corpus/above \
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
	t/fuzz/corpus/packed-job \
	t/fuzz/corpus/packed-late \
	t/fuzz/corpus/packed-no-body \
	t/fuzz/corpus/packed-processes \
	t/fuzz/corpus/packed-streams \
	t/fuzz/corpus/processes \
	t/fuzz/corpus/stacks \
	t/fuzz/corpus/streams \
	t/fuzz/mkcorpus
