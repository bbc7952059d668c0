# SPDX-License-Identifier: BSD-3-Clause
include tools/export/formats/sources.mk
bin_PROGRAMS += tools/iotrace-export
# All formats: a file of formats/ is one
BUILT_SOURCES += tools/export/formats.list
CLEANFILES += tools/export/formats.list
tools/export/formats.list: $(tools_export_formats_sources) table/rows.awk tools/export/formats/sources.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && $(run_rows_awk) -v macro=FORMAT $(tools_export_formats_sources)) >$@.tmp && mv $@.tmp $@
tools_iotrace_export_SOURCES = \
	$(stat_sources) \
	$(tools_export_formats_sources) \
	tools/common/addr.c \
	tools/common/fields.c \
	tools/common/fields.h \
	tools/common/whole.c \
	tools/common/whole.h \
	tools/export/ctf-events.c \
	tools/export/ctf.h \
	tools/export/dict.c \
	tools/export/export.h \
	tools/export/formats.c \
	tools/export/main.c \
	tools/export/options.c \
	tools/export/tracks.c \
	tools/export/tracks.h
tools_iotrace_export_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common -Itools/export $(SQLITE_CFLAGS) $(OTF2_CFLAGS)
if HAVE_SQLITE
tools_iotrace_export_SOURCES += \
	tools/export/sqlite-context.c \
	tools/export/sqlite-db.c \
	tools/export/sqlite-keep.c \
	tools/export/sqlite-nest.c \
	tools/export/sqlite-calls.c \
	tools/export/sqlite-order.c \
	tools/export/sqlite-queue.c \
	tools/export/sqlite-rows.c \
	tools/export/sqlite.h
endif
nodist_tools_iotrace_export_SOURCES = tools/common/filter-names.h
tools_iotrace_export_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(SQLITE_LIBS) $(OTF2_LIBS)

# The database's tables, indices and views, as text in C
BUILT_SOURCES += tools/export/tables-sql.h tools/export/views-sql.h
CLEANFILES += tools/export/tables-sql.h tools/export/views-sql.h
EXTRA_DIST += tools/export/sql.awk tools/export/tables.sql tools/export/views.sql
tools/export/%-sql.h: tools/export/%.sql tools/export/sql.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(AWK) -f $(srcdir)/tools/export/sql.awk $< >$@.tmp && mv $@.tmp $@
