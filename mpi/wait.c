/* SPDX-License-Identifier: BSD-3-Clause */
/* wait.c - calls that complete one request at most, of which the record is that of
   the operation's end.  Those that complete none are not recorded. */
#include "several.h"

#include "desc_MPI_Request_free.h"
#include "desc_MPI_Test.h"
#include "desc_MPI_Testany.h"
#include "desc_MPI_Wait.h"
#include "desc_MPI_Waitany.h"
#include "desc_mpi_Request_free.h"
#include "desc_mpi_Test.h"
#include "desc_mpi_Testany.h"
#include "desc_mpi_Wait.h"
#include "desc_mpi_Waitany.h"

#pragma GCC visibility push(hidden)
typedef int wait_fn(MPI_Request *, MPI_Status *);
int iot_hand_MPI_Wait(wait_fn *real, void *frame, MPI_Request *request, MPI_Status *status);
typedef int test_fn(MPI_Request *, int *, MPI_Status *);
int iot_hand_MPI_Test(test_fn *real, void *frame, MPI_Request *request, int *flag, MPI_Status *status);
typedef int waitany_fn(int, MPI_Request *, int *, MPI_Status *);
int iot_hand_MPI_Waitany(waitany_fn *real, void *frame, int count, MPI_Request *requests, int *index,
			 MPI_Status *status);
typedef int testany_fn(int, MPI_Request *, int *, int *, MPI_Status *);
int iot_hand_MPI_Testany(testany_fn *real, void *frame, int count, MPI_Request *requests, int *index,
			 int *flag, MPI_Status *status);
typedef int free_fn(MPI_Request *);
int iot_hand_MPI_Request_free(free_fn *real, void *frame, MPI_Request *request);
#pragma GCC visibility pop

/* The end of op, or of none (NULL) that is known: then the call is recorded if such calls
   are, and this one waited. */
static void finish(struct iot_call *c, struct iot_mpi *m, struct iot_mpi_op *op, MPI_Status *status, bool waited)
{
	if (!op) {
		c->silent |= !waited || c->desc->family == IOT_MPIIO;
		return;
	}
	iot_mpi_on(c, op->handle, op->silent);
	iot_mpi_op_ends(m, op);
	if (status)
		iot_mpi_ended(m, op, status);
	iot_mpi_op_forget(op);
}

/* As which one it begins. */
#define DESC(op, name) ((op) && (op)->by->family == IOT_MPIIO ? &IOT_DESC_NAME(MPI_##name) : &IOT_DESC_NAME(mpi_##name))

static bool begin(struct iot_call *c, struct iot_mpi *m, const struct iot_desc *desc, const struct iot_mpi_op *op,
		  void *frame)
{
	return op ? iot_mpi_begin(c, m, desc, frame) : iot_mpi_talks(c, m, desc, frame);
}

int iot_hand_MPI_Wait(wait_fn *real, void *frame, MPI_Request *request, MPI_Status *status)
{
	struct iot_mpi_op *op = iot_mpi_op_at(request);
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	MPI_Status own;
	int ret;

	call.t = NULL;
	if (!begin(&call, &m, DESC(op, Wait), op, frame))
		return real(request, status);
	if (op)
		iot_mpi_op_take(op);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(request, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, op, status, true);
	IOT_MPI_LEAVE(&call, m, mpi_Wait, MPI_Wait);
	return ret;
}

int iot_hand_MPI_Test(test_fn *real, void *frame, MPI_Request *request, int *flag, MPI_Status *status)
{
	struct iot_mpi_op *op = iot_mpi_op_at(request);
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	MPI_Status own;
	int ret;

	call.t = NULL;
	if (!begin(&call, &m, DESC(op, Test), op, frame))
		return real(request, flag, status);
	if (op)
		iot_mpi_op_take(op);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(request, flag, status);
	iot_mpi_back(&m, ret);
	if (ret == MPI_SUCCESS && !*flag && op) {
		iot_mpi_op_back(op, *request);
		op = NULL;
	}
	finish(&call, &m, op, status, false);
	IOT_MPI_LEAVE(&call, m, mpi_Test, MPI_Test);
	return ret;
}

/* Which of them the call completed can only be asked by its index; the handles are
   gone by then.  While one is ours, all are looked up before. */
int iot_hand_MPI_Waitany(waitany_fn *real, void *frame, int count, MPI_Request *requests, int *index,
			 MPI_Status *status)
{
	struct iot_mpi_several s;
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	MPI_Status own;
	int ret;

	call.t = NULL;
	if (!iot_mpi_any_outstanding() ||
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Waitany), &IOT_DESC_NAME(mpi_Waitany), frame, count, requests, NULL))
		return real(count, requests, index, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(count, requests, index, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, iot_mpi_several_out(&s, iot_mpi_told(&m, index, -1)), status, true);
	iot_mpi_several_done(&s);
	IOT_MPI_LEAVE(&call, m, mpi_Waitany, MPI_Waitany);
	return ret;
}

int iot_hand_MPI_Testany(testany_fn *real, void *frame, int count, MPI_Request *requests, int *index,
			 int *flag, MPI_Status *status)
{
	struct iot_mpi_several s;
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	MPI_Status own;
	int ret;

	call.t = NULL;
	if (!iot_mpi_any_outstanding() ||
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Testany), &IOT_DESC_NAME(mpi_Testany), frame, count, requests, NULL))
		return real(count, requests, index, flag, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(count, requests, index, flag, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, ret != MPI_SUCCESS || *flag ? iot_mpi_several_out(&s, iot_mpi_told(&m, index, -1)) : NULL, status,
	       false);
	iot_mpi_several_done(&s);
	IOT_MPI_LEAVE(&call, m, mpi_Testany, MPI_Testany);
	return ret;
}

/* The operation goes on, and nobody will hear of its end. */
int iot_hand_MPI_Request_free(free_fn *real, void *frame, MPI_Request *request)
{
	struct iot_mpi_op *op = iot_mpi_op_at(request), *lasting = iot_mpi_lasting_ends(request);
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	int ret;

	call.t = NULL;
	if (lasting && lasting != op)
		iot_mpi_op_gone(lasting);
	if (!begin(&call, &m, DESC(op, Request_free), op, frame))
		return real(request);
	if (op)
		iot_mpi_op_take(op);
	ret = real(request);
	iot_mpi_back(&m, ret);
	finish(&call, &m, op, NULL, false);
	IOT_MPI_LEAVE(&call, m, mpi_Request_free, MPI_Request_free);
	return ret;
}
