/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.c - fsync() and its like after little. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return !iota_is_synced_once(spot) ? iota_weigh_syncs(rule, spot) : 0;
}

LINES(sync, 350, iota_judge_syncs, .severity = IOTA_COST, .least = 20, .factor = 100, .size = 1048576,
	.title = "a sync after each record",
	.when = "A line of the program calls fsync(2) or its like {least} times or more, and "
	  "less than {size} bytes are written to the file for each of them, or of sync(2), to all files. Each write to a file "
	  "that was opened with O_SYNC or O_DSYNC counts as such a call. Of two or three files it takes that many for each: a "
	  "database syncs its journal, too.",
	.says = "{count call} of {call}()[, for {bytes} that were written]",
	.assumes = "one of {factor} would do",
	.remedy = "Sync every {factor} records, if the last {factor} may be lost in a crash. In a database, put many changes "
	  "into one transaction.")
