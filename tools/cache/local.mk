# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-drop-cache tools/iotrace-warm
cache_sources = \
	$(common_sources) \
	tools/cache/main.c \
	tools/cache/pages.c \
	tools/cache/pages.h
tools_iotrace_drop_cache_SOURCES = $(cache_sources)
tools_iotrace_warm_SOURCES = $(cache_sources)
tools_iotrace_warm_CPPFLAGS = $(AM_CPPFLAGS) -DCACHE_WARM
