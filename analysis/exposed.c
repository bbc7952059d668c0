/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exposed.c - how much of the time no other thread computes: only there a fix makes the run
 * shorter.
 *
 * However little I/O is left, the run takes as long as the others compute that have none of the
 * finding's calls: one thread after the other, where one was made when another had ended, and
 * of the rest the one that computes most.  That is the longest way through their lives.  Of
 * ranks it is what the one computes that computes most, from one collective call of all to
 * the next.
 *
 * Logs say how long each thread has computed.  Ranks of MPI compute while they wait for each
 * other, so it is the time in which they are in no call that counts: where MPI's calls are in the
 * log.  What waits unseen, for a mutex for instance, does not compute.
 */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"
#include "spots.h"

#define MOST_LIVES 16384 /* that are looked at for each finding: those that compute most */

/* ---- how long threads compute ---- */

void iota_life_makes(struct iota *a, const struct iotr_call *call)
{
	struct iota_thread *t = &a->thread;

	if (t->until || call->depth)
		return;
	t->alone = t->outside;
	t->until = call->start;
}

void iota_life_add(struct iota *a, uint64_t begin, uint64_t end)
{
	const struct iota_thread *t = &a->thread;
	struct iota_lives *l = &a->lives;

	if (!a->finds || t->process->v[IOTA_F_RANK])
		return;
	IOTA_ROOM(l->life, l->n, l->cap);
	l->life[l->n++] = (struct iota_life){.begin = begin,
					     .end = end,
					     .alone = t->alone,
					     .until = t->until,
					     .bit = t->bit,
					     .pid = t->pid,
					     .tid = t->tid};
}

static int by_thread(const void *a, const void *b)
{
	const struct iota_life *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Until it made the first other one, a process's first thread waited for none. */
static void divide(struct iota_lives *l, size_t i)
{
	struct iota_life before = l->life[i];

	if (before.tid != before.pid || before.until <= before.begin || before.until >= before.end)
		return;
	before.end = before.until;
	before.computes = before.alone < before.computes ? before.alone : before.computes;
	l->life[i].begin = before.until;
	l->life[i].computes -= before.computes;
	IOTA_ROOM(l->life, l->n, l->cap);
	l->life[l->n++] = before;
}

void iota_computing_see(struct iota *a, const struct iotr_log *log)
{
	struct iota_lives *l = &a->lives;
	size_t n = l->n - l->read, at = 0, i;
	int rank = iotr_log_rank(log, NULL);
	struct iotr_usage usage;
	struct iota_life like, *life;

	if (rank >= 0)
		return;
	if (n)
		qsort(l->life + l->read, n, sizeof(*l->life), by_thread);
	while (iotr_log_usage_next(log, &at, &like.pid, &like.tid, &usage)) {
		uint64_t *most = &a->computing[__builtin_ctzll(iota_thread_bit(like.tid, rank))];

		*most = usage.user * 1000 > *most ? usage.user * 1000 : *most;
		life = n ? bsearch(&like, l->life + l->read, n, sizeof(*l->life), by_thread) : NULL;
		if (!life)
			continue;
		life->computes = usage.user * 1000;
		if (life->end < life->begin + life->computes) /* nothing tells when it ended */
			life->end = life->begin + life->computes;
	}
	for (i = l->read; i < l->read + n; i++)
		divide(l, i);
	l->read = l->n;
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

/* ---- the longest way ---- */

/* Behind the last call: those that compute most, by their ends. */
static int by_computing(const void *a, const void *b)
{
	const struct iota_life *x = a, *y = b;

	if (x->computes != y->computes)
		return x->computes > y->computes ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static int by_end(const void *a, const void *b)
{
	const struct iota_life *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

static void sort(struct iota_lives *l)
{
	if (l->n > MOST_LIVES) {
		qsort(l->life, l->n, sizeof(*l->life), by_computing);
		l->n = MOST_LIVES;
	}
	if (l->n)
		qsort(l->life, l->n, sizeof(*l->life), by_end);
}

/* How many of the first n had ended by then. */
static size_t ended(const struct iota_life *life, size_t n, uint64_t time)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (life[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ns that those without these bits compute who follow each other; way has room for a number more than
   there are: of the first so many, the longest. */
static uint64_t longest(const struct iota_lives *l, uint64_t *way, uint64_t without)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct iota_life *life = &l->life[i];
		uint64_t with = life->computes + way[ended(l->life, i, life->begin)];

		way[i + 1] = !(life->bit & without) && with > way[i] ? with : way[i];
	}
	return way[l->n];
}

static void cap(struct iota_finding *f, uint64_t rest)
{
	unsigned i;

	for (i = 0; i < 2; i++)
		f->saves[i] = f->saves[i] < rest ? f->saves[i] : rest;
}

static uint64_t greater(uint64_t x, uint64_t y)
{
	return x > y ? x : y;
}

void iota_saves_exposed(struct iota *a)
{
	uint64_t wall = a->run_time, most, *way;
	size_t i;

	/* one run does not wait for another one */
	if (a->runs > 1 || !wall)
		return;
	sort(&a->lives);
	way = iota_grow(NULL, a->lives.n + 1, sizeof(*way));
	way[0] = 0;
	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *f = &a->findings[i];

		if (!f->threads)
			continue;
		most = greater(longest(&a->lives, way, f->threads), iota_computes(a, ~f->threads));
		most = greater(most, iota_phases_compute(a, ~f->threads));
		cap(f, wall > most ? wall - most : 0);
	}
	free(way);
}
