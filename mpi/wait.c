/* SPDX-License-Identifier: BSD-3-Clause */
/* wait.c - calls that complete one request at most, of which the record is that of
   the operation's end.  Those that complete none are not recorded. */
#include "several.h"

#include "desc_MPI_Request_free.h"
#include "desc_MPI_Test.h"
#include "desc_MPI_Testany.h"
#include "desc_MPI_Wait.h"
#include "desc_MPI_Waitany.h"

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

/* The end of op, or of none (NULL): only its effect on the calls in progress. */
static void finish(struct iot_call *c, struct iot_mpi *m, struct iot_mpi_op *op, MPI_Status *status)
{
	if (!op) {
		c->silent = true;
		return;
	}
	iot_mpi_on(c, op->handle, op->silent);
	iot_mpi_op_ends(m, op);
	if (status)
		iot_mpi_moved(m, status);
	iot_mpi_op_forget(op);
}

int iot_hand_MPI_Wait(wait_fn *real, void *frame, MPI_Request *request, MPI_Status *status)
{
	struct iot_mpi_op *op = iot_mpi_op_at(request);
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	MPI_Status own;
	int ret;

	call.t = NULL;
	if (!op || !iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Wait), frame))
		return real(request, status);
	iot_mpi_op_take(op);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(request, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, op, status);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Wait;

		iot_mpi_leave(&call, &m, words);
	}
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
	if (!op || !iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Test), frame))
		return real(request, flag, status);
	iot_mpi_op_take(op);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(request, flag, status);
	iot_mpi_back(&m, ret);
	if (ret == MPI_SUCCESS && !*flag) {
		iot_mpi_op_back(op, *request);
		op = NULL;
	}
	finish(&call, &m, op, status);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Test;

		iot_mpi_leave(&call, &m, words);
	}
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
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Waitany), frame, count, requests, NULL))
		return real(count, requests, index, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(count, requests, index, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, iot_mpi_several_out(&s, *index), status);
	iot_mpi_several_done(&s);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Waitany;

		iot_mpi_leave(&call, &m, words);
	}
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
	    !iot_mpi_several_begin(&s, &call, &m, &IOT_DESC_NAME(MPI_Testany), frame, count, requests, NULL))
		return real(count, requests, index, flag, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	ret = real(count, requests, index, flag, status);
	iot_mpi_back(&m, ret);
	finish(&call, &m, ret != MPI_SUCCESS || *flag ? iot_mpi_several_out(&s, *index) : NULL, status);
	iot_mpi_several_done(&s);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Testany;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}

/* The operation goes on, and nobody will hear of its end. */
int iot_hand_MPI_Request_free(free_fn *real, void *frame, MPI_Request *request)
{
	struct iot_mpi_op *op = iot_mpi_op_at(request);
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	int ret;

	call.t = NULL;
	if (!op || !iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Request_free), frame))
		return real(request);
	iot_mpi_op_take(op);
	ret = real(request);
	iot_mpi_back(&m, ret);
	finish(&call, &m, op, NULL);
	{
		const uint64_t words[] = IOT_WORDS_MPI_Request_free;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}
