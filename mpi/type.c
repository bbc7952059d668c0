/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type.c - what a datatype is, in words: its name, or how it was made, with all of
 * the numbers: "vector(10,1,4,MPI_INT)".  Lists are short where they are regular:
 * "3*600" is 600 times 3, "0:8:792" goes from 0 by 8 to 792.  MPI gives types within
 * types as handles of their own, which are freed.
 */
#include <string.h>

#include "arena.h"
#include "iompi.h"
#include "text.h"

#define DEEPEST	24	/* types within types */
#define REGULAR	8u	/* so many numbers are worth an abbreviation */
#define FEW	24u	/* numbers that have room on the stack */

/* What a type was made from. */
struct made_from {
	int combiner;
	MPI_Count n_ints, n_addrs, n_counts, n_types;
	int *ints;
	MPI_Aint *addrs;
	MPI_Count *counts;
	MPI_Datatype *types;
	void *map;			/* where they are, if they are not few */
	size_t map_size;
	uint64_t few[FEW];
};

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
	case MPI_COMBINER_F90_REAL:
		return "f90_real";
	case MPI_COMBINER_F90_COMPLEX:
		return "f90_complex";
	case MPI_COMBINER_F90_INTEGER:
		return "f90_integer";
	case MPI_COMBINER_RESIZED:
		return "resized";
	default:
		return "type";
	}
}

static bool get_envelope(MPI_Datatype type, struct made_from *m)
{
	int ints, addrs, types;

#if MPI_VERSION >= 4
	if (iot_pmpi_Type_get_envelope_c(type, &m->n_ints, &m->n_addrs, &m->n_counts, &m->n_types,
					 &m->combiner) == MPI_SUCCESS)
		return true;
#endif
	if (iot_pmpi_Type_get_envelope(type, &ints, &addrs, &types, &m->combiner) != MPI_SUCCESS)
		return false;
	m->n_ints = ints;
	m->n_addrs = addrs;
	m->n_counts = 0;
	m->n_types = types;
	return true;
}

/* False: no memory, or MPI does not say. */
static bool get_contents(MPI_Datatype type, struct made_from *m)
{
	size_t size = (size_t)m->n_types * sizeof(*m->types) + (size_t)m->n_addrs * sizeof(*m->addrs) +
		      (size_t)m->n_counts * sizeof(*m->counts) + (size_t)m->n_ints * sizeof(*m->ints);
	void *at = m->few;

	m->map = NULL;
	if (size > sizeof(m->few)) {
		m->map_size = size;
		at = m->map = iot_map(size);
		if (!at)
			return false;
	}
	/* those first that need the widest alignment */
	m->addrs = at;
	m->counts = (MPI_Count *)(m->addrs + m->n_addrs);
	m->types = (MPI_Datatype *)(m->counts + m->n_counts);
	m->ints = (int *)(m->types + m->n_types);
#if MPI_VERSION >= 4
	if (iot_pmpi_Type_get_contents_c(type, m->n_ints, m->n_addrs, m->n_counts, m->n_types, m->ints,
					 m->addrs, m->counts, m->types) == MPI_SUCCESS)
		return true;
#endif
	return !m->n_counts && iot_pmpi_Type_get_contents(type, (int)m->n_ints, (int)m->n_addrs, (int)m->n_types,
							  m->ints, m->addrs, m->types) == MPI_SUCCESS;
}

