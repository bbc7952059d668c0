/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.c - writes through views of many datatypes, and says which: a line for each,
 * as the log has to have it.  Also calls that fail.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_File fh;
static char data[100000];

/* Frees it. */
static void show(const char *text, MPI_Datatype type)
{
	MPI_Type_commit(&type);
	printf("%s\n", text);
	MPI_File_set_view(fh, 0, MPI_CHAR, type, "native", MPI_INFO_NULL);
	MPI_File_set_view(fh, 0, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL);
	MPI_File_write_at(fh, 0, data, 1, type, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
}

static void arrays(void)
{
	int sizes[] = { 30, 20, 10 }, part[] = { 5, 4, 3 }, from[] = { 1, 2, 3 };
	int distribs[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
	int args[] = { MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG }, procs[] = { 2, 2, 1 };
	MPI_Datatype t;

	MPI_Type_create_subarray(3, sizes, part, from, MPI_ORDER_C, MPI_INT, &t);
	show("subarray(3,30,20,10,5,4,3,1,2,3,C,MPI_INT)", t);
	MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_FORTRAN, MPI_INT, &t);
	show("subarray(2,30,20,5,4,1,2,FORTRAN,MPI_INT)", t);
	MPI_Type_create_darray(4, 1, 3, sizes, distribs, args, procs, MPI_ORDER_C, MPI_DOUBLE, &t);
	show("darray(4,1,3,30,20,10,BLOCK,CYCLIC,NONE,DFLT,2,DFLT,2,2,1,C,MPI_DOUBLE)", t);
}

static void lists(void)
{
	int lengths[600], at[600];
	MPI_Aint bytes[600];
	MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE, MPI_CHAR }, t;
	char text[4000];
	int n;

	for (int i = 0; i < 600; i++) {
		lengths[i] = 1 + i % 3;
		at[i] = i * 10 + i % 7;
		bytes[i] = 100L * i - 300;
	}
	MPI_Type_indexed(12, lengths, at, MPI_CHAR, &t);
	show("indexed(12,1,2,3,1,2,3,1,2,3,1,2,3,0,11,22,33,44,55,66,70,81,92,103,114,MPI_CHAR)", t);
	n = snprintf(text, sizeof(text), "indexed_block(600,2,");
	for (int i = 0; i < 600; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%d,", at[i]);
	snprintf(text + n, sizeof(text) - (size_t)n, "MPI_CHAR)");
	MPI_Type_create_indexed_block(600, 2, at, MPI_CHAR, &t);
	show(text, t);
	/* what goes up in equal steps is said as first:step:last, what is equal as value*times */
	for (int i = 0; i < 600; i++) {
		lengths[i] = 3;
		bytes[i] = 100L * i;
	}
	MPI_Type_create_hindexed(600, lengths, bytes, MPI_CHAR, &t);
	show("hindexed(600,3*600,0:100:59900,MPI_CHAR)", t);
	bytes[0] = 0;
	bytes[1] = 16;
	bytes[2] = 50;
	MPI_Type_create_struct(3, lengths, bytes, types, &t);
	show("struct(3,3,3,3,0,16,50,MPI_INT,MPI_DOUBLE,MPI_CHAR)", t);
}

static void others(void)
{
	MPI_Datatype t, u, v;

	MPI_Type_create_resized(MPI_INT, 0, 64, &t);
	show("resized(0,64,MPI_INT)", t);
	MPI_Type_dup(MPI_INT, &t);
	show("dup(MPI_INT)", t);
	MPI_Type_vector(4, 1, 3, MPI_INT, &u);
	MPI_Type_dup(u, &v);
	MPI_Type_create_resized(v, 0, 640, &t);
	show("resized(0,640,dup(vector(4,1,3,MPI_INT)))", t);
	MPI_Type_contiguous(2, v, &t);
	MPI_Type_set_name(t, "two columns");
	show("two columns=contiguous(2,dup(vector(4,1,3,MPI_INT)))", t);
	MPI_Type_free(&v);
	MPI_Type_set_name(u, "column");
	MPI_Type_create_resized(u, 0, 512, &t);
	show("resized(0,512,column=vector(4,1,3,MPI_INT))", t);
	for (int i = 0; i < 6; i++) {
		v = u;
		MPI_Type_contiguous(2, v, &u);
		MPI_Type_free(&v);
	}
	show("contiguous(2,contiguous(2,contiguous(2,contiguous(2,contiguous(2,contiguous(2,"
	     "column=vector(4,1,3,MPI_INT)))))))", u);
}

int main(int argc, char **argv)
{
	MPI_File none;

	MPI_Init(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, "types.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
	arrays();
	lists();
	others();
	MPI_File_close(&fh);
	MPI_File_delete("types.data", MPI_INFO_NULL);
	if (MPI_File_open(MPI_COMM_SELF, "/none/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) == MPI_SUCCESS)
		return 1;
	MPI_Finalize();
	return 0;
}
