/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atlas.c - ranks write the pages of an atlas.
 *
 * build: iompicc mpich
 * as: commits
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

#define PAGES 60
#define PAGE  8192

static void put(MPI_File f, int page, const char *from)
{
	if (MPI_File_write_at_all(f, (MPI_Offset)page * PAGE, from, PAGE, MPI_CHAR, MPI_STATUS_IGNORE))
		MPI_Abort(MPI_COMM_WORLD, 1);
#ifndef FIXED
	MPI_File_sync(f); /* FINDING sync atlas.dat */
#endif
}

int main(int argc, char **argv)
{
	char *page = calloc(1, PAGE);
	int rank;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (MPI_File_open(MPI_COMM_WORLD, "atlas.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < PAGES; i++)
		put(f, rank * PAGES + i, page); /* FINDING sync atlas.dat */
#ifdef FIXED
	MPI_File_sync(f);
#endif
	MPI_File_close(&f);
	free(page);
	MPI_Finalize();
	return 0;
}
