/* SPDX-License-Identifier: BSD-3-Clause */
/* synced_files.c - fsync() and its like for each of many files. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_is_synced_once(spot) ? iota_weigh_syncs(rule, spot) : 0;
}

LINES(synced_files, 360, iota_judge_syncs, .severity = IOTA_COST, .least = 20, .factor = 10, .size = 1048576,
	.title = "each of many files synced by itself",
	.when = "The same as \"sync\", but for {least} calls or more on files of which each is synced "
	  "less than four times there.",
	.says = "{count call} of {call}() for {files} files",
	.assumes = "one call for all takes as long as one of {factor} for each",
	.remedy = "Write all of them, and then call syncfs() once; or sync only those that a crash may "
	  "not lose.")
