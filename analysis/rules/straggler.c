/* SPDX-License-Identifier: BSD-3-Clause */
/* straggler.c - one rank, or one thread of several that do the same, whose I/O takes much longer. */
#include "config.h"

#include "rules.h"

/* The one whose I/O took longest, and those beside it. */
struct team {
	const struct iota_row *slowest;
	uint64_t n, time, bytes, lived; /* of all of them */
	uint64_t bits;			/* threads: what iota_thread_bit() has of each; ranks: 0 */
};

static uint64_t moved(const struct iota_row *row)
{
	return row->v[IOTA_F_READ] + row->v[IOTA_F_WRITTEN];
}

static void add(struct team *t, const struct iota_row *row)
{
	t->n++;
	t->time += row->v[IOTA_F_IO];
	t->bytes += moved(row);
	t->lived += row->v[IOTA_F_LIVED];
	if (!t->slowest || row->v[IOTA_F_IO] > t->slowest->v[IOTA_F_IO])
		t->slowest = row;
}

/* What the others have on average. */
static uint64_t others(const struct team *t, uint64_t all, uint64_t own)
{
	return t->n > 1 ? (all - own) / (t->n - 1) : 0;
}

/* The threads that come to a line, whatever the file is. */
static uint64_t come_to(const struct iota *a, const struct iota_chain *chain)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_chain *other = a->spots.spot[i]->from->chain;

		if (other && other->n && other->at[0] == chain->at[0])
			bits |= iota_spot_v(a->spots.spot[i], IOTA_S_THREADS);
	}
	return bits;
}

/* Ranks, and threads that begin with the same function, may have different things to do: what one of
   them does has to be what others of the team do, and nobody else. */
static bool of_team(const struct iota *a, const struct team *t, const struct iota_spot *s)
{
	uint64_t bits;

	if (!s->from->chain || !s->from->chain->n)
		return !t->bits;
	if (t->bits && iota_spot_v(s, IOTA_S_THREADS) & ~t->bits)
		return false;
	bits = come_to(a, s->from->chain);
	bits &= t->bits ? t->bits : bits;
	return bits & (bits - 1);
}

/* The line at which one has so much more than the others of the team have on average, besides the longest call, which
   may have stood still where others had the processor; NULL: nowhere is it as much as *excess was.  Few lines have that
   much: of_team looks at all for each. */
static const struct iota_spot *line_of(const struct iota *a, const struct team *t, uint64_t *excess)
{
	const struct iota_spot *best = NULL;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		const struct iota_spot *s = a->spots.spot[i];
		uint64_t mean = (iota_spot_v(s, IOTA_S_TIME) - iota_spot_v(s, IOTA_S_MOST)) / (t->n - 1) + iota_spot_v(s, IOTA_S_MAX);

		if (s->does == IOTA_DOES_OTHER || s->does == IOTA_DOES_WAIT || !iota_own_file(s->file) ||
		    iota_spot_v(s, IOTA_S_MOST) < mean + *excess || !of_team(a, t, s))
			continue;
		*excess = iota_spot_v(s, IOTA_S_MOST) - mean;
		best = s;
	}
	return best;
}

/* A function that several call is no answer. */
static unsigned level_of(const struct iota_chain *chain)
{
	unsigned level = 0;

	while (chain && level + 1 < chain->n && chain->at[level]->function->several)
		level++;
	return level;
}

/* taken: how long the slowest's calls may have stood still since others had the processor, which is none of its I/O */
static void judge_team(struct iota *a, const struct iota_rule *rule, const struct team *t, uint64_t waited, uint64_t taken)
{
	uint64_t time, mean, excess;
	const struct iota_spot *spot;
	struct iota_finding f;

	if (t->n < 2)
		return;
	time = t->slowest->v[IOTA_F_IO];
	mean = others(t, t->time, time);
	if (time < rule->factor * mean || time - mean < rule->time || waited < rule->time || time - mean < rule->factor * taken)
		return;
	excess = rule->time;
	spot = line_of(a, t, &excess);
	if (!spot)
		return;
	f = iota_about(rule, spot->file);
	f.call = spot->from->call;
	f.chain = spot->from->chain;
	f.level = level_of(spot->from->chain);
	f.does = spot->does;
	f.calls = iota_spot_v(spot, IOTA_S_CALLS);
	f.of = t->n;
	f.count = mean ? (uint64_t)((double)time * 100 / (double)mean) : 0;
	f.bytes = moved(t->slowest);
	f.time = time - mean < waited ? time - mean : waited;
	f.saves[1] = f.time;
	f.saves[0] = f.time / 10 * (excess < f.time ? 5 : 9);
	iota_finding_add(a, f);
}

/* Ranks wait at the end of each phase.  Then they give the processor to others all the time, so that it says nothing how
   often they lose it. */
static void judge_ranks(struct iota *a, const struct iota_rule *rule)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	double waited = 0;
	struct team t = {0};
	size_t i;

	for (i = 0; i < processes->n; i++)
		if (processes->row[i]->v[IOTA_F_RANK])
			add(&t, processes->row[i]);
	for (i = 0; i < a->phases.n; i++) {
		const struct iota_phase *p = &a->phases.phase[i];

		waited += p->ranks ? (double)p->longest - (double)p->time / (double)p->ranks : 0;
	}
	/* one that has more to move than others is another finding */
	if (t.n && moved(t.slowest) > rule->factor * others(&t, t.bytes, moved(t.slowest)))
		return;
	judge_team(a, rule, &t, waited > 0 ? (uint64_t)waited : 0, 0);
}

/* Threads wait for the last of them to end, if they are there until they have done their part. */
static void judge_threads(struct iota *a, const struct iota_rule *rule, const struct iota_row *process)
{
	const struct iota_table *threads = iota_table(a, IOTA_BY_THREAD);
	struct team t = {0};
	int rank = (int)process->v[IOTA_F_RANK] - 1;
	uint64_t lived, mean;
	size_t i;

	if (process->team.n < 2 || process->team.mixed)
		return;
	for (i = 0; i < threads->n; i++)
		if (iota_is_thread_of(threads->row[i], process)) {
			add(&t, threads->row[i]);
			t.bits |= iota_thread_bit((uint32_t)threads->row[i]->v[IOTA_F_TID], rank);
		}
	if (t.n < 2)
		return;
	lived = t.slowest->v[IOTA_F_LIVED];
	mean = others(&t, t.lived, lived);
	judge_team(a, rule, &t, lived > mean ? lived - mean : 0, process->v[IOTA_F_TAKEN]);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	size_t i;

	(void)e;
	if (iota_is_found(a, "serial-io") || iota_is_found(a, "imbalance"))
		return;
	judge_ranks(a, rule);
	for (i = 0; i < processes->n; i++)
		judge_threads(a, rule, processes->row[i]);
}

RULE(straggler, 430, judge, .severity = IOTA_COST, .over = IOTA_OVER_ALL, .factor = 2, .time = 100000000,
	.title = "one that takes longer than others",
	.when = "One of several ranks, or of threads that begin with the same function, takes {factor} times as "
	  "long for I/O as the others do on average, or longer, and {time} longer or more, its longest call at a line "
	  "aside, and for that time others wait: ranks between two collective calls of all, threads for its end. One rank that "
	  "moves that much more is \"imbalance\". Of threads it has to be {factor} times as long, too, as their calls may have stood "
	  "still since others had the processor, 20 ms each time.",
	.says = "one of {of} moved {bytes}, and took {count} % of the time of the others",
	.assumes = "it can be as fast as the others",
	.remedy = "See what this one does more, or in a slower way, or whether its disk or host is slower.")
