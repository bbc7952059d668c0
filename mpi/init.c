/* SPDX-License-Identifier: BSD-3-Clause */
/* init.c - MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort. */
#include "job.h"
#define IOT_WITH_MPI
#include "mpi-own.h"

#include "desc_MPI_Abort.h"
#include "desc_MPI_Finalize.h"
#include "desc_MPI_Init.h"
#include "desc_MPI_Init_thread.h"

/* So that it is there in static executables. */
static void (*const own)(struct iot_thread *, const struct iot_call *) __attribute__((used)) = iot_own_inside;

#pragma GCC visibility push(hidden)
typedef int init_fn(void *, void *);
int iot_hand_MPI_Init(init_fn *real, void *frame, void *argc, void *argv);
typedef int init_thread_fn(void *, void *, int, int *);
int iot_hand_MPI_Init_thread(init_thread_fn *real, void *frame, void *argc, void *argv,
			     int required, int *provided);
typedef int finalize_fn(void);
int iot_hand_MPI_Finalize(finalize_fn *real, void *frame);
typedef int abort_fn(iot_comm, int);
int iot_hand_MPI_Abort(abort_fn *real, void *frame, iot_comm comm, int errorcode);
#pragma GCC visibility pop

int iot_hand_MPI_Init(init_fn *real, void *frame, void *argc, void *argv)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	int ret;

	bool recorded = iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Init), frame);

	ret = real(argc, argv);
	if (recorded) {
		const uint64_t words[] = IOT_WORDS_MPI_Init;

		iot_mpi_back(&m, ret);
		iot_mpi_leave(&call, &m, words);
	}
	if (ret == MPI_SUCCESS && iot_mpi_ours())
		iot_job_began();
	return ret;
}

int iot_hand_MPI_Init_thread(init_thread_fn *real, void *frame, void *argc, void *argv,
			     int required, int *provided)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	int ret;

	bool recorded = iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Init_thread), frame);

	ret = real(argc, argv, required, provided);
	if (recorded) {
		const uint64_t words[] = IOT_WORDS_MPI_Init_thread;

		iot_mpi_back(&m, ret);
		iot_mpi_leave(&call, &m, words);
	}
	if (ret == MPI_SUCCESS && iot_mpi_ours())
		iot_job_began();
	return ret;
}

int iot_hand_MPI_Finalize(finalize_fn *real, void *frame)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	bool recorded;
	int ret;

	call.t = NULL;
	if (iot_mpi_again(&IOT_DESC_NAME(MPI_Finalize), frame))
		return real();
	iot_job_ends();
	recorded = iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Finalize), frame);
	ret = real();
	if (recorded) {
		const uint64_t words[] = IOT_WORDS_MPI_Finalize;

		iot_mpi_back(&m, ret);
		iot_mpi_leave(&call, &m, words);
	}
	iot_job_over();
	iot_mpi_readable_forget();
	return ret;
}

/* As exit: the record is made before, and again if it should come back. */
int iot_hand_MPI_Abort(abort_fn *real, void *frame, iot_comm comm, int errorcode)
{
	struct iot_call call IOT_CLEANUP;
	struct iot_mpi m;
	const uint64_t words[] = IOT_WORDS_MPI_Abort;
	int ret;

	if (!iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_Abort), frame))
		return real(comm, errorcode);
	iot_noreturn(&call, words);
	ret = real(comm, errorcode);
	iot_mpi_back(&m, ret);
	iot_mpi_leave(&call, &m, words);
	return ret;
}
