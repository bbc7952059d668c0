/* SPDX-License-Identifier: BSD-3-Clause */
/* many_files.c - a file for everything. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	if (iota_mostly_fails(spot))
		return 0;
	return iota_spot_v(spot, IOTA_S_OPENED) && iota_number(file, IOTA_F_OPENS) <= rule->factor &&
			       iota_number(file, IOTA_F_READ) + iota_number(file, IOTA_F_WRITTEN) < rule->size &&
			       iota_regular(file) && iota_closed(file)
		       ? iota_spot_v(spot, IOTA_S_OPENED)
		       : 0;
}

/* Is each read or written at once?  Then that takes so long since each is a file of its own. */
static bool is_for_little(const struct iota_group *g)
{
	uint64_t opens = 0, moves = 0;
	size_t i;

	for (i = 0; i < g->n; i++) {
		const struct iota_row *file = g->spot[i]->file;

		if (!iota_is_first_of_file(g, i))
			continue;
		opens += iota_number(file, IOTA_F_OPENS);
		moves += iota_number(file, IOTA_F_READS) + iota_number(file, IOTA_F_WRITES);
	}
	return moves <= 4 * opens;
}

/* File systems that ranks share take longer for each than a disk of one's own. */
static uint64_t least_of(const struct iota *a, const struct iota_rule *rule, const struct iota_row *file)
{
	unsigned direction = iota_moved(file, 1) ? 1 : 0;

	return iota_is_rank(a, file->mover[direction]) ? iota_share(rule->least, rule->share) : rule->least;
}

static void judge(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->files < least_of(a, rule, e->group->file))
		return;
	f = iota_about_group(rule, e->group);
	f.time += iota_count_others(e->group, IOTA_DOES_CLOSE);
	if (is_for_little(e->group))
		f.time += iota_count_others(e->group, IOTA_DOES_READ) + iota_count_others(e->group, IOTA_DOES_WRITE);
	iota_saves_without(&f, f.count - 1);
	iota_finding_add(a, f);
}

LINES(many_files, 40, judge, .light = true, .severity = IOTA_COST, .least = 1000, .share = 10, .factor = 2, .size = 65536,
	.title = "many small files",
	.when = "A line of the program opens {least} or more files, or {share} % of that in ranks of MPI, each at most "
	  "{factor} times, to read or write less than {size} bytes in it.",
	.says = "{files} files of less than {size} bytes each, {count open}",
	.assumes = "all of it can be in one file",
	.remedy = "Put what they hold into one file, or into few: a format for many parts, such as HDF5 or SQLite, or an "
	  "archive. If the program can't choose, have them on a local disk.")
