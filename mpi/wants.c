/* SPDX-License-Identifier: BSD-3-Clause */
/* wants.c - has needs.c linked with the wrappers, unless the command line defines its name. */
#include <mpi.h>

int iot_needs_mpi(MPI_Comm comm, int *size);
extern void *const iot_wants_mpi;
void *const iot_wants_mpi = (void *)iot_needs_mpi;
