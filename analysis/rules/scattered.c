/* SPDX-License-Identifier: BSD-3-Clause */
/* scattered.c - transfers that do not follow each other. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_jumps(rule, spot) && !iota_goes_back(spot) && !iota_strides(spot) ? iota_spot_v(spot, IOTA_S_JUMPS) : 0;
}

LINES(scattered, 220, iota_judge_jumps, .light = true, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 50, .size = 65536,
	.title = "small pieces here and there",
	.when = "The same as backwards, but in no such order: the file is read or written here "
	  "and there, or by several lines in turn.",
	.says = "{count} of {of} reads and writes did not begin where the last one ended",
	.assumes = "the places can be sorted, or the file is small enough to be read as a whole",
	.remedy = "Go through the file in the order in which it is stored, read larger parts of "
	  "it, or keep parts.",
	.remedy_in[IOTA_FORTRAN] = "Go through records in their order, with longer ones, or read the file into an array "
		"once.")
