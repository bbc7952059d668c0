# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-stat
stat_sources = \
	$(tool_sources) \
	tools/ops.c \
	tools/stat-facts.c \
	tools/stat-file.c \
	tools/stat-json.c \
	tools/stat-kind.c \
	tools/stat-kinds.def \
	tools/stat-parts.c \
	tools/stat-region.c \
	tools/stat-rows.c \
	tools/stat-site.c \
	tools/stat-sum.c \
	tools/stat-text.c \
	tools/stat.h \
	tools/unseen.c
tools_iotrace_stat_SOURCES = tools/iotrace-stat.c $(stat_sources)
nodist_tools_iotrace_stat_SOURCES = tools/filter-names.h
tools_iotrace_stat_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/reader -Itools
tools_iotrace_stat_LDADD = reader/libiotrace-read.la
