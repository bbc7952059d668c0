/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_seeks.c - seeks to where the offset is. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	return iota_spot_v(spot, IOTA_S_IDLE) &&
			       iota_number(file, IOTA_F_IDLE_SEEKS) >= iota_share(iota_number(file, IOTA_F_SEEKS), rule->share)
		       ? iota_spot_v(spot, IOTA_S_IDLE)
		       : 0;
}

/* Without the seek the stream would have gone on to fill its buffer. */
static uint64_t count_writes(const struct iota_group *g)
{
	struct iota_spot *s;
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		for IOTA_EACH_OF_LINE(s, g->spot[i])
			time += iota_is_for_idle_seek(s) ? iota_spot_count(s) : 0;
	return time;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += count_writes(e->group);
	if (f.files == 1)
		f.of = iota_number(e->group->file, IOTA_F_SEEKS);
	iota_saves_without(&f, f.count);
	iota_finding_add(a, f);
}

LINES(idle_seeks, 330, judge, .severity = IOTA_COST, .least = 10, .share = 50,
	.title = "seeks to where the offset is",
	.when = "{least} or more of the seeks in a file, and at least {share} % of them, went "
	  "to the offset at which the last call of the thread on that descriptor had left "
	  "it.",
	.says = "{count} of {of} seeks went to where the offset was",
	.remedy = "Leave these seeks out, use pread() and pwrite(), or remember what they tell: the "
	  "offset, or the size.",
	.remedy_in[IOTA_CXX] = "Leave these calls of seekg(), seekp(), tellg() and tellp() out, or remember what they "
		"tell: the offset, or the size.",
	.remedy_in[IOTA_PYTHON] = "Leave these calls of seek() and tell() out, or remember what they tell.")
