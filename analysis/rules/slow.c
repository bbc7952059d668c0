/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - calls that took long. */
#include "config.h"

#include "rules.h"

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	/* time of calls inside is theirs */
	if (!v[IOTA_F_SLOW] || v[IOTA_F_SLOW_TIME] < rule->time)
		return;
	f.count = v[IOTA_F_SLOW];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SLOW_TIME];
	iota_finding_add(a, f);
}

RULE(slow, 460, judge, .severity = IOTA_INFO, .over = IOTA_OVER_CALLS, .time = 100000000, .factor = 10,
	.title = "calls that took long",
	.when = "I/O that took {time} or longer, and {factor} ns more for each byte that it moved, by kind of call. "
	  "Waiting for others, or until a time, is no I/O.",
	.says = "{count} of {of} took {time} or longer",
	.remedy = "See which files they were for: iotrace-cat -e with the name of the call.")
