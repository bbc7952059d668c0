/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - classes of errors, which are other numbers in each MPI. */
#include "iompi.h"

enum {
#define MPI_ERROR(name, io, text) NUMBER_##name,
#include "../table/mpi-errors.def"
#undef MPI_ERROR
};

/* What a record has in place of errno. */
uint32_t iot_mpi_error(int class)
{
	switch (class) {
#define MPI_ERROR(name, io, text)                                                                \
	case MPI_ERR_##name:                                                               \
		return IOT_ERR_MPI + NUMBER_##name;
#include "../table/mpi-errors.def"
#undef MPI_ERROR
	default:
		return IOT_ERR_MPI + NUMBER_UNKNOWN;
	}
}

/* The arguments were what they should be. */
bool iot_mpi_error_of_io(int class)
{
	switch (class) {
#define MPI_ERROR(name, io, text)                                                                \
	case MPI_ERR_##name:                                                               \
		return io;
#include "../table/mpi-errors.def"
#undef MPI_ERROR
	default:
		return false;
	}
}
