/* SPDX-License-Identifier: BSD-3-Clause */
/* hdf5.c - calls below HDF5: chunks that are packed, written when they leave its cache. */
#include <hdf5.h>

static double data[100][100];

static void write_file(const char *name)
{
	hsize_t size[2] = { 100, 100 }, chunk[2] = { 10, 10 };
	hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE), set;

	H5Pset_chunk(how, 2, chunk);
	H5Pset_deflate(how, 1);
	set = H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
	H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
	H5Dclose(set);
	H5Fclose(file);
}

static herr_t each(hid_t group, const char *name, const H5L_info_t *info, void *arg)
{
	hid_t set = H5Dopen2(group, name, H5P_DEFAULT);

	(void)info;
	(void)arg;
	H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
	return H5Dclose(set);
}

int main(void)
{
	hid_t file;

	write_file("data.h5");
	file = H5Fopen("data.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
	H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, each, NULL);
	return H5Fclose(file) < 0;
}
