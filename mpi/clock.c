/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.c - what time it is by the clock of rank 0.
 *
 * One rank of each host asks rank 0 for the time, ROUNDS times, and takes the
 * answer that came back soonest to have been given in the middle of that.  Hosts
 * take turns.  It tells the other ranks of its host, which have the same clock.
 * That costs two small collective calls and 8 bytes a rank, and ROUNDS messages to
 * and fro for each host: less than a millisecond a host on common networks.  Where
 * there is one clock, which the first collective call finds, nothing else is done.
 */
#include <string.h>
#include <time.h>

#include "anchor.h"
#include "arena.h"
#include "bytes.h"
#include "job.h"
#include "log-share.h"
#include "rank.h"
#include "sys.h"
#include "vdso-clock.h"

#define ROUNDS 32
#define TAG    0

static uint64_t monotonic(void)
{
	return iot_clock_ns(CLOCK_MONOTONIC);
}

/* Of processes that have the same CLOCK_MONOTONIC, and of no others: those of the
   same boot of a machine, in the same time namespace.  Never 0. */
static uint64_t clock_id(void)
{
	char text[200];
	int fd = iot_sys_openat(AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0);
	long n = fd < 0 ? 0 : iot_sys_read(fd, text, 100), m;

	if (fd >= 0)
		iot_sys_close(fd);
	n = n < 0 ? 0 : n;
	m = iot_sys_readlink("/proc/self/ns/time", text + n, sizeof(text) - (size_t)n);
	return iot_hash(text, (uint32_t)(n + (m < 0 ? 0 : m)));
}

/* By how much rank 0's log is ahead of its CLOCK_MONOTONIC. */
static uint64_t real_offset(void)
{
	struct iot_anchor now;

	if (iot_header)
		return iot_header->start.realtime - iot_header->start.monotonic;
	iot_anchor_now(&now);
	return now.realtime - now.monotonic;
}

/* Rank 0, to the one that asks for a host. */
static void answer(const struct iot_job *job, int rank, uint64_t offset)
{
	uint64_t t;

	for (int i = 0; i < ROUNDS; i++) {
		iot_pmpi_Recv(&t, 0, MPI_BYTE, rank, TAG, job->comm, MPI_STATUS_IGNORE);
		t = monotonic() + offset;
		iot_pmpi_Send(&t, sizeof(t), MPI_BYTE, rank, TAG, job->comm);
	}
}

static void ask(const struct iot_job *job, uint64_t clock[3])
{
	uint64_t best = ~0ULL;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t = 0, from = monotonic(), to;

		iot_pmpi_Send(&t, 0, MPI_BYTE, 0, TAG, job->comm);
		iot_pmpi_Recv(&t, sizeof(t), MPI_BYTE, 0, TAG, job->comm, MPI_STATUS_IGNORE);
		to = monotonic();
		if (to - from >= best)
			continue;
		best = to - from;
		clock[0] = from + best / 2;
		clock[1] = t;
		clock[2] = best / 2;
	}
}

/* The first rank with that clock. */
static int first_with(const uint64_t *ids, int size, uint64_t id)
{
	int i = 0;

	while (i < size && ids[i] != id)
		i++;
	return i;
}

static void measure(const struct iot_job *job, const uint64_t *ids, uint64_t offset, uint64_t clock[3])
{
	uint64_t mine = ids[job->rank];
	int first = first_with(ids, job->size, mine);

	if (job->rank == 0)
		/* ranks of a host mostly follow each other */
		for (int i = 1; i < job->size; i++)
			if (ids[i] != ids[i - 1] && first_with(ids, i, ids[i]) == i)
				answer(job, i, offset);
	if (mine == ids[0]) {
		clock[0] = monotonic();
		clock[1] = clock[0] + offset;
		clock[2] = 0;
		return;
	}
	if (job->rank != first) {
		iot_pmpi_Recv(clock, 3 * sizeof(*clock), MPI_BYTE, first, TAG, job->comm, MPI_STATUS_IGNORE);
		return;
	}
	ask(job, clock);
	for (int i = first + 1; i < job->size; i++)
		if (ids[i] == mine)
			iot_pmpi_Send(clock, 3 * sizeof(*clock), MPI_BYTE, i, TAG, job->comm);
}

bool iot_job_clock(const struct iot_job *job)
{
	uint64_t id = clock_id(), *ids;
	/* the greatest, the smallest, and what only rank 0 has */
	uint64_t in[3] = { id, ~id, job->rank ? 0 : real_offset() }, out[3];
	size_t size = (size_t)job->size * sizeof(*ids);

	if (iot_pmpi_Allreduce(in, out, 3, MPI_UINT64_T, MPI_MAX, job->comm) != MPI_SUCCESS ||
	    out[0] == ~out[1])
		return false;
	ids = iot_map(size);
	if (!ids)
		return false;
	if (iot_pmpi_Allgather(&id, 1, MPI_UINT64_T, ids, 1, MPI_UINT64_T, job->comm) == MPI_SUCCESS &&
	    iot_rank.n_clocks < 2) {
		measure(job, ids, out[2], iot_rank.clock[iot_rank.n_clocks]);
		iot_rank.n_clocks++;
	}
	iot_unmap(ids, size);
	return true;
}
