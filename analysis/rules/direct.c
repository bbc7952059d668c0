/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c - little that goes past the page cache, one after the other. */
#include "config.h"

#include "rules.h"

/* What jumps about, as the pages of a database do, can't be put together. */
static bool goes_on(const struct iota_spot *spot)
{
	uint64_t located = iota_spot_v(spot, IOTA_S_LOCATED);

	return located && iota_spot_v(spot, IOTA_S_JUMPS) < located / 10;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && spot->file->traits & IOTA_TRAIT_DIRECT && iota_regular(spot->file) &&
			       iota_spot_v(spot, IOTA_S_BYTES) && iota_spot_mean(spot) < rule->size && goes_on(spot)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, e->group->weight / rule->factor);
}

LINES(direct, 107, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE),
	.repeats = true, .severity = IOTA_COST, .least = 500, .size = 65536, .factor = 10,
	.title = "little that goes past the page cache",
	.when = "A line of the program reads or writes a file that was opened with O_DIRECT, {least} times or more, in order, "
	  "and fewer than {size} bytes each on average.",
	.says = "{count call} of {call}() with O_DIRECT, {bytes} in all: each waits for the device",
	.assumes = "{factor} of them take as long together as one",
	.remedy = "Move a megabyte or more at once, have several under way (io_uring, AIO), or leave O_DIRECT off.")
