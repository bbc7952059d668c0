/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - calls that took long. */
#include "config.h"

#include "rules.h"

/* For how long calls may have stood still since others had the processor. */
static uint64_t taken(struct iota *a)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < processes->n; i++)
		time += processes->row[i]->v[IOTA_F_TAKEN];
	return time;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	/* time of calls inside is theirs */
	if (!v[IOTA_F_SLOW] || v[IOTA_F_SLOW_TIME] < rule->time || v[IOTA_F_SLOW_TIME] < taken(a))
		return;
	f.count = v[IOTA_F_SLOW];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SLOW_TIME];
	iota_finding_add(a, f);
}

RULE(slow, 460, judge, .severity = IOTA_INFO, .over = IOTA_OVER_CALLS, .time = 100000000, .factor = 10,
	.title = "calls that took long",
	.when = "I/O that took {time} or longer, and {factor} ns more for each byte that it moved, by kind of call. "
	  "Waiting for others, or until a time, is no I/O. Where others often took the processor, calls look longer than they "
	  "are, and have to take more than that may have cost, 20 ms each time.",
	.says = "{count} of {of} took {time} or longer",
	.remedy = "See which files they were for: iotrace-cat -e with the name of the call.")
