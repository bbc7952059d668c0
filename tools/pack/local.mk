# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-pack
tools_iotrace_pack_SOURCES = \
	$(tool_sources) \
	tools/pack/bytes.c \
	tools/pack/main.c \
	tools/pack/one-log.c \
	tools/pack/output.c \
	tools/pack/pack.h
nodist_tools_iotrace_pack_SOURCES = tools/common/filter-names.h
tools_iotrace_pack_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(SQLITE_CFLAGS)
tools_iotrace_pack_LDADD = reader/libiotrace-read.la $(SQLITE_LIBS)
