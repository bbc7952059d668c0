/* SPDX-License-Identifier: BSD-3-Clause */
/* read_by_all.c - the same bytes of a file, read by each of several processes. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_is_moved_by_all(rule, spot, 0) && !iota_is_updated(spot->file) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_finding_of_file(a, iota_about_all(a, rule, e->group, 0));
}

LINES(read_by_all, 228, judge, .does = IOTA_THAT(READ), .repeats = true, .severity = IOTA_COST, .share = 80, .size = 1048576,
	.title = "the same read by several processes",
	.when = "Several processes, or ranks, read the same bytes of a file: as many times as {share} % of them, and {size} "
	  "bytes or more are read again. A file that is also written again and again is left out.",
	.says = "{processes} each read the same {bytes}",
	.assumes = "one of them can read it for all, or each can do with its own part",
	.remedy = "Read it once: before fork(), or by mmap(). Of ranks, let one read it and MPI_Bcast() it, or each "
	  "its own part, such as by MPI_File_read_at_all().")
