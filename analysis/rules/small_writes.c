/* SPDX-License-Identifier: BSD-3-Clause */
/* small_writes.c - writes that move little, and many of them. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_small(rule, spot, IOTA_DOES_WRITE) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

LINES(small_writes, 250, iota_judge_small, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "small writes",
	.when = "A line of the program makes {least} or more writes of fewer than {size} bytes, "
	  "at least {share} % of its writes to the file.",
	.says = "{count} of {of} writes moved less than {size} bytes, {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Collect what is written: a larger buffer, setvbuf() for a stream.")
