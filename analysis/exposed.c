/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exposed.c - how much of the time no other thread computes: only there a fix makes the run
 * shorter.
 *
 * However little I/O is left, the run takes as long as the thread that computes most.  Logs say
 * how long each thread has computed.  Ranks of MPI are left out, since they compute while they
 * wait for each other.
 */
#include "config.h"

#include "spots.h"

void iota_computing_see(struct iota *a, const struct iotr_log *log)
{
	int rank = iotr_log_rank(log, NULL);
	struct iotr_usage usage;
	uint32_t pid, tid;
	size_t at = 0;

	if (rank >= 0)
		return;
	while (iotr_log_usage_next(log, &at, &pid, &tid, &usage)) {
		uint64_t *most = &a->computing[__builtin_ctzll(iota_thread_bit(tid, rank))];

		*most = usage.user * 1000 > *most ? usage.user * 1000 : *most;
	}
}

void iota_computing_merge(struct iota *a, const uint64_t more[IOTA_BITS])
{
	unsigned i;

	for (i = 0; i < IOTA_BITS; i++)
		a->computing[i] = more[i] > a->computing[i] ? more[i] : a->computing[i];
}

uint64_t iota_computes(const struct iota *a, uint64_t threads)
{
	uint64_t most = 0;
	unsigned i;

	for (i = 0; i < IOTA_BITS; i++)
		if (threads >> i & 1 && a->computing[i] > most)
			most = a->computing[i];
	return most;
}

void iota_saves_exposed(const struct iota *a, struct iota_finding *f)
{
	uint64_t wall = a->run_time, most = iota_computes(a, ~f->threads), rest = wall > most ? wall - most : 0;
	unsigned i;

	/* one run does not wait for another one */
	if (a->runs > 1 || !f->threads || !wall)
		return;
	for (i = 0; i < 2; i++)
		f->saves[i] = f->saves[i] < rest ? f->saves[i] : rest;
}
