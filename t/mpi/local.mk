# SPDX-License-Identifier: BSD-3-Clause
# MPI-IO.
TESTS += \
	t/mpi/basic.t \
	t/mpi/behind.t \
	t/mpi/bindings.t \
	t/mpi/clock.t \
	t/mpi/cmake.t \
	t/mpi/collective.t \
	t/mpi/comm.t \
	t/mpi/fortran.t \
	t/mpi/invalid.t \
	t/mpi/merge.t \
	t/mpi/names.t \
	t/mpi/order.t \
	t/mpi/own.t \
	t/mpi/processes.t \
	t/mpi/requests.t \
	t/mpi/run.t \
	t/mpi/shared.t \
	t/mpi/stat.t \
	t/mpi/types.t \
	t/mpi/wrap.t \
	t/mpi/wrappers.t \
	t/mpi/wrong.t
EXTRA_DIST += \
	t/mpi/again.c \
	t/mpi/basic.c \
	t/mpi/bindings.F90 \
	t/mpi/bindings.cc \
	t/mpi/bindings.txt \
	t/mpi/collective.c \
	t/mpi/comm.c \
	t/mpi/comm.f90 \
	t/mpi/fail.c \
	t/mpi/invalid.awk \
	t/mpi/invalid.c \
	t/mpi/merge.c \
	t/mpi/names.c \
	t/mpi/order.f90 \
	t/mpi/own.c \
	t/mpi/processes.c \
	t/mpi/requests.c \
	t/mpi/say.h \
	t/mpi/shared.c \
	t/mpi/spawn.c \
	t/mpi/statements.f90 \
	t/mpi/tool.c \
	t/mpi/types.c \
	t/mpi/udev.c \
	t/mpi/win.c \
	t/mpi/wrong.c
