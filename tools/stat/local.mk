# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-stat
stat_sources = \
	$(tool_sources) \
	tools/common/ops.c \
	tools/stat/facts.c \
	tools/stat/file.c \
	tools/stat/json.c \
	tools/stat/kind.c \
	tools/stat/kinds.def \
	tools/stat/parts.c \
	tools/stat/region.c \
	tools/stat/rows.c \
	tools/stat/site.c \
	tools/stat/sum.c \
	tools/stat/text.c \
	tools/stat/stat.h \
	tools/common/unseen.c
tools_iotrace_stat_SOURCES = tools/stat/main.c $(stat_sources)
nodist_tools_iotrace_stat_SOURCES = tools/common/filter-names.h
tools_iotrace_stat_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common
tools_iotrace_stat_LDADD = reader/libiotrace-read.la
