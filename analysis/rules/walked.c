/* SPDX-License-Identifier: BSD-3-Clause */
/* walked.c - directories that are gone through as a whole, again and again. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_BENEATH) ? 0 : iota_spot_v(spot, IOTA_S_CALLS);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight / rule->factor < e->group->files)
		return;
	f = iota_about_group(rule, e->group);
	if (iota_is_no_file(e->group->file)) /* glob(3) has a pattern */
		f.name = NULL;
	iota_saves_without(&f, f.calls - e->group->files);
	iota_finding_add(a, f);
}

LINES(walked, 19, judge, .roles = IOTA_WALKS, .repeats = true, .severity = IOTA_COST, .least = 100, .factor = 10,
	.title = "a directory gone through again and again",
	.when = "A line of the program goes through directories {least} times or more by glob(3), scandir(3) or ftw(3), {factor} times "
	  "or more for each of them. Which ones glob(3) has gone through is not known.",
	.says = "{count call} of {call}()",
	.assumes = "once would do",
	.remedy = "Go through it once, and keep the names: in a table, by what they are looked up by.")
