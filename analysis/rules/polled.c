/* SPDX-License-Identifier: BSD-3-Clause */
/* polled.c - reads that find nothing, again and again. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t vain = iota_spot_v(spot, IOTA_S_VAIN);

	return !iota_spot_v(spot, IOTA_S_BENEATH) && vain >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) ? vain : 0;
}

/* Whoever is waited for takes as long as before: what is saved is the processor's time, not the run's. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	if (e->group->weight < rule->least || iota_is_between_ranks(a, e->group->file))
		return;
	iota_finding_add(a, iota_about_group(rule, e->group));
}

LINES(polled, 15, judge, .repeats = true, .sockets = true, .severity = IOTA_COST, .least = 1000, .share = 80,
	.title = "reads that find nothing",
	.when = "A line of the program makes {least} or more reads of which at least {share} % find nothing: they are at "
	  "the end of the file, or nothing has come through a pipe or a socket that does not block. The sockets of "
	  "MPI's ranks are left out.",
	.says = "{count} of {of} reads found nothing",
	.remedy = "Wait until there is something: poll() for a pipe or a socket, inotify(7) for a file that another "
	  "process writes. The run becomes no shorter, but the processor is free meanwhile.")
