/* SPDX-License-Identifier: BSD-3-Clause */
/* metadata.c - what is known of a file, but its bytes, changed again and again. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);

	return !iota_spot_v(spot, IOTA_S_BENEATH) && calls >= rule->factor ? calls : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, e->group->weight / rule->factor);
}

LINES(metadata, 285, judge, .roles = IOTA_ALTERS, .severity = IOTA_COST, .least = 1000, .factor = 10,
	.title = "names and attributes changed again and again",
	.when = "A line of the program renames or links files, makes directories, sets times, rights, owners or "
	  "extended attributes, or goes to directories, {least} times or more, and {factor} times or more for each file.",
	.says = "{count call} of {call}()",
	.assumes = "one in {factor} would do",
	.remedy = "Do it once, or after more has been done, and not for each record: a log that is rotated can grow for "
	  "longer, a sign of life can be given once a second. Names can be relative to a descriptor: openat().")
