/* SPDX-License-Identifier: BSD-3-Clause */
/* as_text.c - arrays of numbers that Fortran statements write and read as text: what takes time is the conversion. */
#include "config.h"

#include "rules.h"

/* A statement is formatted if it is not unformatted. */
static bool is_formatted(const struct iota_spot *spot)
{
	return iota_names_statement(spot->from->call) && !spot->counted && iota_spot_v(spot, IOTA_S_BYTES) &&
	       !iota_spot_v(spot, IOTA_S_RAW);
}

/* How input is laid out that others wrote, item by item, the program can't choose. */
static bool is_chosen(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_WRITE || iota_moved(spot->file, 1) || iota_spot_mean(spot) >= rule->size;
}

/* A format may be for words, which are copied.  Numbers take longer. */
static bool converts(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_spot_mean(spot) >= rule->size &&
	       iota_spot_v(spot, IOTA_S_TIME) / rule->factor >= iota_spot_v(spot, IOTA_S_BYTES);
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	bool list = iota_spot_v(spot, IOTA_S_LIST) == iota_spot_v(spot, IOTA_S_CALLS);

	return is_formatted(spot) && (list ? is_chosen(rule, spot) : converts(rule, spot)) ? iota_spot_v(spot, IOTA_S_BYTES) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->v[IOTA_S_TIME] / iota_threads(g->v) < iota_share(a->run_time, rule->share))
		return;
	f = iota_about_group(rule, g);
	f.count = f.calls;
	f.saves[1] = f.time;
	f.saves[0] = f.time / 10 * 7;
	iota_finding_add(a, f);
}

LINES(as_text, 155, judge, .does = IOTA_THAT(READ) | IOTA_THAT(WRITE), .severity = IOTA_COST, .least = 1000000, .size = 1024, .share = 10,
	.factor = 8,
	.title = "numbers as text",
	.when = "A line of a Fortran program executes list-directed or formatted READ or WRITE statements of {least} bytes or more in "
	  "all, whose own time, without that of system calls, is {share} % of the run or more. Statements with a "
	  "format count if they move {size} bytes or more on average, and take {factor} ns or more for each. Of a file that "
	  "the job has not written, list-directed READ statements count if they read {size} bytes or more on average.",
	.says = "{count statement} moved {bytes}, between text and numbers",
	.assumes = "nearly all of that time is the conversion",
	.remedy = "FORM='UNFORMATTED' for what programs alone read, as a restart file: it keeps all bits of a number. Convert input that comes "
	  "as text once, and keep the unformatted copy.")
