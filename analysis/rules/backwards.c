/* SPDX-License-Identifier: BSD-3-Clause */
/* backwards.c - files that are gone through from their end. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_jumps(rule, spot) && iota_goes_back(spot) ? iota_spot_v(spot, IOTA_S_JUMPS) : 0;
}

LINES(backwards, 200, iota_judge_jumps, .light = true, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 50, .size = 65536,
	.title = "a file gone through backwards",
	.when = "A line of the program makes {least} or more reads or writes in a file, of fewer than {size} bytes "
	  "on average. More than {share} % of them do not begin where the last one of the same descriptor and "
	  "thread ended, and nearly all of these lie before the last one.",
	.says = "{count} of {of} reads and writes lie before the last one, {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Go through the file forwards, or read a large block and go through that "
	  "backwards.",
	.remedy_in[IOTA_FORTRAN] = "Read the file into an array once and go through that backwards, in place of BACKSPACE "
		"or records in falling order.")
