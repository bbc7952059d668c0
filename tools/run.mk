# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace tools/iotrace-run
tools_iotrace_SOURCES = tools/iotrace.c
tools_iotrace_run_SOURCES = \
	lib/core/regex.c \
	lib/core/regex.h \
	lib/core/setting.c \
	lib/core/setting.h \
	tools/iotrace-run.c \
	tools/run-env.c \
	tools/run-look.c \
	tools/run-mpi.c \
	tools/run.h \
	tools/where.c \
	tools/where.h
tools_iotrace_run_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' -DPKGLIBDIR='"$(pkglibdir)"' \
	-DIOT_MPI_OPENMPI='"$(IOT_MPI_openmpi_SONAME)"' -DIOT_MPI_MPICH='"$(IOT_MPI_mpich_SONAME)"'
