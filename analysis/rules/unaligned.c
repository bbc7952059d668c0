/* SPDX-License-Identifier: BSD-3-Clause */
/* unaligned.c - writes of blocks in part. */
#include "config.h"

#include "rules.h"

#define UNIT 4096 /* bytes: of most file systems */

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_UNALIGNED) > iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_UNALIGNED)
		       : 0;
}

/* Up to two blocks are read for each; that they take as long a byte is the most that is saved. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	double kept, more;

	f = iota_about_group(rule, e->group);
	kept = (double)f.bytes / (double)f.calls;
	more = 2 * UNIT;
	f.saves[1] = (uint64_t)((double)f.time * more / (kept + more));
	iota_finding_add(a, f);
}

LINES(unaligned, 190, judge, .repeats = true, .severity = IOTA_COST, .least = 100, .share = 50, .size = 65536,
	.title = "blocks written in part",
	.when = "A line of the program makes {least} or more writes of a block of the file system or more, "
	  "of fewer than {size} bytes on average, here and there in what the file had when it was "
	  "opened, and more than {share} % of its writes begin or end within a block, or a stripe if "
	  "they are as large.",
	.says = "{count} of {of} writes begin or end within a block, {bytes} in all",
	.assumes = "reading what is kept of a block takes as long a byte as writing it",
	.remedy = "Begin records at multiples of the block's size (st_blksize), or of the stripe's, and write "
	  "whole ones.")
