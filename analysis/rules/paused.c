/* SPDX-License-Identifier: BSD-3-Clause */
/* paused.c - time that is passed in poll() and its like, without anything to wait for. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* How long processes waited for what others send by pipes and sockets. */
static uint64_t waited(const struct iota *a)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE);
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < files->n; i++)
		if (S_ISFIFO(files->row[i]->mode) || S_ISSOCK(files->row[i]->mode))
			time += iota_number(files->row[i], IOTA_F_READ_TIME);
	return time;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_is_no_file(spot->file) ? iota_spot_v(spot, IOTA_S_WAITS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->v[IOTA_S_TIME] < rule->time || waited(a) < iota_share(g->v[IOTA_S_TIME], rule->share))
		return;
	f = iota_about_group(rule, g);
	f.name = NULL;
	f.name_len = 0;
	iota_saves_without(&f, f.count);
	iota_finding_add(a, f);
}

LINES(paused, 400, judge, .severity = IOTA_COST, .least = 3, .share = 50, .time = 100000000,
	.title = "pauses, while others wait",
	.when = "A line of the program calls poll(2) or select(2) without a descriptor, only to pass the "
	  "time, {least} times or more, and {time} or longer in all, and for {share} % of that or longer "
	  "processes of the job wait for bytes from pipes and sockets.",
	.says = "{count pause}",
	.assumes = "there is nothing to wait for",
	.remedy = "Wait for what is to come, by its descriptor, or leave the pause out.")
