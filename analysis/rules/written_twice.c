/* SPDX-License-Identifier: BSD-3-Clause */
/* written_twice.c - bytes that one line writes, and that another writes over before anybody reads them. */
#include "config.h"

#include "rules.h"

static bool writes(const struct iota_spot *spot)
{
	return spot->is_syscall && spot->does == IOTA_DOES_WRITE;
}

static bool reads(const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_READ || spot->does == IOTA_DOES_COPY;
}

/* Is all that it writes before the others begin written again by them, once? */
static bool is_written_over(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t end = iota_spot_v(spot, IOTA_S_LAST), over = 0, last = end;
	uint64_t least = iota_share(iota_spot_v(spot, IOTA_S_BYTES), rule->share);
	const struct iota_spot *s;

	for (s = spot->file->spots; s; s = s->next_of_file) {
		if (s == spot || !writes(s) || iota_spot_first(s) < end)
			continue;
		over += iota_spot_v(s, IOTA_S_BYTES);
		last = iota_spot_v(s, IOTA_S_LAST) > last ? iota_spot_v(s, IOTA_S_LAST) : last;
	}
	for (s = spot->file->spots; s; s = s->next_of_file)
		if (reads(s) && iota_spot_first(s) < last)
			return false;
	return over >= least && over / 2 < iota_different(spot->file, 1);
}

/* What is synced is there for a crash, and what is opened anew for whoever comes. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t bytes = iota_spot_v(spot, IOTA_S_BYTES), different = iota_different(file, 1);

	if (!spot->is_syscall || !iota_regular(file) || bytes < rule->size || iota_number(file, IOTA_F_SYNCS) ||
	    file->traits & IOTA_TRAIT_SYNCED || file->most_opened > 1 || iota_number(file, IOTA_F_FAULTS) ||
	    file->placed[1] < different + iota_share(bytes, rule->share))
		return 0;
	return is_written_over(rule, spot) ? bytes : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	iota_saves_without(&f, f.calls);
	iota_finding_of_file(a, f);
}

LINES(written_twice, 165, judge, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .share = 80, .size = 1048576,
	.title = "data written, and all of it written over",
	.when = "A line of the program writes {size} bytes or more to a file, and when it has done so, other lines write "
	  "{share} % of that or more again, though nobody has read it. A file that is synced, or that a process opens more "
	  "than once, is left out.",
	.says = "{bytes} were written, and then written over",
	.assumes = "nobody needs what is written first",
	.remedy = "Do not fill a file before it is written: ftruncate() or posix_fallocate() makes it as long as it will "
	  "be, and bytes that nobody has written are zeros. In HDF5, H5Pset_fill_time(, H5D_FILL_TIME_NEVER).")
