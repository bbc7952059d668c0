/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otter.c - a river's heights, day by day, into a data set whose chunks are of 64 days and
 * larger than HDF5's cache of chunks: each day its chunk is read, and written again.
 *
 * build: iocc
 * package: hdf5
 */
#include <hdf5.h>
#include <stdlib.h>

#define WIDTH	2304
#define DAYS	128
#define CHUNK	64

static double heights[WIDTH];

static void add_day(hid_t set, hid_t memory, hsize_t day)
{
	hsize_t from[] = { day, 0 }, n[] = { 1, WIDTH };
	hid_t space = H5Dget_space(set);

	for (int i = 0; i < WIDTH; i++)
		heights[i] = (double)(day * 3 + i);
	H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, n, NULL);
	if (H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, heights) < 0) /* FINDING rewritten river.h5 */
		exit(1);
	H5Sclose(space);
}

int main(void)
{
	hsize_t size[] = { DAYS, WIDTH }, chunk[] = { CHUNK, WIDTH }, row[] = { 1, WIDTH };
	hid_t file = H5Fcreate("river.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
	hid_t create = H5Pcreate(H5P_DATASET_CREATE);
	hid_t space = H5Screate_simple(2, size, NULL), memory = H5Screate_simple(2, row, NULL);
	hid_t set;

	H5Pset_chunk(create, 2, chunk);
	H5Pset_shuffle(create);
#ifdef FIXED
	H5Pset_chunk_cache(access, 101, 8 << 20, 0.75);
#endif
	set = H5Dcreate2(file, "heights", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, access);
	for (hsize_t day = 0; day < DAYS; day++)
		add_day(set, memory, day); /* FINDING rewritten river.h5 */
	H5Dclose(set);
	H5Fclose(file);
	return 0;
}
