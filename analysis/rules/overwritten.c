/* SPDX-License-Identifier: BSD-3-Clause */
/* overwritten.c - bytes that are written again before anybody reads them. */
#include "config.h"

#include "rules.h"

/* Small writes of a flush are for the rule flushed; large ones write all of a block again. */
static bool is_for_another(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (iota_is_flush(spot))
		return iota_spot_v(spot, IOTA_S_SMALL) > iota_spot_v(spot, IOTA_S_CALLS) / 2;
	return iota_number(spot->file, IOTA_F_WRITTEN) / rule->size >= iota_number(spot->file, IOTA_F_WRITES);
}

/* Is most of the file written again? */
static bool is_all(const struct iota_rule *rule, const struct iota_row *file)
{
	uint64_t written = file->placed[1], stay = iota_different(file, 1);

	return stay && written / rule->factor >= stay && iota_number(file, IOTA_F_READ) <= written / 2;
}

/* Or a part of it, such as a head that says how much follows? */
static bool is_part(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_stays(spot) && !iota_waits_for_disk(spot) && iota_spot_mean(spot) < rule->size;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (!spot->is_syscall || is_for_another(rule, spot) ||
	    !(is_all(rule, spot->file) || is_part(rule, spot)))
		return 0;
	return iota_spot_v(spot, IOTA_S_CALLS);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	bool all;

	f = iota_about_group(rule, e->group);
	all = is_all(rule, e->group->file);
	f.bytes = all ? e->group->file->placed[1] : f.bytes;
	f.of = all ? iota_different(e->group->file, 1) : f.bytes / f.calls;
	iota_saves_without(&f, (uint64_t)((double)f.calls * iota_moved_again(&f)));
	iota_finding_of_file(a, f);
}

LINES(overwritten, 170, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .least = 1000, .factor = 2, .size = 65536,
	.title = "data written over",
	.when = "A line of the program makes {least} or more writes, of fewer than {size} bytes "
	  "on average or to flush them, in a file to which at least {factor} times as many bytes are "
	  "written as there are different ones, and of which little is read; or most of them begin where "
	  "the one before did. What each of several runs writes once is not written over: runs "
	  "are apart if no process of the one lived while one of the other did.",
	.says = "{bytes} were written to the same {of}",
	.assumes = "only what is there in the end is needed",
	.remedy = "Write it once, at the end or after a longer time.")
