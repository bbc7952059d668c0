/* SPDX-License-Identifier: BSD-3-Clause */
/* file_per_process.c - ranks that each write files of their own. */
#include "config.h"

#include <stdlib.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	(void)rule;
	return !spot->counted && iota_spot_v(spot, IOTA_S_OPENED) && iota_regular(file) && iota_number(file, IOTA_F_WRITTEN) &&
			       !file->movers
		       ? iota_spot_v(spot, IOTA_S_OPENED)
		       : 0;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many ranks wrote the group's files. */
static size_t writers(const struct iota *a, const struct iota_group *g)
{
	uint32_t *writer = iota_grow(NULL, g->n, sizeof(*writer));
	size_t n = 0, i;

	for (i = 0; i < g->n; i++)
		writer[i] = g->spot[i]->file->mover[1];
	qsort(writer, g->n, sizeof(*writer), by_number);
	for (i = 0; i < g->n; i++)
		n += (!i || writer[i] != writer[i - 1]) && iota_is_rank(a, writer[i]);
	free(writer);
	return n;
}

static void judge(struct iota *a, const struct iota_rule *rule,
				const struct iota_evidence *e)
{
	struct iota_finding f;
	size_t ranks;

	if (e->group->files < rule->least || (ranks = writers(a, e->group)) < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.of = ranks;
	f.time += iota_count_others(e->group, IOTA_DOES_CLOSE);
	iota_saves_without(&f, f.calls - f.calls / ranks);
	iota_finding_add(a, f);
}

LINES(file_per_process, 50, judge, .severity = IOTA_COST, .least = 64,
	.title = "a file for each rank",
	.when = "A line of the program opens files of which each is written by one rank alone, {least} "
	  "files or more of {least} ranks or more.",
	.says = "{of} ranks opened {files} files of their own to write them, {count open}",
	.assumes = "one file has to be opened by each rank once",
	.remedy = "Write one file: MPI_File_write_at_all(), with an offset for each rank; or one for "
	  "each host.")
