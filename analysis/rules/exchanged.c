/* SPDX-License-Identifier: BSD-3-Clause */
/* exchanged.c - collective calls of MPI in which ranks send each other what each could move itself. */
#include "config.h"

#include "rules.h"

static bool is_collective(const char *call)
{
	return (!strncmp(call, "MPI_File_read", 13) || !strncmp(call, "MPI_File_write", 14)) && strstr(call, "_all");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	unsigned forced = spot->does == IOTA_DOES_WRITE ? IOTA_TRAIT_CB_WRITE : IOTA_TRAIT_CB_READ;

	return spot->file->traits & forced &&
			       !(spot->file->traits & IOTA_TRAIT_VIEWED) &&
			       iota_spot_mean(spot) >= rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

/* What is moved within the group's calls. */
struct beneath {
	uint64_t time, threads;
};

static struct beneath find_beneath(const struct iota_group *g)
{
	struct beneath sum = {0};
	uint64_t v[IOTA_N_SPOT] = {0};
	const struct iota_spot *s;
	size_t i;

	for (i = 0; i < g->n; i++)
		for IOTA_EACH_OF_LINE(s, g->spot[i])
			if (s->is_syscall && iota_spot_v(s, IOTA_S_BENEATH) && s->does == g->spot[i]->does)
				iota_spot_sum(v, s);
	sum.time = v[IOTA_S_TIME];
	sum.threads = iota_threads(v);
	return sum;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t ranks = iota_threads(g->v), waited = g->v[IOTA_S_TIME];
	struct beneath beneath = find_beneath(g);
	uint64_t each;
	struct iota_finding f;

	if (ranks < 2 || !beneath.threads || rule->factor * beneath.threads > ranks)
		return;
	/* of the run, and what of it stays if one writes after the other */
	each = (waited + beneath.time) / ranks;
	if (each <= beneath.time / ranks)
		return;
	f = iota_about_group(rule, g);
	f.of = ranks;
	f.at_once = 0;
	f.saves[0] = each > beneath.time ? each - beneath.time : 0;
	f.saves[1] = each - beneath.time / ranks;
	iota_finding_add(a, f);
}

LINES(exchanged, 80, judge, .calls = is_collective, .severity = IOTA_COST, .least = 4, .factor = 2, .size = 1048576,
	.title = "collective buffering that does not help",
	.when = "Hints of MPI_File_open() ask for collective buffering (romio_cb_write or romio_cb_read, "
	  "\"enable\"), a line of the program makes {least} or more collective calls that move {size} bytes or "
	  "more of each rank, one piece each, since MPI_File_set_view() has not said otherwise, and only one in "
	  "{factor} of the ranks, or fewer, writes or reads, for all. Ranks send each other what each could "
	  "move itself.",
	.says = "{count call} of {call}(), {bytes} in all, which few ranks move for all {of}",
	.assumes = "each rank can move its part itself, between one after the other and all at the same time",
	.remedy = "Leave the hint out for this file, or say \"disable\"; or MPI_File_write_at() and "
	  "MPI_File_read_at() by each rank.")
