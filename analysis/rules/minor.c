/* SPDX-License-Identifier: BSD-3-Clause */
/* minor.c - what costs next to nothing is one finding, and not one each. */
#include "config.h"

#include "rules.h"

#define MANY 24 /* percent: a quarter, but for calls by which a run begins and ends */
#define FEW 100 /* calls, of which the longest may be what is repeated */

/* However long other calls took, on a machine that others use as well: many of the calls that the program makes are its. */
static bool are_many(const struct iota_rule *rule, uint64_t calls, uint64_t all)
{
	return calls >= rule->least && calls >= iota_share(all, MANY);
}

/* One call may have stood still, where others had the processor. */
static uint64_t repeated(const struct iota_finding *f)
{
	return f->calls < FEW || f->longest > f->time ? f->time : f->time - f->longest;
}

/* Little beside other I/O and beside the run; or beside the run alone, if that is very long or the time very short: a
   log of a service that lives for days has many lines. */
static bool is_little(const struct iota *a, const struct iota_rule *rule, const struct iota_finding *f, const uint64_t *total)
{
	uint64_t time = repeated(f), io = total[IOTA_F_IO];
	bool is_short = time < rule->time, of_run = time < a->run_time / 100 * rule->share / 2;

	if (time < a->run_time / rule->factor)
		return true;
	return !are_many(rule, f->calls, total[IOTA_F_SYSCALLS]) &&
	       ((is_short && (of_run || time < iota_share(io, 5 * rule->share))) ||
		(of_run && time < iota_share(io, 10 * rule->share)));
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = {.rule = rule};
	uint64_t total[IOTA_N_COMMON];
	size_t i, n = 0;

	(void)e;
	iota_total(a, IOTA_BY_CALL, total);
	for (i = 0; i < a->n_findings; i++) {
		const struct iota_finding *each = &a->findings[i];

		if (each->rule->severity != IOTA_COST || !is_little(a, rule, each, total)) {
			a->findings[n++] = *each;
			continue;
		}
		a->added_up = iota_grow(a->added_up, f.count + 1, sizeof(*a->added_up));
		a->added_up[f.count++] = *each;
		f.time += each->time;
	}
	a->n_findings = n;
	f.added_up = a->added_up;
	if (f.count)
		iota_finding_add(a, f);
}

RULE(minor, 450, judge, .severity = IOTA_INFO, .over = IOTA_OVER_FINDINGS, .least = 500, .share = 1,
	.factor = 10000, .time = 1000000,
	.title = "what costs next to nothing",
	.when = "Other findings have fewer than {least} calls or less than a quarter of all system calls, and took little: "
	  "less than {time} each and less than five times {share} % of the time of all I/O; or less than half of {share} % of the "
	  "time of the run, and less than {time} or than ten times {share} % of the time of all I/O. Or they "
	  "took less than one part in {factor} of the time of the run. Of 100 calls or more the longest does not count, "
	  "which may have stood still. Text has their sum alone; JSON and pages have each, too.",
	.says = "{count finding} of little time",
	.remedy = "--rule=minor=off prints them one by one.")
