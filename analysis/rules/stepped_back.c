/* SPDX-License-Identifier: BSD-3-Clause */
/* stepped_back.c - records of Fortran's that are read again after a BACKSPACE. */
#include "config.h"

#include "rules.h"

static bool steps_back(const char *call)
{
	return !strcmp(call, "BACKSPACE");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_CALLS);
}

/* A record that is read twice is read once too often. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += iota_count_others(e->group, IOTA_DOES_READ) / 2 + iota_count_others(e->group, IOTA_DOES_SEEK);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(stepped_back, 225, judge, .calls = steps_back, .severity = IOTA_COST, .least = 500,
	.title = "records read twice, by BACKSPACE",
	.when = "A line of a Fortran program goes back by a record {least} times or more.",
	.says = "{count} times back by a record, to read it again",
	.assumes = "each record is read once",
	.remedy = "Read the record into a character variable, look at it, and read its parts from that variable: "
	  "READ(line, *).")