static void put_number(struct iot_text *x, long v)
{
	if (v < 0)
		iot_puts(x, "-");
	iot_putu(x, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static long number_at(const struct made_from *m, MPI_Count i)
{
	if (i < m->n_ints)
		return m->ints[i];
	i -= m->n_ints;
	return i < m->n_addrs ? (long)m->addrs[i] : (long)m->counts[i - m->n_addrs];
}

/* How many numbers from i on, before end, differ by the same from each other. */
static MPI_Count regular(const struct made_from *m, MPI_Count i, MPI_Count end, long *step)
{
	MPI_Count n = 1;

	if (i + 1 >= end)
		return end - i;
	*step = number_at(m, i + 1) - number_at(m, i);
	while (i + n < end && number_at(m, i + n) - number_at(m, i + n - 1) == *step)
		n++;
	return n;
}

static void put_numbers(struct iot_text *x, const struct made_from *m)
{
	MPI_Count n = m->n_ints + m->n_addrs + m->n_counts, many;
	long step = 0;

	for (MPI_Count i = 0; i < n; i += many) {
		many = regular(m, i, n, &step);
		put_number(x, number_at(m, i));
		if (many < (MPI_Count)REGULAR) {
			many = 1;
		} else if (!step) {
			iot_puts(x, "*");
			put_number(x, (long)many);
		} else {
			iot_puts(x, ":");
			put_number(x, step);
			iot_puts(x, ":");
			put_number(x, number_at(m, i + many - 1));
		}
		iot_puts(x, ",");
	}
}

static void put_order(struct iot_text *x, int order)
{
	if (order == MPI_ORDER_C)
		iot_puts(x, "C,");
	else if (order == MPI_ORDER_FORTRAN)
		iot_puts(x, "FORTRAN,");
	else
		put_number(x, order);
}

static void put_ints(struct iot_text *x, const struct made_from *m, MPI_Count from, MPI_Count to)
{
	for (MPI_Count i = from; i < to; i++) {
		put_number(x, m->ints[i]);
		iot_puts(x, ",");
	}
}

/* size, rank, n; n sizes, distributions, their arguments, processes; order */
static void put_darray(struct iot_text *x, const struct made_from *m)
{
	int n = m->ints[2];

	put_ints(x, m, 0, 3 + n);
	for (int i = 0; i < n; i++) {
		int how = m->ints[3 + n + i];

		iot_puts(x, how == MPI_DISTRIBUTE_BLOCK ? "BLOCK," :
			    how == MPI_DISTRIBUTE_CYCLIC ? "CYCLIC," : "NONE,");
	}
	for (int i = 0; i < n; i++) {
		int arg = m->ints[3 + 2 * n + i];

		if (arg == MPI_DISTRIBUTE_DFLT_DARG)
			iot_puts(x, "DFLT,");
		else
			put_ints(x, m, 3 + 2 * n + i, 3 + 2 * n + i + 1);
	}
	put_ints(x, m, 3 + 3 * n, 3 + 4 * n);
	put_order(x, m->ints[3 + 4 * n]);
}

static void put_type(struct iot_text *x, MPI_Datatype type, int depth);

static void put_contents(struct iot_text *x, const struct made_from *m, int depth)
{
	/* large counts are not ints */
	bool plain = !m->n_counts;

	if (plain && m->combiner == MPI_COMBINER_DARRAY && m->n_ints == 4 + 4 * (MPI_Count)m->ints[2]) {
		put_darray(x, m);
	} else if (plain && m->combiner == MPI_COMBINER_SUBARRAY && m->n_ints > 1) {
		put_ints(x, m, 0, m->n_ints - 1);
		put_order(x, m->ints[m->n_ints - 1]);
	} else {
		put_numbers(x, m);
	}
	for (MPI_Count i = 0; i < m->n_types; i++) {
		struct made_from inner;

		if (i)
			iot_puts(x, ",");
		put_type(x, m->types[i], depth + 1);
		if (get_envelope(m->types[i], &inner) && inner.combiner != MPI_COMBINER_NAMED)
			iot_pmpi_Type_free(&m->types[i]);
	}
	if (!m->n_types && x->len && x->buf[x->len - 1] == ',')
		x->len--;
}

/* What the program or MPI called it.  The types within one that Open MPI gives are
   duplicates of these, and called so. */
static const char *get_name(MPI_Datatype type, char *buf, int *len, bool within)
{
	if (iot_pmpi_Type_get_name(type, buf, len) != MPI_SUCCESS)
		*len = 0;
#ifdef OPEN_MPI
	if (within && *len >= 4 && !memcmp(buf, "Dup ", 4)) {
		*len -= 4;
		return buf + 4;
	}
#else
	(void)within;
#endif
	return buf;
}

/* Open MPI gives types that are made from one other the name of that, as far as it
   has room, with "Dup " before it. */
static bool is_own_name(const char *name, int len, const struct made_from *m)
{
	char buf[MPI_MAX_OBJECT_NAME];
	const char *inner;
	int inner_len = 0;

	if (m->n_types != 1)
		return true;
	inner = get_name(m->types[0], buf, &inner_len, true);
	if (len >= 4 && !memcmp(name, "Dup ", 4)) {
		name += 4;
		len -= 4;
	}
	return inner_len < len || memcmp(inner, name, (size_t)len) != 0;
}

static void put_made(struct iot_text *x, struct made_from *m, const char *name, int len, int depth)
{
	if (len > 0 && is_own_name(name, len, m)) {
		iot_putn(x, name, (size_t)len);
		iot_puts(x, "=");
	}
	iot_puts(x, combiner_name(m->combiner));
	iot_puts(x, "(");
	put_contents(x, m, depth);
	iot_puts(x, ")");
}

static void put_type(struct iot_text *x, MPI_Datatype type, int depth)
{
	char buf[MPI_MAX_OBJECT_NAME];
	struct made_from m;
	int len = 0;
	const char *name = get_name(type, buf, &len, depth > 0);

	if (!get_envelope(type, &m) || (m.combiner == MPI_COMBINER_NAMED && len)) {
		iot_putn(x, name, (size_t)len);
		return;
	}
	if (m.combiner != MPI_COMBINER_NAMED && depth < DEEPEST && x->len < x->cap && get_contents(type, &m)) {
		put_made(x, &m, name, len, depth);
		if (m.map)
			iot_unmap(m.map, m.map_size);
		return;
	}
	iot_puts(x, combiner_name(m.combiner));
	iot_puts(x, "(...)");
}

void iot_mpi_type_text(char *buf, uint32_t size, MPI_Datatype type)
{
	struct iot_text x = { .buf = buf, .cap = size - 1 };

	/* to ask about none is an error */
	if (type != MPI_DATATYPE_NULL)
		put_type(&x, type, 0);
	/* what does not fit is not passed off as whole */
	if (x.len == x.cap)
		memcpy(buf + x.cap - 3, "...", 3);
	buf[x.len] = 0;
}
