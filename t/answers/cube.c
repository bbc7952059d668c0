/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cube.c - goes through a cube of measurements, which HDF5 has stored in chunks, compressed.
 *
 * build: iocc
 * as: queries
 * package: hdf5-serial
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS	512
#define COLUMNS 2048
#define CHUNK	512 /* square: 2 MiB, more than the cache holds */

static float *field;

static void make(void)
{
	hsize_t size[2] = {ROWS, COLUMNS}, chunk[2] = {CHUNK, CHUNK};
	hid_t file = H5Fcreate("cube.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;

	H5Pset_chunk(list, 2, chunk);
	H5Pset_deflate(list, 1);
	set = H5Dcreate2(file, "cube", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
	H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, field);
	H5Dclose(set);
	H5Pclose(list);
	H5Sclose(space);
	H5Fclose(file);
}

static void get(hid_t set, hsize_t row, hsize_t rows)
{
	hsize_t from[2] = {row, 0}, n[2] = {rows, COLUMNS};
	hid_t part = H5Dget_space(set), memory = H5Screate_simple(2, n, NULL);

	H5Sselect_hyperslab(part, H5S_SELECT_SET, from, NULL, n, NULL);
	if (H5Dread(set, H5T_NATIVE_FLOAT, memory, part, H5P_DEFAULT, field) < 0) /* FINDING reread cube.h5 */
		exit(1);
	H5Sclose(part);
	H5Sclose(memory);
}

static double add(hid_t set)
{
	double sum = 0;

#ifdef FIXED
	get(set, 0, ROWS);
	for (int row = 0; row < ROWS; row++)
		sum += field[row * COLUMNS + row];
#else
	for (hsize_t row = 0; row < ROWS; row += 16) {
		get(set, row, 16); /* FINDING reread cube.h5 */
		for (int i = 0; i < 16; i++)
			sum += field[(hsize_t)i * COLUMNS + row + (hsize_t)i];
	}
#endif
	return sum;
}

int main(void)
{
	hid_t file, access = H5Pcreate(H5P_DATASET_ACCESS), set;

	field = calloc((size_t)ROWS * COLUMNS, sizeof(*field));
	for (int i = 0; i < ROWS * COLUMNS; i++)
		field[i] = (float)(i * 7919 % 100003);
	make();
	file = H5Fopen("cube.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
	H5Pset_chunk_cache(access, 521, 512 << 10, 0.75);
	set = H5Dopen2(file, "cube", access);
	printf("%g\n", add(set)); /* FINDING reread cube.h5 */
	H5Dclose(set);
	H5Fclose(file);
	return 0;
}
