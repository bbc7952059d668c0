/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * volume.c - stores the slices of a volume in an HDF5 file, in chunks.
 *
 * build: iocc
 * as: notes
 * package: hdf5-serial
 */
#include <err.h>
#include <hdf5.h>
#include <stdint.h>

#define SLICES 2
#define SIZE   256
#ifdef FIXED
#define CHUNK SIZE
#else
#define CHUNK 8
#endif

static uint16_t slice[SIZE][SIZE];

static void scan(int number)
{
	for (int row = 0; row < SIZE; row++)
		for (int column = 0; column < SIZE; column++)
			slice[row][column] = (uint16_t)(row * column + number);
}

static hid_t create(hid_t file)
{
	hsize_t size[3] = {SLICES, SIZE, SIZE}, chunk[3] = {1, CHUNK, CHUNK};
	hid_t space = H5Screate_simple(3, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
	hid_t set;

	H5Pset_chunk(how, 3, chunk);
	set = H5Dcreate2(file, "volume", H5T_NATIVE_UINT16, space, H5P_DEFAULT, how, H5P_DEFAULT);
	H5Pclose(how);
	H5Sclose(space);
	return set;
}

static void store(hid_t set, int number)
{
	hsize_t start[3] = {(hsize_t)number, 0, 0}, count[3] = {1, SIZE, SIZE};
	hid_t file = H5Dget_space(set), memory = H5Screate_simple(3, count, NULL);

	H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
	if (H5Dwrite(set, H5T_NATIVE_UINT16, memory, file, H5P_DEFAULT, slice) < 0) /* FINDING small-chunks volume.h5 */
		errx(1, "volume.h5: it can't be written");
	H5Sclose(memory);
	H5Sclose(file);
}

int main(void)
{
	hid_t file = H5Fcreate("volume.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t set = create(file);

	if (set < 0)
		errx(1, "volume.h5: it can't be made");
	for (int i = 0; i < SLICES; i++) {
		scan(i);
		store(set, i); /* FINDING small-chunks volume.h5 */
	}
	H5Dclose(set); /* FINDING small-chunks volume.h5 */
	H5Fclose(file);
	return 0;
}
