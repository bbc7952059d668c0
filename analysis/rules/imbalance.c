/* SPDX-License-Identifier: BSD-3-Clause */
/* imbalance.c - ranks that have much more to move than others, which wait for them. */
#include "config.h"

#include <stdlib.h>

#include "rules.h"

/* In all phases: what the rank that moved most in each did, and what ranks did on average. */
struct sums {
	double most, mean, waited;
};

static struct sums add_up(const struct iota *a, unsigned direction, uint64_t ranks)
{
	struct sums sum = {0};
	size_t i;

	for (i = 0; i < a->phases.n; i++) {
		const struct iota_phase *p = &a->phases.phase[i];

		/* one that reads may do so for all */
		if (!direction && 2 * p->movers[0] < ranks)
			continue;
		/* some that move for their neighbours have their own mean */
		sum.most += (double)p->most[direction];
		sum.mean += (double)p->bytes[direction] /
			    (double)(p->movers[direction] > 1 ? p->movers[direction] : ranks);
		sum.waited += (double)p->longest - (double)p->time / (double)ranks;
	}
	return sum;
}

/* What one rank has written for several, who read it: as the input of a test is made by one.  Of the one that
   did most for others. */
static uint64_t written_for_others(const struct iota *a)
{
	const struct iota_table *files = iota_table(a, IOTA_BY_FILE), *processes = iota_table(a, IOTA_BY_PROCESS);
	uint64_t *by = iota_grow(NULL, processes->n + 1, sizeof(*by)), most = 0;
	size_t i;

	memset(by, 0, (processes->n + 1) * sizeof(*by));
	for (i = 0; i < files->n; i++) {
		const struct iota_row *file = files->row[i];

		if (file->movers & 2 || file->mover[1] > processes->n || !iota_regular(file) ||
		    !(file->movers & 1 || iota_is_for_others(a, file)))
			continue;
		by[file->mover[1]] += iota_moved(file, 1);
		most = by[file->mover[1]] > most ? by[file->mover[1]] : most;
	}
	free(by);
	return most;
}

/* Where most of it is moved from. */
static const struct iota_spot *heaviest(const struct iota *a, enum iota_does does)
{
	const struct iota_spot *best = NULL;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];

		if (s->does == does && !iota_spot_v(s, IOTA_S_BENEATH) && iota_own_file(s->file) &&
		    (!best || iota_spot_v(s, IOTA_S_BYTES) > iota_spot_v(best, IOTA_S_BYTES)))
			best = s;
	}
	return best;
}

static void judge_direction(struct iota *a, const struct iota_rule *rule, unsigned direction, uint64_t ranks)
{
	struct sums sum = add_up(a, direction, ranks);
	const struct iota_spot *spot = heaviest(a, direction ? IOTA_DOES_WRITE : IOTA_DOES_READ);
	double for_others = direction ? (double)written_for_others(a) : 0;
	struct iota_finding f;

	sum.most -= for_others;
	sum.mean -= for_others / (double)ranks;

	if (!spot || sum.mean <= 0 || sum.most < (double)rule->size || sum.most < (double)rule->factor * sum.mean)
		return;
	f = iota_about(rule, spot->file);
	f.call = spot->from->call;
	f.chain = spot->from->chain;
	f.does = spot->does;
	f.calls = iota_spot_v(spot, IOTA_S_CALLS);
	f.count = (uint64_t)(sum.most / sum.mean * 100);
	f.of = ranks;
	f.bytes = (uint64_t)sum.most;
	f.time = f.saves[1] = sum.waited > 0 ? (uint64_t)sum.waited : 0;
	iota_finding_add(a, f);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	uint64_t ranks = a->phases.n ? a->phases.phase[0].ranks : 0;

	(void)e;
	if (ranks < 2 || iota_is_found(a, "serial-io"))
		return;
	judge_direction(a, rule, 0, ranks);
	judge_direction(a, rule, 1, ranks);
}

RULE(imbalance, 420, judge, .severity = IOTA_COST, .over = IOTA_OVER_ALL, .factor = 2, .size = 1048576,
	.title = "ranks that have more to move than others",
	.when = "Between two collective calls of all ranks, one rank moves more bytes than the average of the ranks "
	  "that move any. Over all such times that is {factor} times the average or more, and {size} bytes or "
	  "more. Calls such as MPI_Barrier() are in the log with IOTRACE_CALLS and mpi only; without any, the run "
	  "counts as one time. Reads count while at least half of the ranks read; what one rank writes and several "
	  "read is left out, or one reads as a whole afterwards and does not hand out in parts.",
	.says = "in each phase one of {of} ranks moves most of it, {bytes} in all: {count} % of the average",
	.assumes = "ranks can have as much each, and others wait for the last one",
	.remedy = "Give ranks parts of the same size, or let all move at the same time.")
