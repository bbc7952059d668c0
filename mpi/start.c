/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c - operations that are started again and again, by the request that an
 * MPI_X_init made: the family mpi.
 */
#include "iompi.h"

#include "desc_MPI_Startall.h"
#include "desc_mpi_start.h"

#pragma GCC visibility push(hidden)
typedef int startall_fn(int, MPI_Request *);
int iot_hand_MPI_Startall(startall_fn *real, void *frame, int count, MPI_Request *requests);
#pragma GCC visibility pop

void iot_mpi_starts(struct iot_mpi *m, const struct iot_call *c, const MPI_Request *request)
{
	struct iot_mpi_op *op = m->error ? NULL : iot_mpi_lasting_of(*request);

	if (op)
		iot_mpi_op_starts(m, op, c);
}

/* A part of it is ready, or there. */
void iot_mpi_goes_on(struct iot_mpi *m, MPI_Request request)
{
	struct iot_mpi_op *op = m->error ? NULL : iot_mpi_op_of(request);

	if (op)
		iot_mpi_op_about(m, op);
}

/* One of several.  Not inlined: its frame lies within the wrapper's. */
static __attribute__((noinline)) void one_starts(const MPI_Request *request)
{
	struct iot_call call;
	struct iot_mpi m;

	if (!iot_enter(&call, &IOT_DESC_NAME(mpi_start), 0, -1, __builtin_frame_address(0)))
		return;
	iot_mpi_clear(&m);
	iot_mpi_back(&m, MPI_SUCCESS);
	iot_mpi_starts(&m, &call, request);
	{
		const uint64_t words[] = IOT_WORDS_mpi_start;

		iot_mpi_leave(&call, &m, words);
	}
}

int iot_hand_MPI_Startall(startall_fn *real, void *frame, int count, MPI_Request *requests)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	int ret;

	if (!iot_mpi_talks(&call, &m, &IOT_DESC_NAME(MPI_Startall), frame))
		return real(count, requests);
	ret = real(count, requests);
	iot_mpi_back(&m, ret);
	for (int i = 0; !m.error && i < count; i++)
		one_starts(&requests[i]);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Startall;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}
