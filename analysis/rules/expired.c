/* SPDX-License-Identifier: BSD-3-Clause */
/* expired.c - answers whose end is found by silence: by a time limit, after which nothing more is expected. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_EXPIRED);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t time = g->v[IOTA_S_EXPIRED_TIME], each = time / iota_threads(g->v);
	struct iota_finding f;

	if (time < rule->time || each < iota_share(a->run_time, rule->share))
		return;
	f = iota_about_group(rule, g);
	if (iota_is_no_file(g->file))
		f.name = NULL;
	f.time = time;
	f.of = f.calls;
	f.saves[0] = time / 2;
	f.saves[1] = time;
	iota_finding_add(a, f);
}

LINES(expired, 13, judge, .sockets = true, .severity = IOTA_COST, .least = 10, .share = 10, .time = 50000000,
	.title = "waiting for silence after each answer",
	.when = "A line of the program waits {least} times or more, with a time limit, for more of an answer that has come "
	  "through a socket or from a device. Nothing comes, and the thread sends the next request there. These waits take "
	  "{time} or longer, and {share} % of the run.",
	.says = "{count} of {of} waits behind an answer ended by their time limit",
	.assumes = "an answer tells where it ends",
	.remedy = "Stop as soon as the answer is complete: by its length, or by what it ends with. A time limit is for what goes "
	  "wrong.")
