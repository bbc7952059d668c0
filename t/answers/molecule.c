/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * molecule.c - keeps the energy of a molecule after each step, in an HDF5 file that grows.
 *
 * build: iocc
 * as: grid
 * package: hdf5-serial
 */
#include <hdf5.h>
#include <stdlib.h>

#define STEPS 4000

#ifdef FIXED
#define CHUNK 1000
#else
#define CHUNK 1
#endif

static hid_t set;

static void append(hsize_t step, double energy)
{
	hsize_t size = step + 1, one = 1;
	hid_t place, memory;

	H5Dset_extent(set, &size);
	place = H5Dget_space(set);
	memory = H5Screate_simple(1, &one, NULL);
	H5Sselect_hyperslab(place, H5S_SELECT_SET, &step, NULL, &one, NULL);
	if (H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, &energy) < 0) /* FINDING small-chunks|small-writes|overwritten|scattered molecule.h5 */
		exit(1);
	H5Sclose(place);
	H5Sclose(memory);
}

int main(void)
{
	hsize_t none = 0, most = H5S_UNLIMITED, chunk = CHUNK;
	hid_t file = H5Fcreate("molecule.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(1, &none, &most), list = H5Pcreate(H5P_DATASET_CREATE);

	H5Pset_chunk(list, 1, &chunk);
	set = H5Dcreate2(file, "energy", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
	for (hsize_t step = 0; step < STEPS; step++)
		append(step, (double)step * 0.5); /* FINDING small-chunks|small-writes|overwritten|scattered molecule.h5 */
	H5Dclose(set); /* FINDING small-chunks|small-writes|overwritten|scattered molecule.h5 */
	H5Pclose(list);
	H5Sclose(space);
	H5Fclose(file); /* FINDING small-chunks|small-writes|overwritten|scattered molecule.h5 */
	return 0;
}
