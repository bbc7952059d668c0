/* SPDX-License-Identifier: BSD-3-Clause */
/* costly.c - a line with most of the calls that cost time, where no other rule knows why. */
#include "config.h"

#include "rules.h"

/* Not what waits for others: that is no I/O. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_regular(spot->file) && spot->does != IOTA_DOES_WAIT && spot->does != IOTA_DOES_START && spot->does != IOTA_DOES_FAULT
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static uint64_t system_calls(const struct iota_group *g)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		n += g->spot[i]->is_syscall ? iota_spot_v(g->spot[i], IOTA_S_CALLS) : 0;
	return n;
}

static bool is_known(const struct iota *a, const struct iota_rule *rule)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++)
		if (a->findings[i].rule->severity != IOTA_INFO && a->findings[i].rule != rule)
			return true;
	return false;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	uint64_t total[IOTA_N_COMMON], n = system_calls(g), time = g->v[IOTA_S_TIME];
	struct iota_finding f;

	if (n < rule->least || n / rule->factor < g->files || g->v[IOTA_S_BYTES] / n >= rule->size || is_known(a, rule))
		return;
	iota_total(a, IOTA_BY_CALL, total);
	if (time < iota_share(total[IOTA_F_IO], rule->share) || time < a->run_time / rule->share)
		return;
	f = iota_about_group(rule, g);
	f.count = n;
	f.of = total[IOTA_F_IO];
	iota_saves_without(&f, f.calls / 2);
	f.saves[0] = 0;
	iota_finding_add(a, f);
}

LINES(costly, 405, judge, .repeats = true, .severity = IOTA_COST, .least = 200, .share = 20, .factor = 10, .size = 2048,
	.title = "a line with most of the time",
	.when = "No rule about lines has found anything, and a line of the program makes {least} calls or more on files, "
	  "{factor} or more for each file, that move fewer than {size} bytes each, and take {share} % or more "
	  "of the time of all I/O, and one part in {share} of the run.",
	.says = "{count call} moved {bytes}, and took {percent} % of the time of all I/O",
	.assumes = "half of them can be left out",
	.remedy = "See whether each tells the program something new, or moves as much as it could: iotrace-stat --file, with "
	  "the name of the file, says what these calls are.")
