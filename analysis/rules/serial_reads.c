/* SPDX-License-Identifier: BSD-3-Clause */
/* serial_reads.c - one rank that reads, of which the log does not tell for whom. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_by_one(rule, spot, 0);
}

static void judge(struct iota *a, const struct iota_rule *rule,
			    const struct iota_evidence *e)
{
	struct iota_finding f;

	if (!iota_moves_alone(a, rule, e->group->file, 0) || iota_handed_out(a) != IOTA_HANDED_UNSEEN)
		return;
	f = iota_about_group(rule, e->group);
	f.of = iota_ranks_beside(a, e->group->file->mover[0]);
	iota_finding_add(a, f);
}

LINES(serial_reads, 390, judge, .does = IOTA_THAT(READ), .severity = IOTA_INFO, .factor = 16, .share = 10, .size = 1048576,
	.title = "one rank that reads, for whom is not known",
	.when = "The same as serial-io, but the log does not have what ranks send each other.",
	.says = "one of {of} ranks read {bytes}, and the others none",
	.remedy = "If all ranks need all of it, nothing. If each needs a part, MPI_File_read_at_all() by each "
	  "rank: IOTRACE_CALLS with mpi shows who gets what.")
