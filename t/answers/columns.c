/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.c - adds up each column of blocks of a matrix that is stored row by row.
 *
 * build: iocc -static
 * input: head -c 16M /dev/zero >matrix.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROWS	512
#define COLUMNS 8
#define BLOCK	512 /* numbers: 4 KiB */

static double sum[COLUMNS];

static void add(int column, const double *block)
{
	for (int i = 0; i < BLOCK; i++)
		sum[column] += block[i];
}

static void get(int fd, double *to, int row, int column, int blocks)
{
	size_t size = (size_t)blocks * BLOCK * sizeof(*to);
	off_t at = ((off_t)row * COLUMNS + column) * BLOCK * (off_t)sizeof(*to);

	if (pread(fd, to, size, at) != (ssize_t)size)
		err(1, "matrix.bin");
}

int main(void)
{
	double *part = malloc(ROWS * COLUMNS * BLOCK * sizeof(*part));
	int fd = open("matrix.bin", O_RDONLY);

	if (!part || fd < 0)
		err(1, "matrix.bin");
#ifdef FIXED
	/* 64 rows at a time */
	for (int row = 0; row < ROWS; row += 64) {
		get(fd, part, row, 0, 64 * COLUMNS);
		for (int i = 0; i < 64 * COLUMNS; i++)
			add(i % COLUMNS, part + i * BLOCK);
	}
#else
	for (int column = 0; column < COLUMNS; column++)
		for (int row = 0; row < ROWS; row++) {
			get(fd, part, row, column, 1); /* FINDING strided matrix.bin */
			add(column, part);
		}
#endif
	close(fd);
	printf("%g\n", sum[0]);
	free(part);
	return 0;
}
