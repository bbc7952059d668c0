# SPDX-License-Identifier: BSD-3-Clause
include tools/cat/formats/sources.mk
bin_PROGRAMS += tools/iotrace-cat
# All formats: a file of formats/ is one
BUILT_SOURCES += tools/cat/formats.list
CLEANFILES += tools/cat/formats.list
tools/cat/formats.list: $(tools_cat_formats_sources) table/rows.awk tools/cat/formats/sources.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && $(run_rows_awk) -v macro=FORMAT $(tools_cat_formats_sources)) >$@.tmp && mv $@.tmp $@
# Printing calls: t/fuzz does that, too.
cat_print_sources = \
	tools/cat/args.c \
	tools/cat/cache.c \
	$(tools_cat_formats_sources) \
	tools/cat/formats.c \
	tools/cat/json-stack.c \
	tools/cat/notes.c \
	tools/cat/operation.c \
	tools/cat/table.c \
	tools/cat/words.c \
	tools/cat/cat.h \
	tools/common/addr.c \
	tools/common/fields.c \
	tools/common/fields.h
tools_iotrace_cat_SOURCES = \
	$(tool_sources) \
	$(cat_print_sources) \
	tools/cat/about.c \
	tools/cat/follow.c \
	tools/cat/left.c \
	tools/cat/main.c \
	tools/cat/options.c \
	tools/cat/print.c \
	tools/common/unseen.c
nodist_tools_iotrace_cat_SOURCES = tools/common/filter-names.h
tools_iotrace_cat_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(SQLITE_CFLAGS)
tools_iotrace_cat_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(SQLITE_LIBS)
