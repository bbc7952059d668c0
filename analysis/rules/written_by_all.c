/* SPDX-License-Identifier: BSD-3-Clause */
/* written_by_all.c - the same bytes of a file, written by each of several processes. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_is_moved_by_all(rule, spot, 1) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_finding_of_file(a, iota_about_all(a, rule, e->group, 1));
}

LINES(written_by_all, 55, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .share = 80, .size = 1048576,
	.title = "the same written by several processes",
	.when = "Several processes, or ranks, write the same bytes of a file: as many times as {share} % of them, and {size} "
	  "bytes or more are written again.",
	.says = "{processes} each wrote the same {bytes}",
	.assumes = "one of them would do",
	.remedy = "Let one process write it, such as rank 0, or each its own part. The processes may also mix up what they "
	  "write.")
