# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-cat
tools_iotrace_cat_SOURCES = \
	$(tool_sources) \
	tools/cat-about.c \
	tools/cat-addr.c \
	tools/cat-args.c \
	tools/cat-follow.c \
	tools/cat-json.c \
	tools/cat-notes.c \
	tools/cat-table.c \
	tools/cat-text.c \
	tools/cat.h \
	tools/iotrace-cat.c \
	tools/ops.c \
	tools/unseen.c
nodist_tools_iotrace_cat_SOURCES = tools/filter-names.h
tools_iotrace_cat_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/reader -Itools
tools_iotrace_cat_LDADD = reader/libiotrace-read.la
