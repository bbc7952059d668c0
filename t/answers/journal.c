/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.c - ranks note what they do in one file, in any order.
 *
 * build: iompicc openmpi
 * ranks: 4
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define ENTRIES 400
#define ENTRY	64

static int rank;

static void entry(char *text, int number)
{
	memset(text, ' ', ENTRY);
	text[snprintf(text, ENTRY, "rank %d, step %d", rank, number)] = ' ';
	text[ENTRY - 1] = '\n';
}

int main(int argc, char **argv)
{
	static char all[ENTRIES * ENTRY];
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (MPI_File_open(MPI_COMM_WORLD, "journal.txt", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < ENTRIES; i++) {
		entry(all + i * ENTRY, i);
#ifndef FIXED
		MPI_File_write_shared(f, all + i * ENTRY, ENTRY, MPI_CHAR, MPI_STATUS_IGNORE); /* FINDING shared-pointer journal.txt */
#endif
	}
#ifdef FIXED
	MPI_File_write_at_all(f, (MPI_Offset)rank * (MPI_Offset)sizeof(all), all, sizeof(all), MPI_CHAR, MPI_STATUS_IGNORE);
#endif
	MPI_File_close(&f);
	MPI_Finalize();
	return 0;
}
