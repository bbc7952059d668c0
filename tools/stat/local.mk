# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += tools/iotrace-stat
stat_sources = \
	$(tool_sources) \
	tools/stat/by-time.h \
	tools/stat/constellation.c \
	tools/stat/head.c \
	tools/stat/job.c \
	tools/stat/json-line.c \
	tools/stat/json.c \
	tools/stat/member.h \
	tools/stat/seeks.c \
	tools/stat/stat.h \
	tools/stat/text.c \
	tools/stat/time.c
# runs compared, for iotrace-report, too
diff_sources = \
	tools/stat/compare.c \
	tools/stat/diff-data.c \
	tools/stat/diff.h \
	tools/stat/match.c \
	tools/stat/runs.c
if HAVE_JSON
diff_sources += tools/stat/run.c
else
diff_sources += tools/stat/run-none.c
endif
tools_iotrace_stat_SOURCES = \
	tools/stat/analyse.c \
	tools/stat/diff-text.c \
	tools/stat/diff.c \
	tools/stat/fail-if.c \
	tools/stat/file.c \
	tools/stat/file.h \
	tools/stat/main.c \
	tools/stat/options.c \
	tools/stat/parallel.c \
	tools/stat/part.c \
	tools/stat/part.h \
	tools/stat/requests.c \
	tools/stat/rule.c \
	$(diff_sources) \
	$(stat_sources)
nodist_tools_iotrace_stat_SOURCES = tools/common/filter-names.h
tools_iotrace_stat_CPPFLAGS = $(AM_CPPFLAGS) -Itools/common $(JSON_CFLAGS) $(SQLITE_CFLAGS)
tools_iotrace_stat_LDADD = analysis/libiotrace-analysis.la reader/libiotrace-read.la $(JSON_LIBS) $(SQLITE_LIBS)

# The same to be run by mpirun, for each MPI that configure found: all but what reads in parallel.
stat_mpi_objects = $(filter-out %parallel.$(OBJEXT),$(tools_iotrace_stat_OBJECTS))
if HAVE_OPENMPI
bin_PROGRAMS += tools/iotrace-stat-openmpi
endif
tools_iotrace_stat_openmpi_SOURCES = tools/stat/ranks.c
tools_iotrace_stat_openmpi_CPPFLAGS = $(tools_iotrace_stat_CPPFLAGS) $(filter -I%,$(IOT_MPI_openmpi_FLAGS))
tools_iotrace_stat_openmpi_DEPENDENCIES = $(tools_iotrace_stat_OBJECTS) $(tools_iotrace_stat_DEPENDENCIES)
tools_iotrace_stat_openmpi_LDADD = $(stat_mpi_objects) $(tools_iotrace_stat_LDADD) $(filter -l% -L%,$(IOT_MPI_openmpi_FLAGS))
if HAVE_MPICH
bin_PROGRAMS += tools/iotrace-stat-mpich
endif
tools_iotrace_stat_mpich_SOURCES = tools/stat/ranks.c
tools_iotrace_stat_mpich_CPPFLAGS = $(tools_iotrace_stat_CPPFLAGS) $(filter -I%,$(IOT_MPI_mpich_FLAGS))
tools_iotrace_stat_mpich_DEPENDENCIES = $(tools_iotrace_stat_OBJECTS) $(tools_iotrace_stat_DEPENDENCIES)
tools_iotrace_stat_mpich_LDADD = $(stat_mpi_objects) $(tools_iotrace_stat_LDADD) $(filter -l% -L%,$(IOT_MPI_mpich_FLAGS))
