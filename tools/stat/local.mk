# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-stat
stat_sources = \
	$(tool_sources) \
	tools/stat/head.c \
	tools/stat/job.c \
	tools/stat/json.c \
	tools/stat/member.h \
	tools/stat/stat.h \
	tools/stat/text.c
tools_iotrace_stat_SOURCES = tools/stat/main.c tools/stat/rule.c $(stat_sources)
nodist_tools_iotrace_stat_SOURCES = tools/common/filter-names.h
tools_iotrace_stat_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common
tools_iotrace_stat_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la
