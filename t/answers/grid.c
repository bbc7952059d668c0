/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.c - surveys the heights of a grid row by row, and stores each row in an HDF5 file.
 *
 * build: iocc
 * package: hdf5-serial
 */
#include <err.h>
#include <hdf5.h>

#define ROWS	5000
#define COLUMNS 16

static const double *survey(hsize_t row)
{
	static double height[COLUMNS];

	for (int column = 0; column < COLUMNS; column++)
		height[column] = (double)row * 0.5 - column;
	return height;
}

static void put(hid_t set, hsize_t row, const double *height)
{
	hsize_t start[2] = {row, 0}, count[2] = {1, COLUMNS};
	hid_t file = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);

	H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
	if (H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, height) < 0)
		errx(1, "heights.h5: it can't be written");
	H5Sclose(memory);
	H5Sclose(file);
#ifndef FIXED
	H5Dflush(set); /* FINDING flushed|small-writes|overwritten heights.h5 */
#endif
}

int main(void)
{
	hsize_t size[2] = {ROWS, COLUMNS};
	hid_t file = H5Fcreate("heights.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, size, NULL);
	hid_t set = H5Dcreate2(file, "height", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	if (set < 0)
		errx(1, "heights.h5: it can't be made");
	for (hsize_t row = 0; row < ROWS; row++)
		put(set, row, survey(row)); /* FINDING flushed|small-writes|overwritten heights.h5 */
	H5Dclose(set);
	H5Sclose(space);
	H5Fclose(file);
	return 0;
}
