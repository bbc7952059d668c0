# SPDX-License-Identifier: BSD-3-Clause
# The tests: TAP, through automake's driver under `make check`, or with
# `prove` on any of them once everything is built.
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
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
	echo ": \"\$${IOT_MPIS=$(IOT_MPIS)}\" \"\$${IOT_MPI_openmpi_CC=$(IOT_MPI_openmpi_CC)}\""; \
	echo ": \"\$${IOT_MPI_mpich_CC=$(IOT_MPI_mpich_CC)}\""; \
	echo ": \"\$${FC=$(IOT_GFORTRAN)}\""; \
	echo "export CC CXX FC NM AWK IOT_LIBC_A IOT_MUSL_CC"; \
	} >$@.tmp && mv $@.tmp $@

EXTRA_DIST += t/lib/tap.sh

include t/read.mk
include t/pack.mk
include t/stat.mk
include t/iocc.mk
include t/dynamic.mk
include t/mpi.mk
include t/audit.mk
include t/oracle.mk
include t/doc.mk
include t/recorder.mk
include t/hostile.mk
include t/proof.mk

EXTRA_DIST += $(TESTS)
