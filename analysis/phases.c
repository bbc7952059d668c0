/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.c - what each rank moves between collective calls of all.
 *
 * All ranks make the same collective calls on a communicator of all, in the same order: so
 * the n-th phase of one rank is that of all.  A job that has no such calls in its logs is one
 * phase.  Ranks are read one after the other, and of a phase stay sums and the most that
 * one had.  Counted are calls that the program makes itself: in a collective write, MPI has
 * some ranks write for all.
 */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"
#include "rules/rules.h"

#define MOST_PHASES 65536 /* others are the last one's */

static bool of_all(const struct iotr_call *call, enum iota_shares shares)
{
	uint64_t n;
	int size;

	if (shares != IOTA_SHARES_ALL_MEET && shares != IOTA_SHARES_MAY_MEET &&
	    shares != IOTA_SHARES_FROM_ROOT && shares != IOTA_SHARES_TO_ROOT)
		return false;
	return iotr_log_rank(call->log, &size) >= 0 && iota_param(call, IOTR_KIND_COMMSIZE, &n) &&
	       n == (uint64_t)size;
}

/* What one rank had is added to a phase. */
void iota_phase_merge(struct iota_phase *to, const struct iota_phase *more)
{
	unsigned i;

	to->ranks += more->ranks;
	to->time += more->time;
	to->longest = more->longest > to->longest ? more->longest : to->longest;
	for (i = 0; i < 2; i++) {
		to->movers[i] += more->movers[i];
		to->bytes[i] += more->bytes[i];
		to->most[i] = more->most[i] > to->most[i] ? more->most[i] : to->most[i];
	}
	for (i = 0; i < IOTA_BITS; i++)
		to->outside[i] = more->outside[i] > to->outside[i] ? more->outside[i] : to->outside[i];
}

struct iota_phase *iota_phase_at(struct iota *a, size_t n)
{
	struct iota_phases *p = &a->phases;

	while (p->n <= n) {
		IOTA_ROOM(p->phase, p->n, p->cap);
		p->phase[p->n++] = (struct iota_phase){0};
	}
	return &p->phase[n];
}

static void end_phase(struct iota *a)
{
	struct iota_phase *now = &a->phases.now;
	unsigned i;

	now->ranks = 1;
	now->longest = now->time;
	now->outside[__builtin_ctzll(a->thread.bit)] = a->thread.outside - a->phases.outside;
	a->phases.outside = a->thread.outside;
	for (i = 0; i < 2; i++) {
		now->most[i] = now->bytes[i];
		now->movers[i] = now->bytes[i] != 0;
	}
	iota_phase_merge(iota_phase_at(a, a->phases.at), now);
	*now = (struct iota_phase){0};
}

void iota_phases_thread_end(struct iota *a)
{
	if (a->phases.counts)
		end_phase(a);
	a->phases.counts = false;
	a->phases.at = 0;
	a->phases.outside = 0;
}

void iota_phases_see(struct iota *a, const struct iota_sample *s, const struct iota_spot *spot)
{
	const struct iotr_call *call = s->call;
	enum iota_shares shares = (enum iota_shares)s->kind->shares;
	struct iota_phase *now = &a->phases.now;

	if (call->depth || call->mpi_own || call->tid != call->pid || !a->thread.process->v[IOTA_F_RANK])
		return;
	a->phases.counts = true;
	if (of_all(call, shares)) {
		end_phase(a);
		a->phases.at += a->phases.at < MOST_PHASES - 1;
	} else if (spot && s->spent == IOTA_F_MOVING) {
		now->time += s->time;
	}
	if (spot && (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE) && iota_own_file(spot->file) &&
	    iota_regular(spot->file))
		now->bytes[s->does == IOTA_DOES_WRITE] += s->moved;
}

uint64_t iota_phases_compute(const struct iota *a, uint64_t threads)
{
	uint64_t sum = 0, most;
	size_t i;
	unsigned bit;

	/* else ranks that send and receive seem to compute */
	if (iota_handed_out(a) == IOTA_HANDED_UNSEEN)
		return 0;
	for (i = 0; i < a->phases.n; i++) {
		most = 0;
		for (bit = 0; bit < IOTA_BITS; bit++)
			if (threads >> bit & 1 && a->phases.phase[i].outside[bit] > most)
				most = a->phases.phase[i].outside[bit];
		sum += most;
	}
	return sum;
}

void iota_phases_free(struct iota *a)
{
	free(a->phases.phase);
}
