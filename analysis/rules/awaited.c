/* SPDX-License-Identifier: BSD-3-Clause */
/* awaited.c - waiting for a file, or for more of it, by looking from time to time. */
#include "config.h"

#include "rules.h"

/* How many calls found it: who finds it in the end has waited for it. */
static uint64_t finds(uint64_t calls, uint64_t errors, uint64_t vain)
{
	return calls - errors - vain;
}

/* It was there at any time since the last look in vain. */
static uint64_t too_late(const struct iota_group *g)
{
	uint64_t found = finds(g->v[IOTA_S_CALLS], g->v[IOTA_S_ERRORS], g->v[IOTA_S_VAIN]);

	return (uint64_t)((double)g->v[IOTA_S_TRIED] / (double)g->weight * (double)(found < g->weight ? found : g->weight));
}

/* Fortran's INQUIRE looks by access(2), and asks besides that. */
static bool is_look(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	if (!iota_spot_v(spot, IOTA_S_BENEATH))
		return true;
	for IOTA_EACH_OF_LINE(s, spot)
		if (!strcmp(s->from->call, "INQUIRE"))
			return !strcmp(spot->from->call, "access");
	return false;
}

/* What only those write who look for it, they do not wait for: a place beyond the end, a name that is free. */
static bool is_their_own(const struct iota_spot *spot)
{
	uint64_t lookers = iota_spot_v(spot, IOTA_S_THREADS);
	const struct iota_spot *s;
	bool written = false;

	for (s = spot->file->spots; s; s = s->next_of_file) {
		if (s->does != IOTA_DOES_WRITE)
			continue;
		if (iota_spot_v(s, IOTA_S_THREADS) & ~lookers)
			return false;
		written = true;
	}
	return written;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t vain = iota_spot_v(spot, IOTA_S_VAIN);

	(void)rule;
	if (spot->counted || !finds(iota_spot_v(spot, IOTA_S_CALLS), iota_spot_v(spot, IOTA_S_ERRORS), vain) ||
	    !is_look(spot) || !iota_regular(spot->file) || is_their_own(spot))
		return 0;
	return iota_spot_v(spot, IOTA_S_MISSING) + (spot->does == IOTA_DOES_READ ? vain : 0);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t late = too_late(g), each = late / iota_threads(g->v);
	struct iota_finding f;

	/* who computes meanwhile does not wait */
	if (late < rule->time || each < iota_share(a->run_time, rule->share) || each / 2 < iota_computes(a, g->v[IOTA_S_THREADS]))
		return;
	f = iota_about_group(rule, g);
	f.time += late;
	f.saves[1] = f.time;
	iota_finding_add(a, f);
}

LINES(awaited, 262, judge, .severity = IOTA_COST, .least = 20, .share = 10, .time = 50000000,
	.title = "waiting for a file by looking from time to time",
	.when = "A line of the program looks for files, or for more to read in them, {least} times or more before it "
	  "finds them, and its threads do nothing else until they look again, not even compute. What only they "
	  "write does not count. Counted is the last time before each that is found, {time} or longer in all, and "
	  "{share} % of the run.",
	.says = "{count} of {of} looks found nothing yet",
	.assumes = "what is waited for is there as early as it can be found",
	.remedy = "Be told when it is there: by a pipe, a socket, a message, or inotify(7). If it has to be looked for, wait for "
	  "less between two looks, and longer only if it does not come.")
