# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace tools/iotrace-run
tools_iotrace_SOURCES = \
	tools/run/iotrace.c \
	tools/common/where.c \
	tools/common/where.h
tools_iotrace_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' -DPKGLIBDIR='"$(pkglibdir)"'
tools_iotrace_run_SOURCES = \
	$(common_sources) \
	lib/core/regex.c \
	lib/core/regex.h \
	lib/core/setting.c \
	lib/core/setting.def \
	lib/core/setting.h \
	tools/run/main.c \
	tools/cache/pages.c \
	tools/cache/pages.h \
	tools/run/cold.c \
	tools/run/env.c \
	tools/run/files.c \
	tools/run/look.c \
	tools/run/mpi.c \
	tools/run/run.h \
	tools/run/say.c \
	tools/common/where.c \
	tools/common/where.h
tools_iotrace_run_CPPFLAGS = $(AM_CPPFLAGS) -Ilib -DIOT_DEFAULTS='"$(IOT_DEFAULTS)"' \
	$(if $(IOT_DEFAULT_OFF),-DIOT_DEFAULT_OFF) -DBINDIR='"$(bindir)"' -DPKGLIBDIR='"$(pkglibdir)"' \
	-DIOT_MPI_OPENMPI='"$(IOT_MPI_openmpi_SONAME)"' -DIOT_MPI_MPICH='"$(IOT_MPI_mpich_SONAME)"'
lib/core/tools_iotrace_run-setting.$(OBJEXT): lib/call-hashes.h
