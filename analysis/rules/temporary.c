/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary.c - small files that hand something over, from one part of the program to another, and are removed. */
#include "config.h"

#include "rules.h"

/* Does no other line open the file before; and is it not opened again when it is removed? */
static bool makes_it(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	for (s = spot->file->spots; s; s = s->next_of_file)
		if (iota_spot_v(s, IOTA_S_OPENED) &&
		    (iota_spot_first(s) < iota_spot_first(spot) || iota_spot_v(s, IOTA_S_LAST) > spot->file->rare->removed))
			return false;
	return true;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t written = iota_number(file, IOTA_F_WRITTEN);

	if (!iota_spot_v(spot, IOTA_S_OPENED) || !file->rare->removed || !iota_regular(file) ||
	    !iota_number(file, IOTA_F_READ) || !written || written >= rule->size || iota_number(file, IOTA_F_SYNCS))
		return 0;
	return makes_it(spot) ? iota_spot_v(spot, IOTA_S_OPENED) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	/* programs that the job starts may need them */
	if (e->group->files < rule->least || a->spots.programs)
		return;
	f = iota_about_group(rule, e->group);
	f.time += iota_count_all(e->group);
	iota_saves_without(&f, f.calls);
	iota_finding_add(a, f);
}

LINES(temporary, 12, judge, .severity = IOTA_COST, .least = 100, .size = 1048576,
	.title = "small temporary files",
	.when = "A line of the program makes {least} files or more, each of which is written, fewer than {size} bytes of it, "
	  "read, and removed. A job that starts other programs may have made them for these.",
	.says = "{files} files were written, read and removed",
	.assumes = "what is in them can stay in memory",
	.remedy = "Keep what is in them in memory, or hand it over by a pipe; or use one file for all, again and again.")
