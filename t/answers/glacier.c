/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * glacier.c - a chunked data set read row by row, though a chunk does not fit into the cache.
 *
 * build: iocc
 * package: hdf5
 * as: queries
 */
#include <hdf5.h>
#include <stdlib.h>
#include <stdio.h>
#define N 2048
static float plane[N][N];
static void create(void)
{
	hsize_t dims[2] = { N, N }, chunk[2] = { N / 2, N / 2 };
	hid_t f = H5Fcreate("ice.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, dims, 0), p = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_chunk(p, 2, chunk);
	H5Pset_deflate(p, 1);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			plane[i][k] = (float)((i * 31 + k * 17) % 1000);
	hid_t d = H5Dcreate(f, "depth", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, p, H5P_DEFAULT);
	H5Dwrite(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, plane);
	H5Dclose(d);
	H5Pclose(p);
	H5Sclose(space);
	H5Fclose(f);
}
static double scan(void)
{
	double sum = 0;
	hid_t f = H5Fopen("ice.h5", H5F_ACC_RDONLY, H5P_DEFAULT), a = H5Pcreate(H5P_DATASET_ACCESS);
#ifdef FIXED
	H5Pset_chunk_cache(a, 521, 64 << 20, 0.75);
#endif
	hid_t d = H5Dopen(f, "depth", a), file = H5Dget_space(d);
	hsize_t count[2] = { 1, N };
	hid_t mem = H5Screate_simple(2, count, 0);
	static float row[N];
	for (hsize_t i = 0; i < 100; i++) {
		hsize_t at[2] = { i, 0 };
		H5Sselect_hyperslab(file, H5S_SELECT_SET, at, 0, count, 0);
		H5Dread(d, H5T_NATIVE_FLOAT, mem, file, H5P_DEFAULT, row); /* FINDING reread ice.h5 */
		sum += row[i];
	}
	H5Sclose(mem);
	H5Sclose(file);
	H5Dclose(d);
	H5Pclose(a);
	H5Fclose(f);
	return sum;
}
int main(void)
{
	create();
	printf("%g\n", scan());
	return 0;
}
