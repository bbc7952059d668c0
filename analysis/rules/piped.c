/* SPDX-License-Identifier: BSD-3-Clause */
/* piped.c - little in each turn through a pipe or a socket. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* Does the reader have room for more than there is, most times? */
static bool takes_what_comes(const struct iota_row *pipe)
{
	uint64_t reads = iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_CALLS);

	return reads && iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_SHORT) > reads / 2;
}

/* When the file was first read or written: the larger, the earlier. */
static uint64_t earliest(const struct iota_row *file, enum iota_does does)
{
	const struct iota_spot *s;
	uint64_t first = 0;

	for (s = file->spots; s; s = s->next_of_file)
		if (s->does == does && s->is_syscall && iota_spot_v(s, IOTA_S_BEFORE) > first)
			first = iota_spot_v(s, IOTA_S_BEFORE);
	return first;
}

/* The two ends of a socket are files of their own, and the log may have one of them only.  Who gets few
   answers could send more at once.  Who asks first, and waits for each answer, could ask more at once; who
   answers has to take what comes. */
static enum iota_does decides_at_socket(const struct iota_row *end, uint64_t writes)
{
	uint64_t reads = iota_of_file(end, IOTA_DOES_READ, IOTA_S_CALLS);

	if (reads < writes / 10)
		return IOTA_DOES_WRITE;
	return writes >= reads / 10 && earliest(end, IOTA_DOES_WRITE) > earliest(end, IOTA_DOES_READ)
		       ? IOTA_DOES_READ
		       : IOTA_DOES_OTHER;
}

/* Who decides how much a turn has?  A reader gets what is there.  If more parts were written than read, or
   the reader would take more at once, the writer's parts are too small; but one who waits for an
   answer to each can't make them larger alone. */
static enum iota_does decides(const struct iota *a, const struct iota_row *pipe)
{
	uint64_t writes = iota_of_file(pipe, IOTA_DOES_WRITE, IOTA_S_CALLS);

	if (S_ISSOCK(pipe->mode))
		return decides_at_socket(pipe, writes);
	if (writes / 2 > iota_of_file(pipe, IOTA_DOES_READ, IOTA_S_CALLS))
		return IOTA_DOES_WRITE;
	return writes && takes_what_comes(pipe) && !iota_gets_answers(a, pipe, writes) ? IOTA_DOES_WRITE : IOTA_DOES_READ;
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && (S_ISFIFO(spot->file->mode) || S_ISSOCK(spot->file->mode)) &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

/* The group's turns: a line that asks, and gets the answer, has two calls for each. */
static uint64_t count_turns(const struct iota *a, const struct iota_group *g)
{
	uint64_t turns = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->spot[i]->does == decides(a, g->spot[i]->file))
			turns += g->spot[i]->weight;
	return turns;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	uint64_t turns;

	if (iota_is_between_ranks(a, e->group->file))
		return;
	turns = count_turns(a, e->group);
	if (turns < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.count = turns;
	iota_saves_merged(a, &f, f.calls / 10);
	iota_finding_add(a, f);
}

LINES(piped, 380, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE),
	.repeats = true, .sockets = true, .severity = IOTA_COST, .least = 1000, .size = 4096,
	.title = "little in each turn through a pipe or a socket",
	.when = "A line of the program reads {least} times or more from a pipe, less than {size} bytes on average; "
	  "or it writes, if what is written is less than that and comes in more parts than are read, or the reader "
	  "asks for more than it gets, and the writer gets few answers. On sockets, it writes so and gets few "
	  "answers; or it reads answers to what its process has sent first. Sockets of MPI's ranks are left out.",
	.says = "{count} turns, {bytes} in all",
	.assumes = "ten turns can be one",
	.remedy = "Send more in each turn, or do not wait for each answer. If one call writes more than the pipe holds, let "
		  "it hold more (F_SETPIPE_SZ).")
