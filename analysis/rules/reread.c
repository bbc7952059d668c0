/* SPDX-License-Identifier: BSD-3-Clause */
/* reread.c - bytes that are read more than once. */
#include "config.h"

#include "rules.h"

/* Most of the file? */
static bool is_all(const struct iota_rule *rule, const struct iota_row *file)
{
	return iota_times(file, 0) >= rule->factor && file->placed[0] - iota_different(file, 0) >= rule->size;
}

/* Or a part of it, such as a head or an index? */
static bool is_part(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_stays(spot) && iota_spot_v(spot, IOTA_S_BYTES) - iota_spot_mean(spot) >= rule->size;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t different = iota_different(file, 0);

	if (!different || !spot->is_syscall || iota_is_updated(file))
		return 0;
	return is_all(rule, file) || is_part(rule, spot) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);
	const struct iota_row *file = e->group->file;
	double again;

	f.of = f.bytes / f.calls;
	if (is_all(rule, file))
		f.of = iota_different_of(e->group, 0, &f.bytes);
	again = iota_moved_again(&f);
	iota_saves_without(&f, (uint64_t)((double)f.calls * again));
	iota_saves_by_library(a, &f, e->group, again);
	iota_finding_of_file(a, f);
}

LINES(reread, 230, judge, .does = IOTA_THAT(READ), .repeats = true, .severity = IOTA_COST, .factor = 2, .size = 65536,
	.title = "the same bytes read again",
	.when = "The program reads at least {factor} times as many bytes as there are different "
	  "ones, and at least {size} bytes again; or a line of it does, for the most part where "
	  "its last read began. A file that it also writes again and "
	  "again is left out. What each of several runs reads once is not read again.",
	.says = "{bytes} were read, and only {of} different ones",
	.assumes = "what was read once fits into memory",
	.remedy = "Keep what was read, or let one process read it for all.",
	.remedy_in[IOTA_CXX] = "Read the file once and keep what it says, in a std::vector or a std::map for instance.",
	.remedy_in[IOTA_FORTRAN] = "Read the file into an array once, and look there, in place of REWIND and READ.",
	.remedy_in[IOTA_PYTHON] = "Read the file once and keep what it says, in a list or a dict for instance; "
		"functools.cache does it for a function.")
