# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-pack
tools_iotrace_pack_SOURCES = \
	$(tool_sources) \
	tools/iotrace-pack.c \
	tools/pack-output.c \
	tools/pack.h
nodist_tools_iotrace_pack_SOURCES = tools/filter-names.h
tools_iotrace_pack_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/reader -Itools
tools_iotrace_pack_LDADD = reader/libiotrace-read.la
