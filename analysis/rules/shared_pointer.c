/* SPDX-License-Identifier: BSD-3-Clause */
/* shared_pointer.c - transfers of MPI's at the file pointer that all ranks share. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_CALLS);
}

/* MPI keeps the pointer in a file of its own, which it locks. */
static uint64_t time_beneath(struct iota *a, const struct iota_spot *spot)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		struct iota_spot *s = a->spots.spot[i];

		if (iota_spot_v(s, IOTA_S_BENEATH) && !iota_chain_compare(s->from->chain, spot->from->chain))
			time += iota_spot_count(s);
	}
	return time;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			      const struct iota_evidence *e)
{
	struct iota_finding f;
	size_t i;

	f = iota_about_group(rule, e->group);
	for (i = 0; i < e->group->n; i++)
		f.time += time_beneath(a, e->group->spot[i]);
	iota_saves_without(&f, f.count / 2);
	iota_finding_add(a, f);
}

LINES(shared_pointer, 60, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE), .calls = iota_shares_pointer,
	.repeats = true, .severity = IOTA_COST, .least = 100,
	.title = "ranks that take turns at a shared file pointer",
	.when = "A line of the program makes {least} or more calls of MPI_File_write_shared(), "
	  "MPI_File_write_ordered() or their like.",
	.says = "{count call} of {call}(), {bytes} in all",
	.assumes = "half of the time goes into the turns",
	.remedy = "Work out each rank's offset, by MPI_Exscan() of the sizes for instance, and use "
	  "MPI_File_write_at_all().")
