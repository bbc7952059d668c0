/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_storm.c - attributes of a file that are asked for again and again. */
#include "config.h"

#include "rules.h"

/* Fortran's INQUIRE, of a unit, asks the file system for nothing. */
static bool is_of_unit(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	if (!(spot->from->roles & IOTA_INQUIRES))
		return false;
	for IOTA_EACH_OF_LINE(s, spot)
		if (iota_spot_v(s, IOTA_S_BENEATH) && s->from->roles & IOTA_ASKS)
			return false;
	return true;
}

/* Who walks through a directory asks once for each file. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t answered = iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);

	(void)rule;
	return !spot->counted && !iota_spot_v(spot, IOTA_S_BENEATH) && answered && !is_of_unit(spot) ? answered - 1 : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, e->group->weight / 10);
}

LINES(stat_storm, 280, judge, .roles = IOTA_ASKS | IOTA_INQUIRES, .severity = IOTA_COST, .least = 500,
	.title = "attributes asked for again and again",
	.when = "A line of the program asks {least} times or more whether a file is there, for "
	  "its attributes, or for those of its file system, that has answered before.",
	.says = "{count} of {of} calls asked for what one before had answered",
	.assumes = "one in ten would do",
	.remedy = "Ask once and keep the answer, or ask after some time has passed.",
	.remedy_in[IOTA_FORTRAN] = "INQUIRE once and keep the answer, or again after some time has passed.",
	.remedy_in[IOTA_PYTHON] = "Ask once and keep the answer; os.scandir() tells much of all files of a directory.")
