/* SPDX-License-Identifier: BSD-3-Clause */
/* remapped.c - files that are mapped part by part, and each part for a moment only. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	if (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI)
		return 0; /* what ranks share in memory is MPI's own business */
	return iota_regular(spot->file) ? iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS) : 0;
}

/* Parts that stay mapped need no second call. */
static uint64_t count_unmapped(const struct iota_group *g, uint64_t *time)
{
	struct iota_spot *s;
	uint64_t calls = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		for (s = iota_is_first_of_file(g, i) ? g->spot[i]->file->spots : NULL; s; s = s->next_of_file)
			if (!strcmp(s->from->call, "munmap")) {
				calls += iota_spot_v(s, IOTA_S_CALLS);
				*time += iota_spot_count(s);
			}
	return calls;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	uint64_t time = 0;

	/* one mapping of each of many files is what there has to be */
	if (e->group->weight / rule->factor < e->group->files)
		return;
	if (count_unmapped(e->group, &time) < e->group->weight / 2)
		return;
	f = iota_about_group(rule, e->group);
	f.time += time;
	iota_saves_without(&f, f.calls - f.files);
	iota_finding_add(a, f);
}

LINES(remapped, 25, judge, .calls = iota_maps, .repeats = true, .severity = IOTA_COST, .least = 1000, .factor = 10,
	.title = "a file mapped again and again",
	.when = "A line of the program maps parts of a file {least} times or more, {factor} times or more for each file, "
	  "and most of these are unmapped again.",
	.says = "mapped {count} times",
	.assumes = "the file can be mapped once",
	.remedy = "Map the whole file once, or large parts of it; for few bytes here and there, pread() takes one call.")
