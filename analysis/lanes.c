/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.c - what each thread spent its time on, by bins of time.
 *
 * A call's own time is what no call inside of it has.  Calls come by start, outer ones
 * first: from one event to the next, time belongs to the innermost call in progress.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "draw.h"

const char *const iota_part_names[IOTA_N_PARTS] = {"reading", "writing", "metadata", "syncing", "waiting"};

int iota_part_of(const struct iota_sample *s)
{
	switch (s->spent) {
	case IOTA_F_MOVING:
		return s->kind->writes || s->does == IOTA_DOES_WRITE ? IOTA_WRITING : IOTA_READING;
	case IOTA_F_METADATA:
		return IOTA_METADATA;
	case IOTA_F_SYNCING:
		return IOTA_SYNCING;
	case IOTA_F_WAITING:
		return IOTA_WAITING;
	default:
		return -1;
	}
}

/* Which bin the moment is in, and when that ends. */
static size_t bin_at(const struct iota_picture *p, uint64_t ns, uint64_t *end)
{
	size_t bin = ns < p->begin ? 0 : (size_t)((ns - p->begin) / p->width);

	if (bin >= p->o.bins)
		bin = p->o.bins - 1;
	*end = bin == p->o.bins - 1 ? UINT64_MAX : p->begin + (bin + 1) * p->width;
	return bin;
}

size_t iota_bin(const struct iota_picture *p, uint64_t ns)
{
	uint64_t end;

	return bin_at(p, ns, &end);
}

/* That time was the call's own. */
static void spend(const struct iota_picture *p, struct iota_lane *l, const struct iota_open_call *c, uint64_t to)
{
	const int part = c->part;
	uint64_t from = c->since, end;

	if (part < 0 || to <= from)
		return;
	l->time[part] += to - from;
	if (c->node < SIZE_MAX)
		p->node[c->node].time += to - from;
	if (c->cell)
		c->cell->time += to - from;
	while (from < to) {
		size_t bin = bin_at(p, from, &end);
		uint64_t until = to < end ? to : end;

		l->bin[(size_t)part * p->o.bins + bin] += until - from;
		from = until;
	}
}

/* What has ended by then, innermost first, or is deeper. */
static void settle(const struct iota_picture *p, struct iota_lane *l, unsigned depth, uint64_t now)
{
	while (l->n_open && (l->n_open > depth || l->open[l->n_open - 1].end <= now)) {
		const struct iota_open_call *c = &l->open[--l->n_open];

		spend(p, l, c, c->end);
		if (l->n_open && l->open[l->n_open - 1].since < c->end)
			l->open[l->n_open - 1].since = c->end;
	}
}

void iota_lane_add(const struct iota_picture *p, struct iota_lane *l, const struct iota_sample *s, int part,
		   size_t node, struct iota_cell *cell)
{
	const struct iotr_call *call = s->call;
	enum iota_mpi mpi = iota_mpi_of(s), within;
	struct iota_open_call *outer;

	if (!s->timed || l->others)
		return;
	settle(p, l, call->depth, call->start);
	if (call->start + call->dur > l->end)
		l->end = call->start + call->dur;
	outer = l->n_open ? &l->open[l->n_open - 1] : NULL;
	if (outer) {
		spend(p, l, outer, call->start);
		outer->since = call->start;
	}
	within = outer ? outer->mpi : IOTA_NOT_MPI;
	iota_mpi_add(l, s, mpi, within);
	if (l->n_open == l->cap_open) {
		l->cap_open = 2 * l->cap_open + 4;
		l->open = iota_grow(l->open, l->cap_open, sizeof(*l->open));
	}
	l->open[l->n_open++] = (struct iota_open_call){call->start + call->dur, call->start, part, node, cell,
						       within == IOTA_NOT_MPI ? mpi : within};
}

void iota_lanes_end(struct iota_picture *p)
{
	size_t i;

	for (i = 0; i < p->n_lanes; i++)
		settle(p, &p->lane[i], 0, UINT64_MAX);
}

/* ---- whose lane a call is in ---- */

struct key {
	const struct iotr_log *log;
	uint32_t process, pid, tid;
	size_t lane;
};

static int by_thread(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->log != y->log)
		return (uintptr_t)x->log < (uintptr_t)y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

struct iota_lane *iota_lane_new(struct iota_picture *p, const struct iota_lane *who)
{
	bool others = p->n_lanes >= p->o.lanes;
	struct iota_lane *l;

	if (others && p->n_lanes > p->o.lanes) {
		l = &p->lane[p->o.lanes];
		l->threads++;
		return l;
	}
	p->lane = iota_grow(p->lane, p->n_lanes + 1, sizeof(*p->lane));
	l = &p->lane[p->n_lanes++];
	*l = *who;
	l->others = others;
	l->threads = 1;
	l->bin = calloc(IOTA_N_PARTS * p->o.bins, sizeof(*l->bin));
	if (!l->bin)
		iota_no_memory();
	return l;
}

static struct iota_lane *add_lane(struct iota_picture *p, const struct iotr_call *call)
{
	const struct iotr_log *log = call->log;
	const char *ppid = iotr_log_key(log, "ppid", NULL);
	const bool began = !call->process && call->pid == iotr_log_pid(log); /* who started another one need not be in any log */

	return iota_lane_new(p, &(struct iota_lane){.log = log,
						    .host = iotr_log_key(log, "host", NULL),
						    .prog = iotr_log_key(log, "program", NULL),
						    .ppid = ppid && began ? (uint32_t)strtoul(ppid, NULL, 10) : 0,
						    .process = call->process,
						    .pid = call->pid,
						    .tid = call->tid,
						    .rank = iotr_log_rank(log, NULL),
						    .begin = call->start});
}

struct iota_lane *iota_lane_of(struct iota_picture *p, const struct iotr_call *call)
{
	struct key like = {call->log, call->process, call->pid, call->tid, 0}, **at, *key;
	struct iota_lane *l = p->last;

	if (l && !l->others && l->log == like.log && l->process == like.process && l->pid == like.pid && l->tid == like.tid)
		return l;
	at = tfind(&like, &p->lanes, by_thread);
	if (!at) {
		key = iota_malloc(sizeof(*key));
		*key = like;
		l = add_lane(p, call);
		key->lane = (size_t)(l - p->lane);
		iota_tree_add(&p->lanes, key, by_thread);
	} else {
		l = &p->lane[(*at)->lane];
	}
	return p->last = l;
}

void iota_lanes_free(struct iota_picture *p)
{
	size_t i;

	for (i = 0; i < p->n_lanes; i++) {
		free(p->lane[i].bin);
		free(p->lane[i].open);
		free(p->lane[i].cell);
	}
	free(p->lane);
	tdestroy(p->lanes, free);
}
