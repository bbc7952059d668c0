/* SPDX-License-Identifier: BSD-3-Clause */
/* discarded.c - data that is written, and that nobody reads before the file is removed. */
#include "config.h"

#include "rules.h"

/* Its removal is the last that is done to it.  One that is synced is there for a crash, such as the
   journal of a database. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	(void)rule;
	return spot->is_syscall && iota_regular(file) &&
			       file->rare->removed && file->rare->removed >= iota_number(file, IOTA_F_LAST) &&
			       !iota_number(file, IOTA_F_READ) && !iota_number(file, IOTA_F_SYNCS)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	struct iota_finding f;

	/* programs that the job starts may read it, and may not be recorded */
	if (e->group->v[IOTA_S_BYTES] < rule->size || iota_programs(a))
		return;
	f = iota_about_group(rule, e->group);
	f.time += iota_count_all(e->group);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(discarded, 10, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .size = 1048576,
	.title = "data written and never read",
	.when = "A line of the program writes {size} bytes or more to a file, or to several, that nobody "
	  "reads, and that the job removes in the end. A job that starts other programs may have had them read it; "
	  "and what is synced, such as a journal, is there for a crash.",
	.says = "{bytes} were written, never read, and removed",
	.assumes = "nobody needs the file",
	.remedy = "Do not write the file, or keep what it is for in memory.")
