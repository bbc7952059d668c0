# SPDX-License-Identifier: BSD-3-Clause
# The tests: TAP, through automake's driver under `make check`, or with
# `prove` on any of them once everything is built.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/t/lib/driver.sh $(top_srcdir)/build-aux/tap-driver.sh
# A test that failed exits with 1, but failed once; one that died has no plan.
T_LOG_DRIVER_FLAGS = --ignore-exit
AM_TESTS_ENVIRONMENT = \
	top_builddir='$(abs_top_builddir)'; export top_builddir;
TESTS =

noinst_DATA += t/env.sh
CLEANFILES += t/env.sh
t/env.sh: Makefile
	$(AM_V_GEN)$(MKDIR_P) t && { \
	echo "# made by make: what configure found, for tests"; \
	echo ": \"\$${CC=$(CC)}\" \"\$${CXX=$(CXX)}\" \"\$${NM=$(NM)}\""; \
	echo ": \"\$${AWK=$(AWK)}\" \"\$${IOT_LIBC_A=$(IOT_LIBC_A)}\" \"\$${IOT_MUSL_CC=$(IOT_MUSL_CC)}\""; \
	echo ": \"\$${IOT_ARCH=$(IOT_ARCH)}\" \"\$${IOT_DEFAULT_OFF=$(IOT_DEFAULT_OFF)}\""; \
	echo ": \"\$${IOT_MPIS=$(IOT_MPIS)}\" \"\$${IOT_MPI_openmpi_CC=$(IOT_MPI_openmpi_CC)}\""; \
	echo ": \"\$${IOT_MPI_mpich_CC=$(IOT_MPI_mpich_CC)}\""; \
	echo ": \"\$${FC=$(IOT_GFORTRAN)}\" \"\$${IOT_DEFAULTS=$(IOT_DEFAULTS)}\""; \
	echo "export CC CXX FC NM AWK IOT_LIBC_A IOT_MUSL_CC IOT_ARCH"; \
	} >$@.tmp && mv $@.tmp $@

EXTRA_DIST += \
	t/check-aio.sh \
	t/check-gcc.sh \
	t/check-hostile.sh \
	t/check-hpc.sh \
	t/check-long.sh \
	t/check-ranks.sh \
	t/check-real.sh \
	t/check-run.sh \
	t/installcheck.sh

# first what takes long, for nothing to be left to wait for
include t/step/local.mk
include t/report/local.mk
include t/stacks/local.mk
include t/aio/local.mk
include t/answers/local.mk
include t/audit/local.mk
include t/cat/local.mk
include t/coverage/local.mk
include t/demo/local.mk
include t/dispatch/local.mk
include t/doc/local.mk
include t/dynamic/local.mk
include t/export/local.mk
include t/faults/local.mk
include t/fortran/local.mk
include t/found/local.mk
include t/fuzz/local.mk
include t/hostile/local.mk
include t/iocc/local.mk
include t/kill/local.mk
include t/lib/local.mk
include t/model/local.mk
include t/mpi/local.mk
include t/oracle/local.mk
include t/pack/local.mk
include t/pointers/local.mk
include t/progs/local.mk
include t/python/local.mk
include t/read/local.mk
include t/real/local.mk
include t/recorder/local.mk
include t/run/local.mk
include t/stat/local.mk
include t/tasks/local.mk
include t/tools/local.mk
include t/uring/local.mk

EXTRA_DIST += $(TESTS)

# The real programs' own test suites, with and without iocc: takes long.
check-real: all
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-real.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-run.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-aio.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-hpc.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-gcc.sh
.PHONY: check-real

# Compile and trace a program with what was installed.
installcheck-local: installcheck-iotrace
installcheck-iotrace:
	DESTDIR='$(DESTDIR)' bindir='$(bindir)' $(SHELL) $(srcdir)/t/installcheck.sh '$(srcdir)/t/demo/report.c'
.PHONY: installcheck-iotrace

distclean-local: distclean-real
distclean-real:
	-rm -rf real
.PHONY: distclean-real

# How many seconds each script took in the last `make check`, the longest last, and how many of
# processor time
check-times:
	@find t -name '*.trs' -exec $(AWK) '$$1 == ":seconds:" { seconds = $$2 } \
	$$1 == ":processor-seconds:" { \
		sub(/trs$$/, "t", FILENAME); printf "%5d %5d %s\n", seconds, $$2, FILENAME \
	}' {} + | sort -n
.PHONY: check-times

# What takes long for what it tells
check-long: all t/kill/kills t/step/step
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-long.sh
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/t/check-ranks.sh
.PHONY: check-long
