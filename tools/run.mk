# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace tools/iotrace-run
tools_iotrace_SOURCES = tools/iotrace.c
tools_iotrace_run_SOURCES = tools/iotrace-run.c tools/run.h tools/run-env.c tools/run-look.c
tools_iotrace_run_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
