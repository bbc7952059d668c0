/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shrike.c - ranks count prey in squares of a moor; now and then all squares go to a file, as lines of text.
 *
 * build: iompicc openmpi
 * ranks: 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SQUARES 60000 /* of a rank */
#define LINE	20
#define SURVEYS 5

static int rank, ranks, *prey;

static void count(int survey)
{
	for (int i = 0; i < SQUARES; i++)
		prey[i] += (i * 7 + rank + survey) % 5;
}

static size_t format(char *text, const int *counts, int first)
{
	for (int i = 0; i < SQUARES; i++, text += LINE) {
		char line[LINE + 1];

		snprintf(line, sizeof(line), "%9d%10d\n", first + i, counts[i]);
		for (int k = 0; k < LINE; k++)
			text[k] = line[k];
	}
	return (size_t)SQUARES * LINE;
}

#ifdef FIXED
static void store(const char *name)
{
	char *text = malloc((size_t)SQUARES * LINE);
	size_t n = format(text, prey, rank * SQUARES);
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, (MPI_Offset)n * rank, text, (int)n, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	free(text);
}
#else
static void save(const char *name, const char *text, size_t n)
{
	FILE *file = fopen(name, "w");

	if (!file || fwrite(text, 1, n, file) != n || fclose(file)) /* FINDING serial-io moor~.txt */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void store(const char *name)
{
	int *theirs = malloc(SQUARES * sizeof(*theirs));
	char *text = malloc((size_t)SQUARES * LINE * (size_t)ranks);
	size_t n = 0;

	if (rank) {
		MPI_Send(prey, SQUARES, MPI_INT, 0, 1, MPI_COMM_WORLD);
	} else {
		n += format(text, prey, 0);
		for (int from = 1; from < ranks; from++) {
			MPI_Recv(theirs, SQUARES, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			n += format(text + n, theirs, from * SQUARES);
		}
		save(name, text, n);
	}
	free(text);
	free(theirs);
	MPI_Barrier(MPI_COMM_WORLD);
}
#endif

int main(int argc, char **argv)
{
	char name[32];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	prey = calloc(SQUARES, sizeof(*prey));
	for (int i = 0; i < SURVEYS; i++) {
		count(i);
		snprintf(name, sizeof(name), "moor%d.txt", i);
		store(name);
	}
	free(prey);
	MPI_Finalize();
	return 0;
}
