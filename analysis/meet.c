/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meet.c - calls of MPI-IO: collective against independent ones, the system calls beneath
 * them, and who came late to collective calls.
 *
 * A process' n-th call of a kind on a file belongs to the n-th of the others: calls come by
 * start, so the oldest meeting of that kind that the thread is not part of is the one.  A
 * meeting is over when as many have come as the communicator has ranks.
 */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

#define MOST_OPEN 1000 /* meetings to which not all have come: the log of a rank may be missing */

enum iota_mpi iota_mpi_of(const struct iota_sample *s)
{
	const struct iotr_schema *schema = s->call->schema;

	if (strcmp(schema->family, "mpiio") || (s->does != IOTA_DOES_READ && s->does != IOTA_DOES_WRITE))
		return IOTA_NOT_MPI;
	return schema->flags & IOTR_CALL_COLLECTIVE ? IOTA_COLLECTIVE : IOTA_INDEPENDENT;
}

static void add(struct iota_transfers *t, const struct iota_sample *s)
{
	t->calls++;
	t->bytes += s->moved;
	t->time += s->time;
}

void iota_mpi_add(struct iota_lane *l, const struct iota_sample *s, enum iota_mpi own, enum iota_mpi within)
{
	if (within != IOTA_NOT_MPI) {
		if (iota_transfers(s))
			add(&l->beneath[within], s);
	} else if (own != IOTA_NOT_MPI) {
		add(&l->mpi[own], s);
	}
}

static bool is_there(const struct iota_meeting *m, uint32_t lane)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->member[i].lane == lane)
			return true;
	return false;
}

static void forget(struct iota_picture *p, size_t i)
{
	free(p->meets.open[i].member);
	memmove(&p->meets.open[i], &p->meets.open[i + 1], (--p->meets.n_open - i) * sizeof(*p->meets.open));
}

static struct iota_meeting *meeting_of(struct iota_picture *p, const char *call, size_t file, uint32_t lane,
				       uint64_t size)
{
	struct iota_meeting *m;
	size_t i;

	for (i = 0; i < p->meets.n_open; i++) {
		m = &p->meets.open[i];
		if (m->file == file && m->size == size && !strcmp(m->call, call) && !is_there(m, lane))
			return m;
	}
	if (p->meets.n_open == MOST_OPEN)
		forget(p, 0);
	p->meets.open = iota_grow(p->meets.open, p->meets.n_open + 1, sizeof(*m));
	m = &p->meets.open[p->meets.n_open++];
	*m = (struct iota_meeting){.call = call, .file = file, .size = size};
	return m;
}

/* Those that others waited for longest stay. */
static void keep(struct iota_picture *p, const struct iota_meeting *m)
{
	struct iota_meets *all = &p->meets;
	size_t i;

	if (all->n == p->o.meetings) {
		if (!all->n || all->meeting[all->n - 1].waited >= m->waited) {
			free(m->member);
			return;
		}
		free(all->meeting[--all->n].member);
	}
	for (i = all->n++; i > 0 && all->meeting[i - 1].waited < m->waited; i--)
		all->meeting[i] = all->meeting[i - 1];
	all->meeting[i] = *m;
}

/* All are there: until the last one came, the others waited. */
static void met(struct iota_picture *p, struct iota_meeting m)
{
	const struct iota_member *last = &m.member[m.n - 1];
	size_t i;

	for (i = 0; i < m.n; i++) {
		struct iota_lane *l = &p->lane[m.member[i].lane];

		l->met++;
		l->waited += last->start - m.member[i].start;
		m.waited += last->start - m.member[i].start;
	}
	p->lane[last->lane].last++;
	p->lane[last->lane].kept_waiting += m.waited;
	p->meets.seen++;
	keep(p, &m);
}

void iota_meet(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane)
{
	const struct iotr_call *call = s->call;
	uint64_t size = iota_word(call, IOTR_KIND_COMMSIZE);
	struct iota_meeting *m, done;

	if (!(call->schema->flags & IOTR_CALL_COLLECTIVE) || strcmp(call->schema->family, "mpiio") || size < 2 ||
	    call->inferred || p->lane[lane].others)
		return;
	m = meeting_of(p, call->schema->name, file, lane, size);
	m->member = iota_grow(m->member, m->n + 1, sizeof(*m->member));
	m->member[m->n++] = (struct iota_member){lane, call->start, s->time};
	if (m->n < size)
		return;
	done = *m;
	m->member = NULL;
	forget(p, (size_t)(m - p->meets.open));
	met(p, done);
}

void iota_meets_free(struct iota_picture *p)
{
	while (p->meets.n_open)
		forget(p, p->meets.n_open - 1);
	free(p->meets.open);
	while (p->meets.n)
		free(p->meets.meeting[--p->meets.n].member);
	free(p->meets.meeting);
}
