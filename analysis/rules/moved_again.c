/* SPDX-License-Identifier: BSD-3-Clause */
/* moved_again.c - a line with most of the time, which reads or writes the same bytes, where no other rule knows why. */
#include "config.h"

#include "rules.h"

/* A state that is kept now and then is another file each time, or what it had is gone. */
static bool is_state(const struct iota_row *file)
{
	return iota_times(file, 1) <= iota_anew(file);
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	bool writes = spot->does == IOTA_DOES_WRITE;

	return spot->is_syscall && iota_times(spot->file, writes) >= rule->factor && !(writes && is_state(spot->file))
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	bool writes = g->heaviest->does == IOTA_DOES_WRITE;
	struct iota_finding f;

	if (!iota_costs_most(a, rule, g))
		return;
	f = iota_about_group(rule, g);
	f.of = iota_different(g->file, writes);
	f.bytes = g->file->placed[writes];
	iota_saves_without(&f, (uint64_t)((double)f.calls * iota_moved_again(&f)));
	f.saves[0] = 0;
	iota_finding_of_file(a, f);
}

LINES(moved_again, 403, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE), .repeats = true, .severity = IOTA_COST,
	.share = 20, .factor = 4,
	.title = "bytes moved again and again",
	.when = "A line of the program takes {share} % or more of the time of all I/O, and one part in {share} of "
	  "the run, and the file's bytes are read, or written, {factor} times or more on average, and more often than "
	  "it is made anew. What other rules about lines have found costs less than half as much.",
	.says = "{bytes} were read or written, and only {of} different ones",
	.assumes = "once would do",
	.remedy = "Read it once and keep it; write it when it is complete, or only the part that has changed.")
