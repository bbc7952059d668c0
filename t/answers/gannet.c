/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gannet.c - flights are added to a data set of HDF5 with chunks of 16 numbers, 16 by 16, by a
 * function with one caller.
 *
 * build: iocc
 * package: hdf5-serial
 * as: kelp
 */
#include <hdf5.h>
#include <stdlib.h>
#define N 16
#define BLOCKS 4000
#ifdef FIXED
#define CHUNK 16384
#else
#define CHUNK 16
#endif
static void add(hid_t set, hsize_t at, const double *x, hsize_t n)
{
	hid_t space = H5Dget_space(set), mem = H5Screate_simple(1, &n, NULL);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &n, NULL);
	H5Dwrite(set, H5T_NATIVE_DOUBLE, mem, space, H5P_DEFAULT, x);
	H5Sclose(mem);
	H5Sclose(space);
}

static void record_flights(hid_t file)
{
	hsize_t n = N * BLOCKS, chunk = CHUNK;
	double x[N] = {1, 2};
	hid_t set, space = H5Screate_simple(1, &n, NULL), list = H5Pcreate(H5P_DATASET_CREATE);

	H5Pset_chunk(list, 1, &chunk);
	set = H5Dcreate2(file, "flights", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
	for (int i = 0; i < BLOCKS; i++)
		add(set, i * N, x, N); /* FINDING small-chunks flights.h5 */
	H5Dclose(set);
	H5Pclose(list);
	H5Sclose(space);
}

int main(void)
{
	hid_t file = H5Fcreate("flights.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

	record_flights(file);
	H5Fclose(file);
	return 0;
}
