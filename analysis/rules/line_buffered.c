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

/* Does who writes the pipe get as many answers?  Then the other side has to see each line. */
static bool is_talk(const struct iota *a, const struct iota_group *g)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	uint64_t answers = 0;
	size_t i;

	for (i = 0; i < files->n && S_ISFIFO(g->file->mode); i++) {
		const struct iota_row *file = files->row[i];

		if (file != g->file && file->mover[0] == g->file->mover[1] && !iota_regular(file))
			answers += file->v[IOTA_F_READS];
	}
	return answers >= g->weight / 10 + 1;
}

void iota_rule_line_buffered(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	if (!is_talk(a, e->group))
		iota_judge_small(a, rule, e->group);
}
