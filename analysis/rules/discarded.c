/* SPDX-License-Identifier: BSD-3-Clause */
/* discarded.c - data that is written, and that nobody reads before the file is removed. */
#include "config.h"

#include <string.h>

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

/* What the same function writes to files there that stay. */
static uint64_t kept(const struct iota *a, const struct iota_group *g)
{
	const struct iota_function *f = iota_innermost(g->heaviest->from->chain);
	size_t i, n = iota_directory(g->file->name, g->file->name_len);
	uint64_t bytes = 0;

	for (i = 0; f && i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->does == IOTA_DOES_WRITE && s->is_syscall && iota_innermost(s->from->chain) == f && iota_regular(s->file) &&
		    !s->file->rare->removed && iota_directory(s->file->name, s->file->name_len) == n && !memcmp(s->file->name, g->file->name, n))
			bytes += iota_spot_v(s, IOTA_S_BYTES);
	}
	return bytes;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	struct iota_finding f;

	/* programs that the job starts may read it, and may not be recorded */
	if (e->group->v[IOTA_S_BYTES] < rule->size || a->spots.programs)
		return;
	/* a store that forgets its oldest */
	if (kept(a, e->group) > iota_share(e->group->v[IOTA_S_BYTES], rule->share))
		return;
	f = iota_about_group(rule, e->group);
	f.time += iota_count_all(e->group);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(discarded, 10, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .share = 10, .size = 1048576,
	.title = "data written and never read",
	.when = "A line of the program writes {size} bytes or more to a file, or to several, that nobody "
	  "reads, and that the job removes in the end. Where the same function writes more than {share} % as much to files in that directory that stay, it "
	  "is a store that forgets its oldest, and no finding. A job that starts other programs may have had them read it; "
	  "and what is synced, such as a journal, is there for a crash.",
	.says = "{bytes} were written, never read, and removed",
	.assumes = "nobody needs the file",
	.remedy = "Do not write the file, or keep what it is for in memory.")
