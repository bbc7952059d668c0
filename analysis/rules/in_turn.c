/* SPDX-License-Identifier: BSD-3-Clause */
/* in_turn.c - pipes that one thread reads to the end one after the other, while who writes to the next ones has to wait. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return spot->is_syscall && S_ISFIFO(spot->file->mode) ? 1 : 0;
}

/* When the first of the pipes was read from. */
static uint64_t begun(const struct iota_group *g)
{
	uint64_t first = UINT64_MAX;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (iota_spot_first(g->spot[i]) < first)
			first = iota_spot_first(g->spot[i]);
	return first;
}

/* How long a write to the pipe stood still, at most, before anybody read from it, but after that moment; and how long its
   reader waited then: what could have been at the same time. */
static uint64_t stuck(const struct iota_spot *spot, uint64_t since)
{
	uint64_t read = iota_spot_first(spot), written = UINT64_MAX, longest = 0, waited = 0, time;
	const struct iota_spot *s;

	for (s = spot->file->spots; s; s = s->next_of_file) {
		if (s->does == IOTA_DOES_READ)
			waited += iota_spot_v(s, IOTA_S_TIME);
		if (s->does != IOTA_DOES_WRITE)
			continue;
		if (iota_spot_first(s) < written)
			written = iota_spot_first(s);
		if (iota_spot_v(s, IOTA_S_MAX) > longest)
			longest = iota_spot_v(s, IOTA_S_MAX);
	}
	if (written < since)
		written = since;
	if (written >= read)
		return 0;
	time = read - written < longest ? read - written : longest;
	return time < waited ? time : waited;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t since = begun(g), time = 0, n = 0;
	struct iota_finding f;
	size_t i;

	if (iota_threads(g->v) != 1)
		return;
	for (i = 0; i < g->n; i++) {
		uint64_t t = stuck(g->spot[i], since);

		time += t;
		n += t >= rule->time;
	}
	if (!n || time < iota_share(a->run_time, rule->share))
		return;
	f = iota_about_group(rule, g);
	f.count = n;
	f.of = g->files;
	f.time = time;
	f.saves[1] = time;
	iota_finding_add(a, f);
}

LINES(in_turn, 377, judge, .does = IOTA_THAT(READ), .repeats = true, .severity = IOTA_COST, .least = 2, .share = 10, .time = 20000000,
	.title = "pipes read one after the other",
	.when = "One thread reads from several pipes by one line, and a write to one of them has waited for {time} or longer "
	  "before anybody read from it, while the thread read from another. Counted is what the thread waited later "
	  "for the same pipe, at most as long as that write, {share} % of the run or more in all.",
	.says = "{count} of {of} pipes were full until others had been read",
	.assumes = "there are processors for all that write",
	.remedy = "Read from whichever pipe has something: wait for all of them by poll(2), or let each have a thread.")
