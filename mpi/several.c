/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * several.c - calls that complete any number of requests: their own record, and
 * beneath it an io_complete for each operation on a file that they completed.
 */
#include "several.h"

#include "arena.h"

#include "desc_MPI_Testall.h"
#include "desc_MPI_Testsome.h"
#include "desc_MPI_Waitall.h"
#include "desc_MPI_Waitsome.h"
#include "desc_io_complete.h"
#include "desc_mpi_Testall.h"
#include "desc_mpi_Testsome.h"
#include "desc_mpi_Waitall.h"
#include "desc_mpi_Waitsome.h"
#include "desc_mpi_complete.h"

#pragma GCC visibility push(hidden)
typedef int waitall_fn(int, MPI_Request *, MPI_Status *);
int iot_hand_MPI_Waitall(waitall_fn *real, void *frame, int count, MPI_Request *requests,
			 MPI_Status *statuses);
typedef int testall_fn(int, MPI_Request *, int *, MPI_Status *);
int iot_hand_MPI_Testall(testall_fn *real, void *frame, int count, MPI_Request *requests, int *flag,
			 MPI_Status *statuses);
typedef int some_fn(int, MPI_Request *, int *, int *, MPI_Status *);
int iot_hand_MPI_Waitsome(some_fn *real, void *frame, int incount, MPI_Request *requests, int *outcount,
			  int *indices, MPI_Status *statuses);
int iot_hand_MPI_Testsome(some_fn *real, void *frame, int incount, MPI_Request *requests, int *outcount,
			  int *indices, MPI_Status *statuses);
#pragma GCC visibility pop

static bool look_up(struct iot_mpi_several *s, int count, const MPI_Request *requests, MPI_Status *statuses)
{
	int first = 0;

	/* MPI may yet turn it down */
	if (count <= 0 || !iot_mpi_is_readable(requests, (size_t)count * sizeof(*requests)))
		return false;
	while (first < count && !iot_mpi_op_of(requests[first]))
		first++;
	if (first >= count && !iot_mpi_waits())
		return false;
	s->count = count;
	s->requests = requests;
	s->map = NULL;
	s->op = s->few_ops;
	s->statuses = s->few_statuses;
	if (count > IOT_MPI_FEW) {
		s->map_size = (size_t)count * (sizeof(*s->op) + sizeof(MPI_Status));
		s->map = iot_map(s->map_size);
		if (!s->map)
			return false;
		s->op = s->map;
		s->statuses = (MPI_Status *)(s->op + count);
	}
	if (statuses && statuses != MPI_STATUSES_IGNORE)
		s->statuses = statuses;
	for (int i = 0; i < count; i++) {
		s->op[i] = iot_mpi_op_of(requests[i]);
		if (s->op[i])
			iot_mpi_op_take(s->op[i]);
	}
	return true;
}

void iot_mpi_several_done(struct iot_mpi_several *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->op[i])
			iot_mpi_op_back(s->op[i], s->requests[i]);
	if (s->map)
		iot_unmap(s->map, s->map_size);
}

bool iot_mpi_several_begin(struct iot_mpi_several *s, struct iot_call *call, struct iot_mpi *m,
			   const struct iot_desc *desc, const struct iot_desc *other, void *frame, int count,
			   const MPI_Request *requests, MPI_Status *statuses)
{
	if (!look_up(s, count, requests, statuses))
		return false;
	for (int i = 0; i < count; i++)
		if (s->op[i] && s->op[i]->by->family == IOT_MPIIO)
			other = desc;
	if (!(other->family == IOT_MPI && iot_mpi_inside(frame)) && iot_mpi_begin(call, m, other, frame))
		return true;
	iot_mpi_several_done(s);
	return false;
}

/* error: 0, or the request's own.  Not inlined: its frame lies within the wrapper's. */
static __attribute__((noinline)) void complete(struct iot_mpi_op *op, MPI_Status *status, int error)
{
	const struct iot_desc *desc = op->on ? &IOT_DESC_NAME(mpi_complete) : &IOT_DESC_NAME(io_complete);
	struct iot_call call;
	struct iot_mpi m;

	if (iot_enter(&call, desc, 0, -1, __builtin_frame_address(0))) {
		iot_mpi_clear(&m);
		iot_mpi_back(&m, error);
		iot_mpi_on(&call, op->handle, op->silent);
		iot_mpi_op_ends(&m, op);
		iot_mpi_ended(&m, op, status);
		IOT_MPI_LEAVE(&call, m, mpi_complete, io_complete);
	}
	iot_mpi_op_forget(op);
}

