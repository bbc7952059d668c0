/* SPDX-License-Identifier: BSD-3-Clause */
/* held_back.c - messages that are sent in parts, of which TCP keeps the last one back for a while. */
#include "config.h"

#include <limits.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);

	return iota_spot_v(spot, IOTA_S_DELAYED) >= iota_share(calls, rule->share) ? iota_spot_v(spot, IOTA_S_DELAYED) : 0;
}

/* In which function, and on which other line of it, does the write before it begin?  Chains are alike from main() on. */
static unsigned meets_at(const struct iota_chain *x, const struct iota_chain *y, unsigned none)
{
	unsigned i, n = x->n < y->n ? x->n : y->n;

	for (i = 1; i <= n; i++)
		if (x->at[x->n - i] != y->at[y->n - i])
			return x->at[x->n - i]->function == y->at[y->n - i]->function ? x->n - i : none;
	return none;
}

/* The parts are put together in the innermost function that sends several. */
static unsigned level_of(const struct iota_group *g)
{
	const struct iota_spot *s, *last = g->heaviest;
	unsigned level = last->level, at, least = UINT_MAX;

	for (s = last->file->spots; s && last->from->chain; s = s->next_of_file) {
		if (s == last || s->does != IOTA_DOES_WRITE || !s->from->chain)
			continue;
		at = meets_at(last->from->chain, s->from->chain, UINT_MAX);
		least = at < least ? at : least;
	}
	return least == UINT_MAX ? level : least;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.level = level_of(g);
	f.time += g->v[IOTA_S_TRIED];
	f.saves[1] = f.time;
	f.saves[0] = g->v[IOTA_S_TRIED] / 10 * 9;
	iota_finding_add(a, f);
}

LINES(held_back, 375, judge, .repeats = true, .sockets = true, .severity = IOTA_COST, .least = 8, .share = 50,
	.title = "messages in parts, that TCP holds back",
	.when = "A line of the program writes to a socket right after another write, {least} times or more, "
	  "and for at least {share} % of its writes the answer takes about 40 ms: as long as TCP keeps the second part "
	  "back, until the first one is acknowledged. Counted is that time, too.",
	.says = "{count} of {of} writes, each behind another, had their answer after 40 ms",
	.assumes = "it is TCP that waits, and not who answers",
	.remedy = "Send head and body of a message by one call: sendmsg(), writev(), or one buffer; or set TCP_NODELAY for the "
	  "socket.")
