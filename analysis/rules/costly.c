/* SPDX-License-Identifier: BSD-3-Clause */
/* costly.c - a line with most of the calls that cost time, where no other rule knows why. */
#include "config.h"

#include "rules.h"

/* Is it what eventfd(2), epoll_create(2), inotify_init(2) and their like make; and does the program itself use it, and
   not wait for what others put there? */
static bool is_told(const struct iota_spot *spot)
{
	static const char made[] = "anon_inode:";

	return spot->file->name_len >= strlen(made) && !memcmp(spot->file->name, made, strlen(made)) && spot->does != IOTA_DOES_READ &&
	       !(spot->from->chain && spot->from->chain->way & IOTA_BY_MPI);
}

/* Does it say what will be read, so that the kernel reads it meanwhile?  As long as that takes, reads take less. */
static bool announces(const struct iota_spot *spot)
{
	return spot->file->traits & IOTA_TRAIT_ANNOUNCED && spot->from->roles & (IOTA_ADVISES | IOTA_ADVISES_PAGES);
}

/* Not what waits for others: that is no I/O. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return (iota_regular(spot->file) || S_ISDIR(spot->file->mode) || is_told(spot)) && iota_is_work(spot) && !announces(spot)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

/* But those that another rule has counted. */
static uint64_t system_calls(const struct iota_group *g)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		n += g->spot[i]->is_syscall && !g->spot[i]->counted ? iota_spot_v(g->spot[i], IOTA_S_CALLS) : 0;
	return n;
}

/* Many for each file; or those that fail, each for another one. */
static bool are_many(const struct iota_rule *rule, const struct iota_group *g, uint64_t n)
{
	return n >= rule->least && (n / rule->factor >= g->files || 2 * g->v[IOTA_S_ERRORS] >= n);
}

/* Some take long: each has the disk do something. */
static bool are_syncs(const struct iota_rule *rule, const struct iota_group *g, uint64_t n)
{
	return g->heaviest->does == IOTA_DOES_SYNC && n >= rule->factor && n / rule->factor >= g->files;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t n = system_calls(g);
	struct iota_finding f;

	if (!n || g->v[IOTA_S_BYTES] / n >= rule->size || !(are_many(rule, g, n) || are_syncs(rule, g, n)) ||
	    !iota_costs_most(a, rule, g))
		return;
	f = iota_about_group(rule, g);
	f.count = n;
	f.of = iota_io(a);
	iota_saves_without(&f, f.calls / 2);
	f.saves[0] = 0;
	iota_finding_add(a, f);
}

LINES(costly, 405, judge, .repeats = true, .severity = IOTA_COST, .least = 500, .share = 20, .factor = 10, .size = 2048,
	.title = "a line with most of the time",
	.when = "A line of the program makes {least} calls or more on files, or on what eventfd(2), epoll_create(2) "
	  "and their like make, {factor} or more for each file. They move fewer than {size} bytes each, and take "
	  "{share} % or more of the time of all I/O, and one part in {share} of the run. What other rules about "
	  "lines have found costs less than half as much.",
	.says = "{count call} moved {bytes}, and took {percent} % of the time of all I/O",
	.assumes = "half of them can be left out",
	.remedy = "See whether each tells the program something new, or moves as much as it could: iotrace-stat --file, with "
	  "the name of the file, says what these calls are.")
