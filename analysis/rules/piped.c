/* SPDX-License-Identifier: BSD-3-Clause */
/* piped.c - little in each turn through a pipe. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* Does the reader have room for more than there is, most times? */
static bool takes_what_comes(const struct iota_row *pipe)
{
	uint64_t reads = iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_CALLS);

	return reads && iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_SHORT) > reads / 2;
}

/* Who decides how much a turn has?  A reader gets what is there.  If more parts were written than read, or
   the reader would take more at once, the writer's parts are too small; but one who waits for an
   answer to each can't make them larger alone. */
static enum iota_does decides(const struct iota *a, const struct iota_row *pipe)
{
	uint64_t writes = iota_of_file(pipe, IOTA_DOES_WRITE, IOTA_S_CALLS);

	if (writes / 2 > iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_CALLS))
		return IOTA_DOES_WRITE;
	return writes && takes_what_comes(pipe) && !iota_gets_answers(a, pipe, writes) ? IOTA_DOES_WRITE : IOTA_DOES_READ;
}

uint64_t iota_weigh_piped(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && S_ISFIFO(spot->file->mode) &&
			       (spot->does == IOTA_DOES_READ || spot->does == IOTA_DOES_WRITE) &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

void iota_rule_piped(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least || e->group->heaviest->does != decides(a, e->group->file))
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_merged(a, &f, f.calls / 10);
	iota_finding_add(a, f);
}
