/* SPDX-License-Identifier: BSD-3-Clause */
/* interleaved.c - files that processes write in small pieces between each other's. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "rules.h"

bool iota_wants_interleaved(const struct iota_rule *rule, const struct iota_row *file)
{
	return file->several_write && file->v[IOTA_F_WRITES] >= rule->least;
}

void iota_see_interleaved(struct iota_watch *w, const struct iota_access *access)
{
	if (access->writes)
		iota_intervals_set(&w->intervals, access->start, access->end, access->actor);
}

/* Of one file */
struct pieces {
	uint64_t n, bytes, owners;
	bool *seen; /* by number of the owner */
};

static void count(const void *node, VISIT visit, void *arg)
{
	const struct iota_interval *i = *(const struct iota_interval *const *)node;
	struct pieces *p = arg;

	if (visit != postorder && visit != leaf)
		return;
	p->n++;
	p->bytes += i->end - i->start;
	p->owners += !p->seen[i->owner];
	p->seen[i->owner] = true;
}

void iota_rule_interleaved(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e)
{
	struct iota_finding f = iota_about(rule, e->row);
	const struct iota_watch *w = e->row->watch;
	struct pieces p = {0};

	while (w && w->rule != rule)
		w = w->next_of_file;
	if (!w)
		return;
	p.seen = iota_malloc(a->n_actors + 1);
	memset(p.seen, 0, a->n_actors + 1);
	twalk_r(w->intervals.tree, count, &p);
	free(p.seen);
	if (p.owners < 2 || p.n < rule->least || p.n / p.owners < rule->factor ||
	    p.bytes / p.n > rule->size)
		return;
	f.count = p.n;
	f.of = p.owners;
	f.bytes = p.bytes;
	f.time = e->row->v[IOTA_F_WRITE_TIME];
	iota_finding_add(a, f);
}
