# SPDX-License-Identifier: BSD-3-Clause
# What calls add up to, and what stands out in them: private until its API has settled.
include analysis/rules/sources.mk
noinst_LTLIBRARIES += analysis/libiotrace-analysis.la
analysis_libiotrace_analysis_la_SOURCES = \
	analysis/accesses.c \
	analysis/analysis.h \
	analysis/arcs.c \
	analysis/async.c \
	analysis/async.h \
	analysis/bursts.c \
	analysis/by-all.c \
	analysis/bytes.c \
	analysis/chain.c \
	analysis/code.c \
	analysis/code.h \
	analysis/columns.c \
	analysis/columns.def \
	analysis/constellation.c \
	analysis/constellation.h \
	analysis/cost.c \
	analysis/detail.c \
	analysis/detail.h \
	analysis/draw.h \
	analysis/done.c \
	analysis/events.c \
	analysis/exposed.c \
	analysis/file.c \
	analysis/findings.c \
	analysis/flow.c \
	analysis/frames.c \
	analysis/generic.c \
	analysis/groups.c \
	analysis/hash.c \
	analysis/internal.h \
	analysis/intervals.c \
	analysis/job.c \
	analysis/judge.c \
	analysis/kind.c \
	analysis/lanes.c \
	analysis/lines.c \
	analysis/loops.c \
	analysis/mapped.c \
	analysis/meet.c \
	analysis/memory.c \
	analysis/names.c \
	analysis/nest.h \
	analysis/ops.c \
	analysis/opened.c \
	analysis/order.c \
	analysis/overlap.c \
	analysis/owned.c \
	analysis/page-cache.c \
	analysis/page-cache.h \
	analysis/param.c \
	analysis/part-bytes.c \
	analysis/parts.c \
	analysis/parts.h \
	analysis/phases.c \
	analysis/picture.c \
	analysis/picture.h \
	analysis/pieces.c \
	analysis/ranks.c \
	analysis/region.c \
	analysis/row-fields.h \
	analysis/rows.c \
	analysis/rules/rules.h \
	$(analysis_rules_sources) \
	analysis/runs.c \
	analysis/seeks.c \
	analysis/seeks.h \
	analysis/sharing-names.c \
	analysis/sharing-parts.c \
	analysis/sharing.c \
	analysis/site.c \
	analysis/sharing.h \
	analysis/slices.h \
	analysis/sizes.c \
	analysis/spent.c \
	analysis/spot.c \
	analysis/spots-joined.c \
	analysis/spots.c \
	analysis/spots.h \
	analysis/sum.c \
	analysis/thin.c \
	analysis/thread.c \
	analysis/unlisted.c \
	analysis/watch.c \
	analysis/watch.h \
	analysis/when.c \
	analysis/when.h \
	analysis/words.c \
	analysis/x86.h
nodist_analysis_libiotrace_analysis_la_SOURCES = analysis/call-effects.h analysis/rules.list
analysis_libiotrace_analysis_la_CPPFLAGS = $(AM_CPPFLAGS) $(CAPSTONE_CFLAGS)
analysis_libiotrace_analysis_la_LIBADD = $(CAPSTONE_LIBS) -lm

# All findings: a file of rules/ is one.  Automake would take a rule for judge.lo for one in place of its own.
iota_judge = analysis/libiotrace_analysis_la-judge.lo
$(iota_judge): analysis/rules.list
CLEANFILES += analysis/rules.list
analysis/rules.list: $(analysis_rules_sources) table/rows.awk analysis/rules/sources.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && $(run_rows_awk) -v macro='RULE|LINES' $(analysis_rules_sources)) >$@.tmp && mv $@.tmp $@

# What the tables say that calls do with files
BUILT_SOURCES += analysis/call-effects.h
CLEANFILES += analysis/call-effects.h
analysis/call-effects.h: table/call-effects.awk table/calls.def table/mpi.def table/mpi-comm.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/table/call-effects.awk table/calls.def \
		$(srcdir)/table/mpi.def $(srcdir)/table/mpi-comm.def >$@.tmp && mv $@.tmp $@
