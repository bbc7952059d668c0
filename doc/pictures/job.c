/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - what the pictures show: ranks compute, write checkpoints together, of which one comes late
   each time, flush a journal line by line, and read what rank 0 has prepared. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iotrace.h"

#define STEPS 4
#define PIECES 256
#define PIECE  1024

static char block[PIECES * PIECE];
static int rank, ranks;

static void prepare(void)
{
	FILE *f = rank ? NULL : fopen("input/parameters.txt", "w");
	int i;

	for (i = 0; f && i < 4000; i++)
		fprintf(f, "%d %g\n", i, i * 0.25);
	if (f)
		fclose(f);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void read_input(void)
{
	FILE *f = fopen("input/parameters.txt", "r");
	char line[80];

	setvbuf(f, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), f))
		;
	fclose(f);
}

static void journal(FILE *f, int step)
{
	int i;

	for (i = 0; i < 150; i++) {
		fprintf(f, "rank %d step %d residual %g\n", rank, step, 1. / (i + 1));
		fflush(f);
	}
}

static void checkpoint(MPI_File fh, int step)
{
	usleep(rank == step % ranks ? 30000 : 4000); /* computing */
	MPI_File_write_all(fh, block, sizeof(block), MPI_CHAR, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	char name[40];
	MPI_Datatype strided;
	MPI_Info hints;
	MPI_File fh;
	FILE *f;
	int step;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	mkdir("input", 0755);
	prepare();
	if (!rank)
		iotrace_mark("input is there");
	read_input();
	MPI_Info_create(&hints);
	MPI_Info_set(hints, "cb_nodes", "2");
	MPI_Info_set(hints, "romio_cb_write", "enable");
	MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_CHAR, &strided);
	MPI_Type_commit(&strided);
	MPI_File_open(MPI_COMM_WORLD, "checkpoint.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &fh);
	MPI_File_set_view(fh, PIECE * rank, MPI_CHAR, strided, "native", hints);
	snprintf(name, sizeof(name), "journal.%d", rank);
	f = fopen(name, "w");
	for (step = 0; step < STEPS; step++) {
		if (!rank)
			iotrace_mark("step");
		journal(f, step);
		checkpoint(fh, step);
	}
	fclose(f);
	MPI_File_close(&fh);
	MPI_Type_free(&strided);
	MPI_Info_free(&hints);
	MPI_Finalize();
	return 0;
}
