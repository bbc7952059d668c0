/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eddies.c - ranks have some rows of each layer of a sea, and write all layers together.
 *
 * build: iompicc static
 * as: join
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

#define LAYERS 600
#define ROW    256 /* numbers of a rank in a layer: 2 KiB */

static void check(int error)
{
	if (error != MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double *mine;
	MPI_Datatype part;
	MPI_Info hints;
	MPI_File f;
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	mine = calloc((size_t)LAYERS * ROW, sizeof(*mine));
	MPI_Info_create(&hints);
#ifndef FIXED
	MPI_Info_set(hints, "romio_cb_write", "disable");
	MPI_Info_set(hints, "romio_ds_write", "disable");
#endif
	MPI_Type_vector(LAYERS, ROW, ROW * ranks, MPI_DOUBLE, &part);
	MPI_Type_commit(&part);
	check(MPI_File_open(MPI_COMM_WORLD, "eddies.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, hints, &f));
	check(MPI_File_set_view(f, (MPI_Offset)rank * ROW * (MPI_Offset)sizeof(*mine), MPI_DOUBLE, part, "native", MPI_INFO_NULL));
	check(MPI_File_write_all(f, mine, LAYERS * ROW, MPI_DOUBLE, MPI_STATUS_IGNORE)); /* FINDING interleaved|strided|small-writes eddies.dat */
	check(MPI_File_close(&f));
	MPI_Info_free(&hints);
	MPI_Type_free(&part);
	free(mine);
	MPI_Finalize();
	return 0;
}
