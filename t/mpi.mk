# SPDX-License-Identifier: BSD-3-Clause
# MPI-IO.
TESTS += \
	t/mpi-basic.t

EXTRA_DIST += t/lib/mpi.sh t/mpi/basic.c t/mpi/udev.c
