/* SPDX-License-Identifier: BSD-3-Clause */
/* line_buffered.c - files and pipes that are written line by line. */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>

#include "rules.h"

uint64_t iota_weigh_line_buffered(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_set_buffering(rule, spot, _IOLBF) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

void iota_rule_line_buffered(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	/* the other side of a talk has to see each line */
	if (!iota_gets_answers(a, e->group->file, e->group->weight))
		iota_judge_small(a, rule, e->group);
}
