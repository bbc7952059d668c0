/* SPDX-License-Identifier: BSD-3-Clause */
/* piped.c - little in each turn through a pipe. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* Who decides how much a turn has?  A reader gets what is there: if more parts were written than
   read, the writer goes on without an answer, and its parts are too small. */
static enum iota_does decides(const struct iota_row *pipe)
{
	return pipe->v[IOTA_F_WRITES] / 2 > pipe->v[IOTA_F_READS] ? IOTA_DOES_WRITE : IOTA_DOES_READ;
}

uint64_t iota_weigh_piped(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && S_ISFIFO(spot->file->mode) && spot->does == decides(spot->file) &&
			       iota_spot_v(spot, IOTA_S_BYTES) / iota_spot_v(spot, IOTA_S_CALLS) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

void iota_rule_piped(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_merged(a, &f, f.calls / 10);
	iota_finding_add(a, f);
}
