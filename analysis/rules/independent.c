/* SPDX-License-Identifier: BSD-3-Clause */
/* independent.c - small transfers of MPI's that ranks could make together. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	unsigned direction = spot->does == IOTA_DOES_WRITE;

	return spot->file->movers & 1u << direction &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	iota_saves_merged(a, &f, (f.bytes + rule->size - 1) / rule->size);
	iota_finding_add(a, f);
}

LINES(independent, 70, judge, .calls = iota_independent, .repeats = true, .severity = IOTA_COST, .least = 100, .size = 262144,
	.title = "small transfers that ranks could make together",
	.when = "Several ranks make, from one line, {least} or more independent transfers of MPI in the "
	  "same file, of fewer than {size} bytes on average.",
	.says = "{count independent call} of {call}(), {bytes} in all",
	.assumes = "together, the ranks can move {size} bytes at once, for as much a byte as in large "
	  "calls of this run, or 0.1 to 1 ns if it has none",
	.remedy = "Describe each rank's part by a view (MPI_File_set_view) and move it in one collective "
	  "call: MPI_File_write_all() or MPI_File_read_all().")
