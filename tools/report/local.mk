# SPDX-License-Identifier: BSD-3-Clause
# A page has its script from d3, so there is no iotrace-report without that.
report_page = \
	tools/report/page/address.js \
	tools/report/page/arcs.js \
	tools/report/page/calls.js \
	tools/report/page/compare.js \
	tools/report/page/files.js \
	tools/report/page/heat.js \
	tools/report/page/main.js \
	tools/report/page/model.js \
	tools/report/page/mpi.js \
	tools/report/page/page.css \
	tools/report/page/page.html \
	tools/report/page/processes.js \
	tools/report/page/scribble.js \
	tools/report/page/served.js \
	tools/report/page/spent.js \
	tools/report/page/stacks.js \
	tools/report/page/summary.js \
	tools/report/page/timeline.js
EXTRA_DIST += $(report_page) tools/report/page/bytes.sh
if HAVE_D3
bin_PROGRAMS += tools/iotrace-report
tools_iotrace_report_SOURCES = \
	$(diff_sources) \
	$(stat_sources) \
	tools/common/whole.c \
	tools/common/whole.h \
	tools/report/analyse.c \
	tools/report/assemble.c \
	tools/report/before.c \
	tools/report/data-ranks.c \
	tools/report/data-write.c \
	tools/report/data.c \
	tools/report/data.h \
	tools/report/db.h \
	tools/report/main.c \
	tools/report/fit.c \
	tools/report/make.c \
	tools/report/options.c \
	tools/report/page.h \
	tools/report/serve.h \
	tools/report/source.c
if HAVE_MICROHTTPD
tools_iotrace_report_SOURCES += \
	$(cat_print_sources) \
	tools/cat/options.c \
	tools/report/serve-calls.c \
	tools/report/serve-early.c \
	tools/report/serve-gate.c \
	tools/report/serve-http.c \
	tools/report/serve-http.h \
	tools/report/serve-lists.c \
	tools/report/serve-work.c \
	tools/report/serve.c
else
tools_iotrace_report_SOURCES += tools/report/serve-none.c
endif
if HAVE_SQLITE
tools_iotrace_report_SOURCES += tools/report/db-page.c tools/report/db-picture.c tools/report/db-picture.h tools/report/db-sums.c tools/report/db-tables.c tools/report/db.c
if HAVE_MICROHTTPD
tools_iotrace_report_SOURCES += tools/report/db-calls.c
endif
else
tools_iotrace_report_SOURCES += tools/report/db-none.c
endif
nodist_tools_iotrace_report_SOURCES = tools/common/filter-names.h tools/report/page.c
tools_iotrace_report_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(JSON_CFLAGS) $(MICROHTTPD_CFLAGS) $(SQLITE_CFLAGS)
tools_iotrace_report_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(JSON_LIBS) $(MICROHTTPD_LIBS) $(SQLITE_LIBS)
CLEANFILES += tools/report/page.c
tools/report/page.c: $(report_page) tools/report/page/bytes.sh $(D3)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/tools/report/page/bytes.sh $(D3) $(D3_LICENCE) \
		`for f in $(report_page); do echo $(srcdir)/$$f; done` >$@.tmp && mv $@.tmp $@
endif
