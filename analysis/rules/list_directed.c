/* SPDX-License-Identifier: BSD-3-Clause */
/* list_directed.c - Fortran's output with * for the format, in small items.  How input is laid out,
   the program can't choose. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);

	return iota_spot_v(spot, IOTA_S_LIST) == calls && iota_spot_mean(spot) < rule->size
		       ? calls
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, e->group->weight / 10);
}

LINES(list_directed, 150, judge, .does = IOTA_THAT(WRITE), .repeats = true, .severity = IOTA_COST, .least = 1000, .size = 128,
	.title = "list-directed output, item by item",
	.when = "A line of a Fortran program executes {least} or more list-directed WRITE statements (with * "
	  "for the format), of fewer than {size} bytes on average.",
	.says = "{count} list-directed statements moved {bytes}",
	.assumes = "unformatted transfers of the same data take a tenth",
	.remedy = "FORM='UNFORMATTED', and whole arrays: WRITE (unit) a; or a format, and an array a line.")
