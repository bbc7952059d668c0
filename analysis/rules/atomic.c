/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic.c - files of MPI's in atomic mode. */
#include "config.h"

#include "rules.h"

static bool sets_atomicity(const char *call)
{
	return !strcmp(call, "MPI_File_set_atomicity");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_spot_v(spot, IOTA_S_CALLS);
}

/* In that mode MPI locks the part of each call, whatever else it locks for. */
static uint64_t locks(const struct iota_row *file, uint64_t *time)
{
	struct iota_spot *s;
	uint64_t n = 0;

	for (s = file->spots; s; s = s->next_of_file)
		if (!strcmp(s->from->call, "fcntl") && s->from->chain && s->from->chain->way & IOTA_BY_MPI) {
			n += iota_spot_v(s, IOTA_S_CALLS);
			*time += iota_spot_count(s);
		}
	return n;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);
	uint64_t time = 0;

	f.calls = f.count = locks(e->group->file, &time);
	if (f.count < rule->least)
		return;
	f.time += time;
	iota_saves_without(&f, f.calls);
	iota_finding_of_file(a, f);
}

LINES(atomic, 65, judge, .calls = sets_atomicity, .light = true, .severity = IOTA_COST, .least = 1000,
	.title = "a file of MPI's in atomic mode",
	.when = "A line of the program calls MPI_File_set_atomicity(), and MPI locks the file {least} times or more.",
	.says = "{count lock} by MPI",
	.assumes = "no two ranks write the same bytes at the same time",
	.remedy = "Leave the atomic mode off where each rank has a part of its own; MPI_File_sync() and a barrier let "
	  "others see what one has written.")
