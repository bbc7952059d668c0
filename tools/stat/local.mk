# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-stat
stat_sources = \
	$(tool_sources) \
	tools/stat/by-time.h \
	tools/stat/constellation.c \
	tools/stat/head.c \
	tools/stat/job.c \
	tools/stat/json-line.c \
	tools/stat/json.c \
	tools/stat/member.h \
	tools/stat/seeks.c \
	tools/stat/stat.h \
	tools/stat/text.c \
	tools/stat/time.c
# runs compared, for iotrace-report, too
diff_sources = \
	tools/stat/compare.c \
	tools/stat/diff-data.c \
	tools/stat/diff.h \
	tools/stat/match.c \
	tools/stat/runs.c
if HAVE_JSON
diff_sources += tools/stat/run.c
else
diff_sources += tools/stat/run-none.c
endif
tools_iotrace_stat_SOURCES = \
	tools/stat/analyse.c \
	tools/stat/diff-text.c \
	tools/stat/diff.c \
	tools/stat/fail-if.c \
	tools/stat/file.c \
	tools/stat/file.h \
	tools/stat/main.c \
	tools/stat/options.c \
	tools/stat/parallel.c \
	tools/stat/requests.c \
	tools/stat/rule.c \
	$(diff_sources) \
	$(stat_sources)
nodist_tools_iotrace_stat_SOURCES = tools/common/filter-names.h
tools_iotrace_stat_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(JSON_CFLAGS)
tools_iotrace_stat_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(JSON_LIBS)
