/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algae.c - keeps how much algae there is, day by day, in an HDF5 file.
 *
 * build: iocc
 * as: grid
 * package: hdf5-serial
 */
#include <hdf5.h>
#include <stdlib.h>

#define DAYS 2000

static hid_t file, set;

static void keep(const double *v)
{
	hsize_t n[1] = {64}, from[1];
	static hsize_t day;
	hid_t part = H5Dget_space(set), memory = H5Screate_simple(1, n, NULL);

	from[0] = day++ * 64;
	H5Sselect_hyperslab(part, H5S_SELECT_SET, from, NULL, n, NULL);
	if (H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, v) < 0)
		exit(1);
	H5Sclose(part);
	H5Sclose(memory);
#ifndef FIXED
	H5Fflush(file, H5F_SCOPE_GLOBAL); /* FINDING flushed|small-writes|overwritten|scattered|unbuffered algae.h5 */
#endif
}

int main(void)
{
	hsize_t size[1] = {DAYS * 64}, chunk[1] = {4096};
	hid_t space, list = H5Pcreate(H5P_DATASET_CREATE);
	double v[64];

	file = H5Fcreate("algae.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	space = H5Screate_simple(1, size, NULL);
	H5Pset_chunk(list, 1, chunk);
	set = H5Dcreate2(file, "algae", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
	for (int i = 0; i < DAYS; i++) {
		for (int j = 0; j < 64; j++)
			v[j] = i * j;
		keep(v); /* FINDING flushed|small-writes|overwritten|scattered|unbuffered algae.h5 */
	}
	H5Dclose(set);
	H5Fclose(file);
	return 0;
}
