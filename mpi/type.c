/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type.c - what a datatype is, in words: its name, or how it was made:
 * "vector(10,1,4,MPI_INT)".  Types within types are asked for as deep as is
 * readable; MPI gives each as a handle of its own, which is freed.
 */
#include "iompi.h"

#define DEEPEST	3
#define NUMBERS	8u		/* of a type are shown */

static const char *combiner_name(int combiner)
{
	switch (combiner) {
	case MPI_COMBINER_DUP:
		return "dup";
	case MPI_COMBINER_CONTIGUOUS:
		return "contiguous";
	case MPI_COMBINER_VECTOR:
		return "vector";
	case MPI_COMBINER_HVECTOR:
		return "hvector";
	case MPI_COMBINER_INDEXED:
		return "indexed";
	case MPI_COMBINER_HINDEXED:
		return "hindexed";
	case MPI_COMBINER_INDEXED_BLOCK:
		return "indexed_block";
	case MPI_COMBINER_HINDEXED_BLOCK:
		return "hindexed_block";
	case MPI_COMBINER_STRUCT:
		return "struct";
	case MPI_COMBINER_SUBARRAY:
		return "subarray";
	case MPI_COMBINER_DARRAY:
		return "darray";
	case MPI_COMBINER_RESIZED:
		return "resized";
	default:
		return "type";
	}
}

static void put_number(struct iot_text *x, long v)
{
	if (v < 0)
		iot_puts(x, "-");
	iot_putu(x, v < 0 ? -(uint64_t)v : (uint64_t)v);
	iot_puts(x, ",");
}

static void put_type(struct iot_text *x, MPI_Datatype type, int depth);

/* What it was made from.  Large ones are not worth the memory that MPI would have to
   be given for their parts. */
static void put_contents(struct iot_text *x, MPI_Datatype type, int n_ints, int n_addrs, int n_types, int depth)
{
	enum { MOST = 32 };
	int ints[MOST];
	MPI_Aint addrs[MOST];
	MPI_Datatype types[MOST];

	if (n_ints > MOST || n_addrs > MOST || n_types > MOST || depth == DEEPEST ||
	    iot_pmpi_Type_get_contents(type, n_ints, n_addrs, n_types, ints, addrs, types) != MPI_SUCCESS) {
		iot_puts(x, "...");
		return;
	}
	for (int i = 0; i < n_ints && i < (int)NUMBERS; i++)
		put_number(x, ints[i]);
	for (int i = 0; i < n_addrs && i < (int)NUMBERS; i++)
		put_number(x, addrs[i]);
	if (n_ints > (int)NUMBERS || n_addrs > (int)NUMBERS)
		iot_puts(x, "...,");
	for (int i = 0; i < n_types; i++) {
		int a, b, c, combiner;

		if (i)
			iot_puts(x, ",");
		put_type(x, types[i], depth + 1);
		if (iot_pmpi_Type_get_envelope(types[i], &a, &b, &c, &combiner) == MPI_SUCCESS &&
		    combiner != MPI_COMBINER_NAMED)
			iot_pmpi_Type_free(&types[i]);
	}
}

static void put_type(struct iot_text *x, MPI_Datatype type, int depth)
{
	char name[MPI_MAX_OBJECT_NAME];
	int len = 0, n_ints, n_addrs, n_types, combiner;

	if (iot_pmpi_Type_get_name(type, name, &len) == MPI_SUCCESS && len > 0) {
		iot_putn(x, name, (size_t)len);
		return;
	}
	if (iot_pmpi_Type_get_envelope(type, &n_ints, &n_addrs, &n_types, &combiner) != MPI_SUCCESS)
		return;
	iot_puts(x, combiner_name(combiner));
	iot_puts(x, "(");
	if (combiner != MPI_COMBINER_NAMED)
		put_contents(x, type, n_ints, n_addrs, n_types, depth);
	iot_puts(x, ")");
}

void iot_mpi_type_text(char *buf, uint32_t size, MPI_Datatype type)
{
	struct iot_text x = { .buf = buf, .cap = size - 1 };

	/* to ask about none is an error */
	if (type != MPI_DATATYPE_NULL)
		put_type(&x, type, 0);
	buf[x.len] = 0;
}
