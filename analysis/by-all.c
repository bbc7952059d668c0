/* SPDX-License-Identifier: BSD-3-Clause */
/* by-all.c - what each of several processes moves of the same file: for read-by-all and written-by-all. */
#include "config.h"

#include "rules/rules.h"

/* How many processes moved of it, in each run of the program. */
static uint64_t movers(const struct iota_row *file, unsigned direction)
{
	const struct iota_movers *more = file->rare->more[direction];

	return (1 + (more ? more->n : 0)) / (file->runs[direction] > 1 ? file->runs[direction] : 1);
}

bool iota_is_moved_by_all(const struct iota_rule *rule, const struct iota_spot *spot, unsigned direction)
{
	const struct iota_row *file = spot->file;
	uint64_t n, different, times;

	if (!(file->movers & 1u << direction) || !spot->is_syscall || !iota_regular(file))
		return false;
	different = iota_different(file, direction);
	if (!different || file->placed[direction] < different + rule->size)
		return false;
	n = movers(file, direction);
	times = file->placed[direction] / different;
	return times >= 2 && times >= iota_share(n, rule->share) && times <= n;
}

struct iota_finding iota_about_all(const struct iota *a, const struct iota_rule *rule, const struct iota_group *g,
				   unsigned direction)
{
	struct iota_finding f = iota_about_group(rule, g);

	f.of = movers(g->file, direction);
	f.by_ranks = iota_is_rank(a, g->file->mover[direction]);
	f.bytes = iota_different_of(g, direction, NULL);
	iota_saves_without(&f, f.calls / f.of * (f.of - 1));
	return f;
}
