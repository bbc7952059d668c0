/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.c - programs that are started for little, again and again. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_BENEATH) ? 0 : iota_spot_v(spot, IOTA_S_CALLS);
}

/* Does the spot wait for programs, or for what they say, in the function that starts those of the group? */
static bool awaits(const struct iota_spot *spot, const struct iota_group *g)
{
	const struct iota_function *f = iota_innermost(spot->from->chain);
	bool hears = spot->does == IOTA_DOES_READ && S_ISFIFO(spot->file->mode);

	if ((!(spot->from->roles & IOTA_AWAITS) || iota_spot_v(spot, IOTA_S_BENEATH)) && !hears)
		return false;
	return f && f == iota_innermost(g->heaviest->from->chain);
}

static uint64_t waited(struct iota *a, const struct iota_group *g)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++)
		if (awaits(a->spots.spot[i], g))
			time += iota_spot_count(a->spots.spot[i]);
	return time;
}

/* A process that goes on with the same program is no other one. */
static bool is_for_programs(const struct iota *a, const struct iota_group *g)
{
	return !(g->heaviest->from->roles & IOTA_FORKS) || a->spots.programs >= g->weight / 2;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (!is_for_programs(a, g))
		return;
	f = iota_about_group(rule, g);
	f.time += waited(a, g);
	if (f.time / g->weight >= rule->time)
		return; /* they have something to do */
	if (iota_is_no_file(g->file))
		f.name = NULL;
	iota_saves_without(&f, f.calls - 1);
	iota_finding_add(a, f);
}

LINES(programs, 365, judge, .roles = IOTA_STARTS | IOTA_FORKS, .severity = IOTA_COST, .least = 50, .time = 50000000,
	.title = "programs started for little",
	.when = "A line of the program starts {least} programs or more by system(3), popen(3), posix_spawn(3), "
	  "fork(2) or Fortran's EXECUTE_COMMAND_LINE, and each takes less than {time} on average, as far as the "
	  "function that starts it waits for it.",
	.says = "{count program} started by {call}()",
	.assumes = "one would do, or a call in place of the program",
	.remedy = "Do what the program does by a call, such as mkdir(2) in place of mkdir(1), or start one that does all.")
