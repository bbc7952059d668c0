/* SPDX-License-Identifier: BSD-3-Clause */
/* exhausted.c - descriptors that nobody closes, until there are no more. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_left_open(spot);
}

/* What the program does in place of what it can't open costs time, and is a finding of its own: this is why. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	uint64_t refused = iota_refused(a);
	struct iota_finding f;

	if (!refused)
		return;
	f = iota_about_group(rule, e->group);
	f.of = refused;
	f.time = 0;
	f.is_cause = true;
	iota_finding_add(a, f);
}

LINES(exhausted, 28, judge, .severity = IOTA_FAULT, .least = 10,
	.title = "descriptors never closed, until there are no more",
	.when = "A line of the program opens files that nobody closes, {least} times or more, and calls fail since there "
	  "can be no more descriptors (EMFILE, ENFILE). It comes before what costs most.",
	.says = "{count} descriptors were never closed, and {of} calls failed for want of one",
	.remedy = "Close each file, also where the function returns early. A higher limit (ulimit -n) only puts it off.",
	.remedy_in[IOTA_CXX] = "Let a stream be local, whose destructor closes it; call close() where a descriptor is "
		"kept.",
	.remedy_in[IOTA_FORTRAN] = "CLOSE each unit, also where the subroutine returns early.",
	.remedy_in[IOTA_PYTHON] = "Open files by \"with\", which closes them, also on an exception.")
