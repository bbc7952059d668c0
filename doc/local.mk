# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += doc/iotrace-audit.1
dist_man_MANS += doc/iocc.1 doc/io-gcc.1 doc/io-clang.1
if HAVE_CXX
dist_man_MANS += doc/iocxx.1 doc/io-g++.1 doc/io-clang++.1
endif
if HAVE_FC
dist_man_MANS += doc/iof77.1 doc/iof90.1 doc/io-gfortran.1 doc/iotrace-fortran.7
endif
if HAVE_MPI
dist_man_MANS += doc/iompicc.1
endif
if HAVE_MPI_CXX
dist_man_MANS += doc/iompicxx.1
endif
if HAVE_MPI_FC
dist_man_MANS += doc/iompif77.1 doc/iompif90.1
endif
dist_man_MANS += doc/iotrace-format.5 doc/iotrace-json.5
if HAVE_OPENMPI
dist_man_MANS += doc/iotrace-stat-openmpi.1
else
EXTRA_DIST += doc/iotrace-stat-openmpi.1
endif
if HAVE_MPICH
dist_man_MANS += doc/iotrace-stat-mpich.1
else
EXTRA_DIST += doc/iotrace-stat-mpich.1
endif
dist_man_MANS += doc/iotrace-ctl.1
dist_man_MANS += doc/iotrace-drop-cache.1 doc/iotrace-warm.1
dist_man_MANS += doc/iotrace-pack.1
if HAVE_D3
dist_man_MANS += doc/iotrace-report.1
else
EXTRA_DIST += doc/iotrace-report.1
endif
dist_man_MANS += doc/iotrace.1 doc/iotrace-run.1
dist_man_MANS += doc/iotrace.7 doc/iotrace.h.3 doc/libiotrace-read.3
dist_man_MANS += doc/iotrace-admin.7 doc/iotrace-recipes.7
dist_man_MANS += doc/iotrace-stat.1

# The README's, made by hand: doc/pictures/make.sh BUILD
EXTRA_DIST += doc/report-mpi.png doc/report-timeline.png
EXTRA_DIST += doc/pictures/job.c doc/pictures/make.sh doc/pictures/shoot.py

# $(call fill_in,NAME) makes of a page's .in the page, with what is in $@.list in the place of @NAME@.
fill_in = $(SED) -e '/^@$(1)@$$/{r $@.list' -e 'd;}' $(srcdir)/$@.in >$@.tmp && rm $@.list && mv $@.tmp $@

filled_in = doc/iotrace-cat.1 doc/iotrace-export.1 doc/iotrace-findings.7
nodist_man_MANS += $(filled_in)
CLEANFILES += $(filled_in)
EXTRA_DIST += $(filled_in:=.in)
# $(call formats_page,FORMATS): one with the formats of the files in that folder
formats_page = $(MKDIR_P) $(@D) && (cd $(srcdir) && $(run_rows_awk) -v form=page -v macro=FORMAT $(1)) >$@.list && \
	$(call fill_in,formats)
doc/iotrace-cat.1: doc/iotrace-cat.1.in $(tools_cat_formats_sources) table/rows.awk tools/cat/formats/sources.mk
	$(AM_V_GEN)$(call formats_page,$(tools_cat_formats_sources))
doc/iotrace-export.1: doc/iotrace-export.1.in $(tools_export_formats_sources) table/rows.awk tools/export/formats/sources.mk
	$(AM_V_GEN)$(call formats_page,$(tools_export_formats_sources))
doc/iotrace-findings.7: doc/iotrace-findings.7.in doc/findings$(EXEEXT)
	$(AM_V_GEN)doc/findings$(EXEEXT) >$@.list && $(call fill_in,findings)
noinst_PROGRAMS += doc/findings
doc_findings_SOURCES = doc/findings.c
doc_findings_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la

# Made where the wrappers are made, from the same names of libc.a
nodist_man_MANS += doc/iotrace-calls.7
CLEANFILES += doc/iotrace-calls.7
EXTRA_DIST += doc/iotrace-calls.7.in doc/calls.awk
doc/iotrace-calls.7: doc/iotrace-calls.7.in doc/calls.awk lib/gen.stamp $(iot_kinds) table/families.def t/coverage/left-out.txt \
	t/dynamic/differences.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && libc=`cd "\`dirname '$(IOT_LIBC_A)'\`" && pwd -P` && \
	LC_ALL=C $(AWK) -v libc="$$libc/libc.a" -f $(srcdir)/doc/calls.awk lib/gen/calls.txt \
		$(srcdir)/t/coverage/left-out.txt $(srcdir)/t/dynamic/differences.txt $(iot_kinds:%=$(srcdir)/%) \
		$(srcdir)/table/families.def $(srcdir)/doc/iotrace-calls.7.in >$@.tmp && mv $@.tmp $@

# where the time of a traced call goes
EXTRA_DIST += doc/cost.txt
