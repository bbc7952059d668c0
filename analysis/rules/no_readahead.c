/* SPDX-License-Identifier: BSD-3-Clause */
/* no_readahead.c - files that are read in order, and were said to be read here and there. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t located = iota_spot_v(spot, IOTA_S_LOCATED);

	return spot->is_syscall && spot->file->traits & IOTA_TRAIT_RANDOM &&
			       located && iota_spot_v(spot, IOTA_S_JUMPS) < iota_share(located, rule->share)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->v[IOTA_S_BYTES] < rule->size)
		return;
	f = iota_about_group(rule, e->group);
	f.saves[1] = f.time;
	iota_finding_add(a, f);
}

LINES(no_readahead, 300, judge, .does = IOTA_THAT(READ), .repeats = true, .severity = IOTA_COST, .least = 100, .share = 10, .size = 1048576,
	.title = "reading in order, without reading ahead",
	.when = "posix_fadvise(2) has said that the file is read in no order (POSIX_FADV_RANDOM), and a line "
	  "of the program makes {least} or more reads of it, {size} bytes or more, of which less than "
	  "{share} % do not begin where the last one ended.",
	.says = "{count read}, {bytes} in all, in order",
	.assumes = "the disk is no slower than the program",
	.remedy = "Leave POSIX_FADV_RANDOM out, or say POSIX_FADV_SEQUENTIAL.")