/* The call came back with ret: n of them are complete, those at indices or, if that
   is NULL, the first n.  Returns how many of them were operations that we know. */
static int completed(struct iot_mpi_several *s, int ret, int n, const int *indices)
{
	int found = 0;

	if (ret != MPI_SUCCESS && ret != MPI_ERR_IN_STATUS)
		return 0;
	for (int i = 0; i < n; i++) {
		int error = ret == MPI_SUCCESS ? MPI_SUCCESS : s->statuses[i].MPI_ERROR;
		struct iot_mpi_op *op = NULL;

		if (error != MPI_ERR_PENDING)
			op = iot_mpi_several_out(s, indices ? indices[i] : i);
		if (!op)
			continue;
		complete(op, &s->statuses[i], error);
		found++;
	}
	return found;
}

int iot_hand_MPI_Waitall(waitall_fn *real, void *frame, int count, MPI_Request *requests,
			 MPI_Status *statuses)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi_several s;
	struct iot_mpi m;
	int ret;

	call.t = NULL;
	if (!iot_mpi_any_outstanding() ||
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Waitall), &IOT_DESC_NAME(mpi_Waitall), frame, count, requests, statuses))
		return real(count, requests, statuses);
	ret = real(count, requests, s.statuses);
	iot_mpi_back(&m, ret);
	m.completed = completed(&s, ret, count, NULL);
	iot_mpi_several_done(&s);
	IOT_MPI_LEAVE(&call, m, mpi_Waitall, MPI_Waitall);
	return ret;
}

int iot_hand_MPI_Testall(testall_fn *real, void *frame, int count, MPI_Request *requests, int *flag,
			 MPI_Status *statuses)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi_several s;
	struct iot_mpi m;
	int ret;

	call.t = NULL;
	if (!iot_mpi_any_outstanding() ||
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Testall), &IOT_DESC_NAME(mpi_Testall), frame, count, requests, statuses))
		return real(count, requests, flag, statuses);
	ret = real(count, requests, flag, s.statuses);
	iot_mpi_back(&m, ret);
	m.completed = completed(&s, ret, iot_mpi_told(&m, flag, 0) ? count : 0, NULL);
	call.silent = !m.completed;
	iot_mpi_several_done(&s);
	IOT_MPI_LEAVE(&call, m, mpi_Testall, MPI_Testall);
	return ret;
}

/* Both that complete some; desc says which. */
static int some(some_fn *real, void *frame, const struct iot_desc *desc, const struct iot_desc *other, int incount, MPI_Request *requests,
		int *outcount, int *indices, MPI_Status *statuses)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi_several s;
	struct iot_mpi m;
	int ret;

	call.t = NULL;
	if (!iot_mpi_any_outstanding() ||
	    !iot_mpi_several_begin(&s, &call, &m, desc, other, frame, incount, requests, statuses))
		return real(incount, requests, outcount, indices, statuses);
	ret = real(incount, requests, outcount, indices, s.statuses);
	iot_mpi_back(&m, ret);
	m.completed = completed(&s, ret, iot_mpi_told(&m, outcount, 0), indices);
	call.silent = !m.completed;
	iot_mpi_several_done(&s);
	IOT_MPI_LEAVE(&call, m, mpi_Waitsome, MPI_Waitsome);
	return ret;
}

int iot_hand_MPI_Waitsome(some_fn *real, void *frame, int incount, MPI_Request *requests, int *outcount,
			  int *indices, MPI_Status *statuses)
{
	return some(real, frame, &IOT_DESC_NAME(MPI_Waitsome), &IOT_DESC_NAME(mpi_Waitsome), incount, requests, outcount, indices, statuses);
}

int iot_hand_MPI_Testsome(some_fn *real, void *frame, int incount, MPI_Request *requests, int *outcount,
			  int *indices, MPI_Status *statuses)
{
	return some(real, frame, &IOT_DESC_NAME(MPI_Testsome), &IOT_DESC_NAME(mpi_Testsome), incount, requests, outcount, indices, statuses);
}
