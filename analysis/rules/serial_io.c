/* SPDX-License-Identifier: BSD-3-Clause */
/* serial_io.c - one rank of several, or one thread, that reads or writes for all. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_by_one(rule, spot, 0) + iota_by_one(rule, spot, 1);
}

/* Others are not computing meanwhile for more than half of the time, even if they compute at no other. */
static void judge_threads(struct iota *a, const struct iota_rule *rule, const struct iota_group *g, unsigned direction)
{
	uint64_t user, of = iota_team_of(a, rule, g->file, direction, &user);
	struct iota_finding f;

	if (!of || g->v[IOTA_S_TIME] / 2 < user)
		return;
	f = iota_about_group(rule, g);
	f.of = of;
	f.saves[1] = (f.time > user ? f.time - user : 0) / of * (of - 1);
	iota_finding_add(a, f);
}

static void judge(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	unsigned direction = g->heaviest->does == IOTA_DOES_WRITE;
	struct iota_finding f;

	if (direction && iota_is_for_others(a, g->file))
		return;
	if (!iota_moves_alone(a, rule, g->file, direction)) {
		judge_threads(a, rule, g, direction);
		return;
	}
	/* what all need one may as well read */
	if (!direction && iota_handed_out(a) != IOTA_HANDED_IN_PARTS)
		return;
	f = iota_about_group(rule, g);
	f.time += iota_count_others(g, g->heaviest->does); /* libc's own calls have none */
	f.of = iota_ranks_beside(a, g->file->mover[direction]);
	iota_saves_without(&f, f.calls - (f.calls + f.of - 1) / f.of);
	if (!f.saves[0] && f.calls < f.of) /* few calls, which would be split */
		f.saves[1] = f.time / f.of * (f.of - 1);
	iota_finding_add(a, f);
}

LINES(serial_io, 90, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE), .severity = IOTA_COST, .factor = 16, .share = 10, .size = 1048576,
	.title = "one rank or thread that does the I/O of all",
	.when = "One of several ranks, or of threads that begin with the same function, alone writes {size} bytes or "
	  "more to a file, or reads {factor} times as many, and the others move less than {share} % of that in "
	  "that direction, in all files. What one rank reads counts if the log shows that MPI hands it out in "
	  "parts (IOTRACE_CALLS with mpi): what all ranks need is well read by one. What one writes is left out if "
	  "several read it as a whole afterwards, or one does and does not hand it out in parts: it was made for all. A thread counts if it is certain that no "
	  "other one computes for half of that time.",
	.says = "one of {of} moved {bytes}, and the others none",
	.assumes = "each can move its part, as fast as this one moves all",
	.remedy = "Let each rank or thread move its own part: MPI_File_write_at_all(), MPI_File_read_at_all(); of "
	  "threads, pwrite(), pread().")
