# SPDX-License-Identifier: BSD-3-Clause
# MPI-IO.
TESTS += \
	t/mpi-basic.t \
	t/mpi-bindings.t \
	t/mpi-clock.t \
	t/mpi-merge.t \
	t/mpi-names.t \
	t/mpi-run.t

EXTRA_DIST += t/lib/mpi.sh t/mpi/basic.c t/mpi/bindings.F90 t/mpi/bindings.cc t/mpi/bindings.txt \
	t/mpi/merge.c t/mpi/names.c t/coverage/mpi.txt t/demo/field.c t/mpi/udev.c
