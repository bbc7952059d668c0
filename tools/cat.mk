# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-cat
tools_iotrace_cat_SOURCES = tools/iotrace-cat.c tools/cat.h tools/cat-addr.c tools/cat-args.c tools/cat-filter.c \
	tools/cat-json.c tools/cat-notes.c tools/cat-out.c tools/cat-table.c tools/cat-text.c
nodist_tools_iotrace_cat_SOURCES = tools/cat-names.h
tools_iotrace_cat_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib/read -Itools
tools_iotrace_cat_LDADD = lib/read/libiotread.la

# The names that -e takes
BUILT_SOURCES += tools/cat-names.h
CLEANFILES += tools/cat-names.h
EXTRA_DIST += tools/cat-names.awk
tools/cat-names.h: tools/cat-names.awk lib/calls.def
	$(AM_V_GEN)$(MKDIR_P) tools && \
	$(AWK) -f $(srcdir)/tools/cat-names.awk $(srcdir)/lib/calls.def >$@.tmp && mv $@.tmp $@
