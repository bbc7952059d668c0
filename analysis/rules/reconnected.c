/* SPDX-License-Identifier: BSD-3-Clause */
/* reconnected.c - connections for a message each. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

static bool connects(const char *call)
{
	return !strcmp(call, "connect");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t moved = iota_number(spot->file, IOTA_F_READ) + iota_number(spot->file, IOTA_F_WRITTEN);

	if (!S_ISSOCK(spot->file->mode) || iota_spot_v(spot, IOTA_S_BENEATH) || moved >= rule->size)
		return 0;
	return iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);
}

/* All that is done to these sockets is done for the one message. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (iota_is_between_ranks(a, g->file))
		return;
	f = iota_about_group(rule, g);
	f.time += iota_count_all(g);
	iota_saves_without(&f, f.calls - 1);
	f.saves[0] /= 2;
	iota_finding_add(a, f);
}

LINES(reconnected, 372, judge, .calls = connects, .sockets = true, .severity = IOTA_COST, .least = 200, .size = 65536,
	.title = "a connection for each message",
	.when = "A line of the program connects sockets {least} times or more, and each moves fewer than {size} bytes "
	  "until it is closed. Counted is all that is done to them. Sockets of MPI's ranks are left out.",
	.says = "{count connection}, each for fewer bytes than one could carry at once",
	.assumes = "one connection carries all messages",
	.remedy = "Keep the connection open, and send several messages at once through it.")
