/* SPDX-License-Identifier: BSD-3-Clause */
/* evicted.c - files that the program drops from the page cache, and reads again. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_times(spot->file, 0) >= rule->factor ? iota_spot_v(spot, IOTA_S_DROPS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *file = e->group->file;
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += iota_count_others(e->group, IOTA_DOES_READ);
	f.bytes = file->placed[0];
	f.of = iota_different(file, false);
	/* the page cache takes some of it as well */
	f.saves[1] = (uint64_t)((double)f.time * iota_moved_again(&f));
	f.saves[0] = f.saves[1] / 2;
	iota_finding_add(a, f);
}

LINES(evicted, 16, judge, .severity = IOTA_COST, .least = 10, .factor = 2,
	.title = "a file dropped from the page cache, and read again",
	.when = "A line of the program says {least} times or more that a file is not needed any more "
	  "(POSIX_FADV_DONTNEED), and its bytes are read {factor} times or more on average.",
	.says = "dropped {count} times; {bytes} were read, and only {of} different ones",
	.assumes = "it stays in the page cache",
	.remedy = "Leave the advice out, or give it when the file has been read for the last time; or keep in memory what is "
	  "read again.")
