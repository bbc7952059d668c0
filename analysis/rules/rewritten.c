/* SPDX-License-Identifier: BSD-3-Clause */
/* rewritten.c - large blocks that are written again and again where they were. */
#include "config.h"

#include "rules.h"

/* A program that syncs what it has written wants it to outlast a crash. */
static bool is_durable(const struct iota_spot *spot)
{
	return iota_waits_for_disk(spot) || 2 * iota_number(spot->file, IOTA_F_SYNCS) >= iota_spot_v(spot, IOTA_S_CALLS);
}

/* All of the file, or a part of it that the line always begins with. */
static bool is_again(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_times(spot->file, 1) >= rule->factor ||
	       (iota_stays(spot) && iota_spot_v(spot, IOTA_S_CALLS) >= rule->factor);
}

/* Whoever opens a file to empty it has its old blocks given back, which takes as long as some writes. */
static bool is_emptied(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	return iota_regular(file) && iota_is_made_anew(file, rule->size) && iota_emptied(file) >= rule->least &&
	       !iota_number(file, IOTA_F_SYNCS);
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (is_emptied(rule, spot))
		return iota_spot_v(spot, IOTA_S_OPENED) + (spot->does == IOTA_DOES_WRITE && spot->is_syscall ? iota_spot_v(spot, IOTA_S_CALLS) : 0);
	if (spot->does != IOTA_DOES_WRITE || !spot->is_syscall || !iota_regular(spot->file) ||
	    iota_spot_mean(spot) < rule->size || is_durable(spot))
		return 0;
	return is_again(rule, spot) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* What is read as often is read for the sake of the writes: a block that was changed in part.  It counts for the line
   that makes most of these. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *file = e->group->file;
	struct iota_finding f = iota_about_group(rule, e->group);

	if (is_emptied(rule, e->group->heaviest)) {
		f.bytes = iota_number(file, IOTA_F_WRITTEN);
		f.of = iota_different(file, 1) ? iota_different(file, 1) : f.bytes / iota_emptied(file);
		f.time += iota_count_others(e->group, IOTA_DOES_CLOSE);
		iota_saves_without(&f, f.calls - f.calls / rule->factor);
		iota_finding_of_file(a, f);
		return;
	}
	f.of = f.bytes / f.calls;
	if (iota_times(file, 1) >= rule->factor) {
		f.bytes = file->placed[1];
		f.of = iota_different(file, 1);
	}
	if (iota_times(file, 0) >= rule->factor && f.calls >= iota_number(file, IOTA_F_WRITES) / 2)
		f.time += iota_count_others(e->group, IOTA_DOES_READ);
	iota_saves_without(&f, (uint64_t)((double)f.calls * iota_moved_again(&f)));
	iota_finding_of_file(a, f);
}

LINES(rewritten, 180, judge, .severity = IOTA_COST, .least = 100, .factor = 50, .size = 65536,
	.title = "large blocks written over and over",
	.when = "A line of the program makes {least} or more writes of {size} bytes or more on average, and each "
	  "byte of the file is written {factor} times or more on average, or most of these writes begin where the "
	  "one before did; or a file is opened and emptied {least} times or more, and gets {size} bytes or more each time. "
	  "Files that are synced for every second of these writes, or more often, are left out.",
	.says = "{bytes} were written to the same {of}",
	.assumes = "only what is there in the end is needed",
	.remedy = "Keep what is written in memory, and write it when a block is full, at the end, or after a longer time; "
	  "of HDF5, have a cache that a chunk fits into: H5Pset_chunk_cache().")
