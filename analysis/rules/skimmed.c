/* SPDX-License-Identifier: BSD-3-Clause */
/* skimmed.c - C++ streams that are moved by so little that their buffer is filled with much the same again. */
#include "config.h"

#include "rules.h"

/* A transfer that lies for the most part where the one before lay is no jump. */
static bool is_filled_again(const struct iota_rule *rule, const struct iota_row *file)
{
	uint64_t reads = iota_of_file(file, IOTA_DOES_READ, IOTA_S_CALLS);

	return reads && iota_of_file(file, IOTA_DOES_READ, IOTA_S_JUMPS) <= reads / 2 &&
	       iota_of_file(file, IOTA_DOES_SEEK, IOTA_S_CALLS) >= reads / 2 &&
	       file->placed[0] / rule->factor >= iota_different(file, 0);
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_chain *chain = spot->from->chain;

	return chain && chain->way & IOTA_SEEKS && is_filled_again(rule, spot->file)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.time += iota_count_others(g, IOTA_DOES_READ) + iota_count_others(g, IOTA_DOES_SEEK);
	f.bytes = g->file->placed[0];
	f.of = iota_different(g->file, 0);
	iota_saves_without(&f, f.calls - (uint64_t)((double)f.calls * (double)f.of / (double)f.bytes));
	iota_finding_add(a, f);
}

LINES(skimmed, 198, judge, .does = IOTA_THAT(SEEK), .severity = IOTA_COST, .least = 1000, .factor = 2,
	.title = "a stream moved by less than its buffer",
	.when = "A line of the program moves a C++ stream {least} times or more, by seekg() for instance, by so little "
	  "that the stream, which gives up its buffer each time, reads {factor} times as many bytes as there are "
	  "different ones.",
	.says = "{count seek} gave up the buffer each time: {bytes} were read, and only {of} different ones",
	.assumes = "what lies between is read, once",
	.remedy = "Skip what is not wanted by ignore(), or read() a large block and go through that in memory; seekg() "
	  "only over more than a buffer holds.")
