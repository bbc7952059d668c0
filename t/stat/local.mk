# SPDX-License-Identifier: BSD-3-Clause
# iotrace-stat.  (t/lib/stat-sums also runs on the logs of all tests that compare with strace.)
TESTS += \
	t/stat/awaited.t \
	t/stat/constellation.t \
	t/stat/diff.t \
	t/stat/file.t \
	t/stat/held.t \
	t/stat/interleaved.t \
	t/stat/intervals.t \
	t/stat/large.t \
	t/stat/lines.t \
	t/stat/loops.t \
	t/stat/mappings.t \
	t/stat/names.t \
	t/stat/operations.t \
	t/stat/parts.t \
	t/stat/pieces.t \
	t/stat/region.t \
	t/stat/reused.t \
	t/stat/runs.t \
	t/stat/saves.t \
	t/stat/searched.t \
	t/stat/seek.t \
	t/stat/self.t \
	t/stat/several.t \
	t/stat/shared.t \
	t/stat/slow.t \
	t/stat/started.t \
	t/stat/stat.t \
	t/stat/strace.t \
	t/stat/thresholds.t \
	t/stat/time.t \
	t/stat/touched.t \
	t/stat/waited.t
EXTRA_DIST += \
	t/stat/awaited.c \
	t/stat/constellation.c \
	t/stat/constellations.pl \
	t/stat/held.c \
	t/stat/inherited.c \
	t/stat/mappings.c \
	t/stat/names.c \
	t/stat/part.h \
	t/stat/reduce.c \
	t/stat/regions.c \
	t/stat/runs.c \
	t/stat/seek.c \
	t/stat/strace.pl \
	t/stat/time.pl \
	t/stat/touched.c \
	t/stat/twin.c \
	t/stat/when.c \
	t/stat/work.c

# Sums up in parts.
check_PROGRAMS += t/stat/parts
t_stat_parts_SOURCES = t/stat/parts.c $(stat_sources)
nodist_t_stat_parts_SOURCES = tools/common/filter-names.h
t_stat_parts_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(SQLITE_CFLAGS)
t_stat_parts_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(SQLITE_LIBS)

# Owners of ranges
check_PROGRAMS += t/stat/intervals
t_stat_intervals_SOURCES = t/stat/intervals.c
t_stat_intervals_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la

# What happened to which bytes
check_PROGRAMS += t/stat/pieces
t_stat_pieces_SOURCES = t/stat/pieces.c
t_stat_pieces_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la

# How often the reader is asked for what takes long
check_PROGRAMS += t/stat/usage
t_stat_usage_SOURCES = t/stat/usage.c
t_stat_usage_LDFLAGS = -Wl,--wrap=iotr_log_usage
t_stat_usage_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la
