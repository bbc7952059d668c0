/* SPDX-License-Identifier: BSD-3-Clause */
/* holes.c - parts of a file that nobody has written, and that are read all the same: a sparse file, from end to end. */
#include "config.h"

#include "rules.h"

/* What is written to memory that is the file's is no call's. */
static bool is_mapped(const struct iota_row *file)
{
	const struct iota_spot *s;

	for (s = file->spots; s; s = s->next_of_file)
		if (iota_maps(s->from->call))
			return true;
	return false;
}

/* All that the file has was written since it was emptied.  What was written twice makes the holes look smaller. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t read = iota_different(file, 0), written = iota_number(file, IOTA_F_WRITTEN);

	if (!spot->is_syscall || !iota_regular(file) || !written || read < rule->size || read / rule->factor < written ||
	    read - written < rule->size || !iota_emptied(file))
		return 0;
	return is_mapped(file) ? 0 : iota_spot_v(spot, IOTA_S_CALLS);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *file = e->group->file;
	struct iota_finding f;

	/* programs that the job starts may write it, and may not be recorded */
	if (a->spots.programs)
		return;
	f = iota_about_group(rule, e->group);
	f.bytes = iota_different(file, 0);
	f.of = iota_number(file, IOTA_F_WRITTEN);
	iota_saves_without(&f, (uint64_t)((double)f.calls * iota_moved_again(&f)));
	iota_finding_of_file(a, f);
}

LINES(holes, 232, judge, .does = IOTA_THAT(READ) | IOTA_THAT(COPY), .repeats = true, .severity = IOTA_COST, .factor = 2, .size = 4194304,
	.title = "holes of a file read",
	.when = "The job makes a file anew, and reads {factor} times as many different bytes of it, or more, as were ever written to it, "
	  "and {size} bytes more: the rest are holes, which read as zeros. A file that is mapped into memory is left out, "
	  "and a job that starts other programs, which may have written it.",
	.says = "{bytes} were read, of which {of} had been written: the rest are holes",
	.assumes = "holes are passed over",
	.remedy = "Go from data to data, lseek(2) with SEEK_DATA and SEEK_HOLE, or keep a list of the parts that have been "
	  "written, and read these.")
