/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lapwing.c - one rank makes a catalogue.  Later it reads all of it, and gives it to the others,
 * which need all of it, too.
 *
 * build: iompicc openmpi
 * ranks: 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES 200000

static void make(void)
{
	FILE *f = fopen("catalogue", "w");

	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < LINES; i++)
		fprintf(f, "%d %d stars and what is known of them\n", i, i % 977);
	fclose(f);
}

static char *load(long *n)
{
	FILE *f = fopen("catalogue", "r");
	char *text;

	if (!f || fseek(f, 0, SEEK_END))
		MPI_Abort(MPI_COMM_WORLD, 1);
	*n = ftell(f);
	rewind(f);
	text = malloc((size_t)*n);
	if (!text || fread(text, 1, (size_t)*n, f) != (size_t)*n)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fclose(f);
	return text;
}

int main(int argc, char **argv)
{
	long n = 0, lines = 0;
	char *text = NULL;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!rank) {
		make();
		text = load(&n);
	}
	MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
	text = rank ? malloc((size_t)n) : text;
	MPI_Bcast(text, (int)n, MPI_CHAR, 0, MPI_COMM_WORLD);
	for (long i = 0; i < n; i++)
		lines += text[i] == '\n';
	free(text);
	if (!rank)
		printf("%ld\n", lines);
	MPI_Finalize();
	return 0;
}
