/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kelp.c - stores in an HDF5 file how kelp grows, day by day.
 *
 * build: iocc
 * as: visits
 * package: hdf5-serial
 */
#include <hdf5.h>
#include <stdlib.h>

#define DAYS   200
#define PLANTS 5000

static hid_t create(void)
{
	hsize_t size[2] = {DAYS, PLANTS};
	hid_t file = H5Fcreate("kelp.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, size, NULL);

	H5Dclose(H5Dcreate2(file, "kelp", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	H5Sclose(space);
	return file;
}

static void store(hid_t file, hsize_t day, const float *height)
{
	hsize_t from[2] = {day, 0}, n[2] = {1, PLANTS};
	hid_t set = H5Dopen2(file, "kelp", H5P_DEFAULT), place = H5Dget_space(set);
	hid_t memory = H5Screate_simple(2, n, NULL);

	H5Sselect_hyperslab(place, H5S_SELECT_SET, from, NULL, n, NULL);
	if (H5Dwrite(set, H5T_NATIVE_FLOAT, memory, place, H5P_DEFAULT, height) < 0)
		exit(1);
	H5Sclose(memory);
	H5Sclose(place);
	H5Dclose(set);
}

int main(void)
{
	static float height[PLANTS];
	hid_t file = create();

#ifndef FIXED
	H5Fclose(file);
#endif
	for (hsize_t day = 0; day < DAYS; day++) {
		for (int i = 0; i < PLANTS; i++)
			height[i] += (float)(i % 3);
#ifndef FIXED
		file = H5Fopen("kelp.h5", H5F_ACC_RDWR, H5P_DEFAULT); /* FINDING reopened kelp.h5 */
#endif
		store(file, day, height);
#ifndef FIXED
		H5Fclose(file);
#endif
	}
#ifdef FIXED
	H5Fclose(file);
#endif
	return 0;
}
