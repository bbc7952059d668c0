/* SPDX-License-Identifier: BSD-3-Clause */
/* grown.c - files that are made longer little by little. */
#include "config.h"

#include <ctype.h>

#include "rules.h"

/* Fortran's runtime cuts off what lies behind a record that is written, which makes no file longer.  What
   MPI calls for it is the call of MPI's. */
static bool is_by_another(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	if (!iota_spot_v(spot, IOTA_S_BENEATH))
		return false;
	for IOTA_EACH_OF_LINE(s, spot)
		if (!iota_spot_v(s, IOTA_S_BENEATH) && isupper((unsigned char)s->from->call[0]))
			return true;
	return false;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);

	return calls >= rule->least && !is_by_another(spot) ? calls : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, (e->group->weight + rule->factor - 1) / rule->factor);
}

LINES(grown, 290, judge, .roles = IOTA_RESIZES, .severity = IOTA_COST, .least = 100, .factor = 100,
	.title = "a file that becomes longer little by little",
	.when = "A line of the program sets a file's length, or allocates space for it, {least} times or "
	  "more: ftruncate(2), fallocate(2), MPI_File_set_size() and their like.",
	.says = "{count call} of {call}()",
	.assumes = "one of {factor} would do",
	.remedy = "Make it as long as it will be at once, or twice as long each time. MPI_File_preallocate() may read "
	  "and write again all that is there.")
