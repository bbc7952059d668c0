# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-drop-cache tools/iotrace-warm
cache_sources = \
	$(tool_sources) \
	tools/cache/main.c \
	tools/cache/named.c \
	tools/cache/named.h \
	tools/cache/pages.c \
	tools/cache/pages.h
tools_iotrace_drop_cache_SOURCES = $(cache_sources)
nodist_tools_iotrace_drop_cache_SOURCES = tools/common/filter-names.h
tools_iotrace_drop_cache_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(SQLITE_CFLAGS)
tools_iotrace_drop_cache_LDADD = reader/libiotrace-read.la $(SQLITE_LIBS)
tools_iotrace_warm_SOURCES = $(cache_sources)
nodist_tools_iotrace_warm_SOURCES = tools/common/filter-names.h
tools_iotrace_warm_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common -DCACHE_WARM $(SQLITE_CFLAGS)
tools_iotrace_warm_LDADD = reader/libiotrace-read.la $(SQLITE_LIBS)
