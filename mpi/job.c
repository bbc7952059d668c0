/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - the beginning and the end of a job.
 *
 * Ranks may be of several programs, of which some know nothing of us: waiting for
 * those would be waiting forever.  So ranks join a communicator of our own in calls
 * that do not block, and give up after a while.  Who has come through both steps of
 * join knows that all have come through the first, and will through the second: from
 * then on calls may block.  (A rank that lets the others wait for longer than they
 * do may see it otherwise, and gives up itself.)
 *
 * A job that the launcher says is on one host has one clock, and no reason to join
 * unless logs are to be merged.
 */
#include "job.h"

#include "conf.h"
#include "for-jobs.h"
#include "host.h"
#include "rank.h"
#include "report.h"
#include "sys.h"
#include "vdso-clock.h"

#include <time.h>

#define PATIENCE 20			/* s: for ranks that are late for the first step */

static struct iot_job job;
static bool joined, several_clocks, merged;

static uint64_t seconds(void)
{
	struct timespec now;

	iot_clock(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec;
}

/* Not at once, if it must be: others need the processor to come so far, and who is
   waited for in vain shall not cost more than the time. */
static bool done(MPI_Request *request, uint64_t patience)
{
	static const struct timespec nap = { .tv_nsec = 1000000 };
	uint64_t begun = seconds();
	uint32_t tries = 0;
	int flag = 0;

	for (;;) {
		if (iot_pmpi_Test(request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return false;
		if (flag)
			return true;
		if (seconds() - begun > patience)
			return false;
		if (++tries < 1000)
			iot_syscall(SYS_sched_yield);
		else
			iot_syscall(SYS_nanosleep, &nap, NULL);
	}
}

/* All ranks, or none. */
static bool join(void)
{
	static MPI_Comm comm;		/* MPI may store it when we have given up */
	static int one = 1, all;
	MPI_Request request;

	if (iot_pmpi_Comm_idup(MPI_COMM_WORLD, &comm, &request) == MPI_SUCCESS && done(&request, PATIENCE)) {
		iot_pmpi_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
		if (iot_pmpi_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm, &request) == MPI_SUCCESS &&
		    done(&request, 3 * PATIENCE)) {
			job.comm = comm;
			joined = true;
			return true;
		}
	}
	iot_report("not all ranks are recorded", "", "; their clocks are not compared, and logs not merged");
	return false;
}

/* What launchers say of the number of ranks, or hosts, there are. */
static bool on_one_host(void)
{
	char **env = iot_environ();

	return iot_env_number(env, "OMPI_COMM_WORLD_LOCAL_SIZE") == job.size ||
	       iot_env_number(env, "MPI_LOCALNRANKS") == job.size ||
	       iot_env_number(env, "SLURM_STEP_NUM_NODES") == 1;
}

void iot_job_began(void)
{
	struct iot_thread *t;

	/* by PMPI_Init, within MPI_Init */
	if (job.size)
		return;
	t = iot_thread_mute();
	if (iot_pmpi_Comm_rank(MPI_COMM_WORLD, &job.rank) == MPI_SUCCESS &&
	    iot_pmpi_Comm_size(MPI_COMM_WORLD, &job.size) == MPI_SUCCESS && job.size > 1 &&
	    !on_one_host() && join())
		several_clocks = iot_job_clock(&job);
	if (!t)
		return;
	iot_thread_unmute(t);
	iot_rank.rank = job.rank;
	iot_rank.size = job.size;
	iot_note(IOT_DEF_RANK, (uint64_t[]){ (uint64_t)job.rank, (uint64_t)job.size }, 2);
	if (iot_rank.n_clocks)
		iot_note(IOT_DEF_CLOCK, iot_rank.clock[0], 3);
}

void iot_job_ends(void)
{
	struct iot_thread *t;

	if (job.size < 2 || (!joined && !iot_config.merge))
		return;
	t = iot_thread_mute();
	if (!joined)
		join();
	if (joined && several_clocks && iot_job_clock(&job) && t &&
	    iot_rank.n_clocks == 2) {
		iot_thread_unmute(t);
		iot_note(IOT_DEF_CLOCK, iot_rank.clock[1], 3);
		t = iot_thread_mute();
	}
	if (joined) {
		merged = iot_job_merge(&job);
		iot_pmpi_Comm_free(&job.comm);
	}
	job.size = 0;
	if (t)
		iot_thread_unmute(t);
}

/* MPI_Finalize has come back, and has its record. */
void iot_job_over(void)
{
	if (merged)
		iot_job_merge_rest();
	merged = false;
}
