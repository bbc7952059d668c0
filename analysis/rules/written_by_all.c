/* SPDX-License-Identifier: BSD-3-Clause */
/* written_by_all.c - the same bytes of a file, written by each of several processes. */
#include "config.h"

#include "rules.h"

static uint64_t writers(const struct iota_row *file)
{
	return file->movers & 2 ? 1 + (file->rare->more[1] ? file->rare->more[1]->n : 0) : 1;
}

/* Has each written about all that there is? */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t n = writers(file), different = iota_different(file, 1), times;

	if (n < 2 || !spot->is_syscall || !iota_regular(file) || !different ||
	    file->placed[1] < different + rule->size)
		return 0;
	times = file->placed[1] / different;
	return times >= 2 && times >= n * rule->share / 100 && times <= n ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.of = writers(g->file);
	f.bytes = iota_different(g->file, 1);
	iota_saves_without(&f, f.calls / f.of * (f.of - 1));
	iota_finding_of_file(a, f);
}

LINES(written_by_all, 55, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .share = 80, .size = 1048576,
	.title = "the same written by several processes",
	.when = "Several processes, or ranks, write the same bytes of a file: as many times as {share} % of them, and {size} "
	  "bytes or more are written again.",
	.says = "{of} processes each wrote the same {bytes}",
	.assumes = "one of them would do",
	.remedy = "Let one process write it, such as rank 0, or each its own part. The processes may also mix up what they "
	  "write.")
