/* SPDX-License-Identifier: BSD-3-Clause */
/* reopened.c - files that are opened again and again. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

#define FEW 8 /* calls each time: a library looks at a head, an index, and the place */

/* A file that is emptied is replaced, as a state is that is saved now and then; one that gets another name, as a log
   is that is full, is another file when its name is opened again. */
static uint64_t least_of(const struct iota_rule *rule, const struct iota_row *file)
{
	uint64_t anew = iota_emptied(file) + iota_succeeded(file, IOTA_UNNAMES);

	return 2 * anew > iota_number(file, IOTA_F_OPENS) ? rule->factor * rule->least : rule->least;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	if (!iota_spot_v(spot, IOTA_S_OPENED) || iota_mostly_fails(spot))
		return 0;
	if (iota_is_made_anew(file, rule->size))
		return 0; /* and that so much is written: see rewritten */
	if (iota_spot_v(spot, IOTA_S_OPENED) < iota_share(iota_number(file, IOTA_F_OPENS), rule->share))
		return 0; /* other lines open it again and again, such as those that read what this one makes */
	return file->most_opened >= least_of(rule, file) && (iota_regular(file) || S_ISDIR(file->mode))
		       ? iota_spot_v(spot, IOTA_S_OPENED)
		       : 0;
}

/* Then opening it is also why it is read and written in small parts. */
static bool is_for_little(const struct iota_rule *rule, const struct iota_group *g)
{
	const struct iota_row *file = g->file;
	/* of what a library may read too much */
	uint64_t taken = iota_number(file, IOTA_F_LIB_READ) + iota_number(file, IOTA_F_LIB_WRITTEN);
	uint64_t opens = iota_number(file, IOTA_F_OPENS);

	taken = taken ? taken : iota_number(file, IOTA_F_READ) + iota_number(file, IOTA_F_WRITTEN);
	return iota_number(file, IOTA_F_READS) + iota_number(file, IOTA_F_WRITES) <= FEW * opens &&
	       taken / rule->size < opens;
}

/* Or what was read is read again each time: a directory, the head of a library's format. */
static bool is_read_each_time(const struct iota_group *g)
{
	const struct iota_row *file = g->file;
	uint64_t different = iota_owned_bytes(file->seen[0]);

	if (S_ISDIR(file->mode))
		return true;
	return different && file->placed[0] / different >= iota_number(file, IOTA_F_OPENS) / 2;
}

/* Is the group's spot from the same line as the one before, and of the same file? */
static bool is_line_before(const struct iota_group *g, size_t i)
{
	const struct iota_chain *now = g->spot[i]->from->chain, *before = i ? g->spot[i - 1]->from->chain : NULL;

	return now && before && !iota_is_first_of_file(g, i) && now->at[0] == before->at[0];
}

/* What else the opening lines do to the file, but syncs, of which there is another finding: a
   library reads its head, and so on. */
static uint64_t count_same_lines(const struct iota_group *g)
{
	uint64_t time = 0;
	struct iota_spot *s;
	size_t i;

	for (i = 0; i < g->n; i++)
		for (s = is_line_before(g, i) ? NULL : g->spot[i]->file->spots; s; s = s->next_of_file)
			if (s->does != IOTA_DOES_SYNC && s->from->chain && g->spot[i]->from->chain && s->from->chain->at[0] == g->spot[i]->from->chain->at[0])
				time += iota_spot_count(s);
	return time;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += count_same_lines(e->group) + iota_count_others(e->group, IOTA_DOES_CLOSE);
	if (is_for_little(rule, e->group) || is_read_each_time(e->group))
		f.time += iota_count_others(e->group, IOTA_DOES_READ);
	if (S_ISDIR(e->group->file->mode)) /* readdir(3) */
		f.time += iota_count_others(e->group, IOTA_DOES_OTHER);
	if (is_for_little(rule, e->group))
		f.time += iota_count_others(e->group, IOTA_DOES_WRITE);
	iota_saves_without(&f, f.count - f.files);
	if (is_read_each_time(e->group))
		iota_saves_by_library(a, &f, e->group, 1 - (double)f.files / (double)f.count);
	iota_finding_add(a, f);
}

LINES(reopened, 20, judge, .severity = IOTA_COST, .least = 10, .share = 2, .factor = 5, .size = 65536,
	.title = "a file opened again and again",
	.when = "A process opened a file {least} times or more, from one line of the program; {factor} times as often, if that "
	  "empties it, or if its name is given to another file or removed in between. A line that has opened it fewer than {share} % of the times does not count. What it reads and writes "
	  "counts, too, if each time it is fewer than {size} bytes in few calls, or the same bytes.",
	.says = "opened {count} times",
	.assumes = "it can stay open",
	.remedy = "Keep the file open, or read it once and keep what it says.",
	.remedy_in[IOTA_CXX] = "Make the stream once, outside of the loop, and pass it on; or read the file once and "
		"keep what it says.",
	.remedy_in[IOTA_FORTRAN] = "Leave the unit open: OPEN before the loop, REWIND if it is to be read again; or read "
		"the file into an array once.",
	.remedy_in[IOTA_PYTHON] = "Open the file once, with the loop inside of \"with\"; or read it once and keep what it "
		"says.")
