# SPDX-License-Identifier: BSD-3-Clause
# What the tools that read logs have in common
tool_sources = tools/tool.h tools/filter.c tools/out.c tools/progress.c tools/tool.c

# The names that -e takes
BUILT_SOURCES += tools/filter-names.h
CLEANFILES += tools/filter-names.h
EXTRA_DIST += tools/filter-names.awk
tools/filter-names.h: tools/filter-names.awk table/calls.def
	$(AM_V_GEN)$(MKDIR_P) tools && \
	$(AWK) -f $(srcdir)/tools/filter-names.awk $(srcdir)/table/calls.def >$@.tmp && mv $@.tmp $@

include tools/audit.mk
include tools/cat.mk
include tools/pack.mk
include tools/run.mk
include tools/stat.mk
