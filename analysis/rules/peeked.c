/* SPDX-License-Identifier: BSD-3-Clause */
/* peeked.c - sockets that are looked into for much, of which little is taken. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t peeked = iota_spot_v(spot, IOTA_S_PEEKED);

	return peeked && iota_number(spot->file, IOTA_F_READ) < peeked / rule->factor ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.bytes = e->group->v[IOTA_S_PEEKED];
	f.time += iota_count_others(e->group, IOTA_DOES_READ);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(peeked, 14, judge, .does = IOTA_THAT(READ), .sockets = true, .severity = IOTA_COST, .least = 1000, .factor = 4,
	.title = "looking into a socket for more than is taken",
	.when = "A line of the program looks into a socket (MSG_PEEK) {least} times or more, and sees {factor} times as many "
	  "bytes as are taken from it, or more: the kernel copies most of them again and again.",
	.says = "{count call} looked at {bytes}, which stayed there",
	.assumes = "large parts are received into a buffer of the program's own",
	.remedy = "Receive as much as there is into a buffer, and look for what you want there; keep the rest for the next "
	  "time.")
