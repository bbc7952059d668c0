/* SPDX-License-Identifier: BSD-3-Clause */
/* interleaved.c - files that processes write in small pieces between each other's. */
#include "config.h"

#include <stdlib.h>

#include "rules.h"

/* Of one file */
struct pieces {
	const struct iota_owned *of;
	uint64_t n, owners, end;
	uint32_t owner; /* of the last one, which ends there */
	bool *seen;	/* by number of the owner */
};

/* Is it by MPI, without the others, or in turns?  Then other rules have a better remedy. */
static bool is_by_mpi(const struct iota_row *file)
{
	const struct iota_spot *s;

	for (s = file->spots; s; s = s->next_of_file)
		if (s->does == IOTA_DOES_WRITE && (iota_independent(s->from->call) || iota_shares_pointer(s->from->call)))
			return true;
	return false;
}

/* MPI has chosen the pieces, for all together: they are small only if it could not make them larger.
   If each rank writes once for each collective call, only larger calls would be of use. */
static uint64_t small(const struct iota_rule *rule, const struct iota_row *file)
{
	const struct iota_spot *s;
	uint64_t together = 0, writes = 0;

	for (s = file->spots; s; s = s->next_of_file) {
		if (!strncmp(s->from->call, "MPI_File_", 9) && strstr(s->from->call, "_all") && s->does == IOTA_DOES_WRITE)
			together += iota_spot_v(s, IOTA_S_CALLS);
		else if (s->is_syscall && s->does == IOTA_DOES_WRITE)
			writes += iota_spot_v(s, IOTA_S_CALLS);
	}
	if (!together)
		return rule->size;
	return rule->size / (writes > together ? 16 : 256);
}

/* What one process wrote at different times is one piece, if nobody has anything between. */
static void count(void *arg, const struct iota_interval *i)
{
	struct pieces *p = arg;

	p->n += (p->end != i->start || p->owner != i->owner) && iota_owned_begins(p->of, i->start);
	p->end = i->end;
	p->owner = i->owner;
	p->owners += !p->seen[i->owner];
	p->seen[i->owner] = true;
}

/* From where most of the writes were made; their time is no other finding's. */
static void set_line(struct iota_finding *f, const struct iota_row *file)
{
	const struct iota_spot *best = NULL;
	struct iota_spot *s;

	for (s = file->spots; s; s = s->next_of_file) {
		if (s->does != IOTA_DOES_WRITE || !s->is_syscall)
			continue;
		f->time += iota_spot_count(s);
		f->calls += iota_spot_v(s, IOTA_S_CALLS);
		if (!best || iota_spot_v(s, IOTA_S_CALLS) > iota_spot_v(best, IOTA_S_CALLS))
			best = s;
	}
	f->chain = best ? best->from->chain : NULL;
	f->call = best ? best->from->call : NULL;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e)
{
	struct iota_finding f = iota_about(rule, e->row);
	size_t processes = iota_table(a, IOTA_BY_PROCESS)->n;
	struct pieces p = {.of = e->row->seen[1], .end = UINT64_MAX};
	uint64_t bytes;

	if (!p.of || iota_owned_n(p.of) < rule->least || processes < 2 ||
	    is_by_mpi(e->row))
		return;
	p.seen = iota_malloc(processes + 1);
	memset(p.seen, 0, processes + 1);
	iota_owned_each(p.of, count, &p);
	free(p.seen);
	p.n *= iota_owned_stand_for(p.of);
	bytes = iota_owned_bytes(p.of);
	if (p.owners < 2 || p.n < rule->least || p.n / p.owners < rule->factor ||
	    bytes / p.n > small(rule, e->row))
		return;
	f.count = p.n;
	f.of = p.owners;
	f.bytes = bytes;
	set_line(&f, e->row);
	iota_finding_add(a, f);
}

RULE(interleaved, 410, judge, .severity = IOTA_COST, .over = IOTA_OVER_FILES,
	.least = 100, .factor = 4, .size = 1048576,
	.title = "small pieces between those of others",
	.when = "Several processes wrote the file, and in the end each has, on average, {factor} or more "
	  "pieces of it between those of others, {least} or more in all, of at most {size} bytes "
	  "on average, or a sixteenth of that if collective calls of MPI wrote them, or one in 256 if "
	  "each rank wrote but once in each of these calls.",
	.says = "{of} processes wrote {count piece} between each other's, {bytes} in all",
	.remedy = "Let each process write one large part; in MPI by MPI_File_write_at_all(), with collective "
	  "buffering.")
