/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tensor.c - stores a tensor in an HDF5 file, in chunks as large as what is written at once.
 *
 * build: iocc
 * as: keeper
 * package: hdf5-serial
 */
#include <err.h>
#include <hdf5.h>

#define SLICES 8
#define SIZE   256

static float slice[SIZE][SIZE];

int main(void)
{
	hsize_t size[3] = {SLICES, SIZE, SIZE}, chunk[3] = {1, SIZE, SIZE};
	hid_t file = H5Fcreate("tensor.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, size, NULL);
	hid_t memory = H5Screate_simple(3, chunk, NULL), set;

	H5Pset_chunk(how, 3, chunk);
	set = H5Dcreate2(file, "tensor", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, how, H5P_DEFAULT);
	for (hsize_t i = 0; i < SLICES; i++) {
		hsize_t start[3] = {i, 0, 0};

		for (int k = 0; k < SIZE; k++)
			slice[k][k] = (float)i;
		H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, chunk, NULL);
		if (H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, slice) < 0)
			errx(1, "tensor.h5: it can't be written");
	}
	H5Dclose(set);
	H5Sclose(memory);
	H5Sclose(space);
	H5Pclose(how);
	H5Fclose(file);
	return 0;
}
