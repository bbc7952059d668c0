/* SPDX-License-Identifier: BSD-3-Clause */
/* several.h - arrays of requests, of which some are operations on files. */
#ifndef IOT_MPI_SEVERAL_H
#define IOT_MPI_SEVERAL_H

#include "iompi.h"

#pragma GCC visibility push(hidden)

#define IOT_MPI_FEW	32

/* Leaves a call as that of a row of mpi-comm.def, or of mpi.def. */
#define IOT_MPI_LEAVE(call, m, other, file)                                                \
	do {                                                                               \
		if ((call)->desc->family == IOT_MPI) {                                     \
			const uint64_t words[] = IOT_WORDS_##other;                        \
                                                                                           \
			iot_mpi_leave(call, &(m), words);                                  \
		} else {                                                                   \
			const uint64_t words[] = IOT_WORDS_##file;                         \
                                                                                           \
			iot_mpi_leave(call, &(m), words);                                  \
		}                                                                          \
	} while (0)

struct iot_mpi_several {
	int count;
	const MPI_Request *requests;	/* the program's */
	struct iot_mpi_op **op;		/* by index; NULL: something else, or complete */
	MPI_Status *statuses;		/* what the call is given */
	void *map;			/* of map_size bytes, if they are not few */
	size_t map_size;
	struct iot_mpi_op *few_ops[IOT_MPI_FEW];
	MPI_Status few_statuses[IOT_MPI_FEW];
};

/* Takes them, and calls iot_mpi_begin, with other if none is an operation on a file.  statuses: the program's, NULL if the call has
   none.  False: none is an operation that we know, or there is no memory; else
   iot_mpi_several_done is due, after which those that are left go on. */
bool iot_mpi_several_begin(struct iot_mpi_several *s, struct iot_call *call, struct iot_mpi *m,
			   const struct iot_desc *desc, const struct iot_desc *other, void *frame, int count,
			   const MPI_Request *requests, MPI_Status *statuses);
void iot_mpi_several_done(struct iot_mpi_several *s);

/* One that is complete: it is the caller's to forget. */
static inline struct iot_mpi_op *iot_mpi_several_out(struct iot_mpi_several *s, int i)
{
	struct iot_mpi_op *op = i >= 0 && i < s->count ? s->op[i] : NULL;

	if (op)
		s->op[i] = NULL;
	return op;
}

/* What the call says there, where it may not have been given a place. */
static inline int iot_mpi_told(const struct iot_mpi *m, const int *where, int otherwise)
{
	return !m->error || iot_mpi_is_readable(where, sizeof(*where)) ? *where : otherwise;
}

static inline bool iot_mpi_any_outstanding(void)
{
	return iot_unlikely(__atomic_load_n(&iot_mpi_outstanding, __ATOMIC_ACQUIRE)) || iot_mpi_waits();
}

#pragma GCC visibility pop

#endif
