/* SPDX-License-Identifier: BSD-3-Clause */
/* minor.c - what costs next to nothing is one finding, and not one each. */
#include "config.h"

#include "rules.h"

#define MANY 20 /* percent */

/* However long other calls took, on a machine that others use as well: many of the calls that the program makes are its. */
static bool are_many(const struct iota_rule *rule, uint64_t calls, uint64_t all)
{
	return calls >= rule->least && calls >= iota_share(all, MANY);
}

/* Little beside other I/O, or beside the run: a log of a service that lives for days has many lines. */
static bool is_little(const struct iota *a, const struct iota_rule *rule, const struct iota_finding *f, const uint64_t *total)
{
	return (f->time < rule->time && f->time < iota_share(total[IOTA_F_IO], rule->share) &&
		!are_many(rule, f->calls, total[IOTA_F_SYSCALLS])) ||
	       f->time < a->run_time / rule->factor;
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

RULE(minor, 450, judge, .severity = IOTA_INFO, .over = IOTA_OVER_FINDINGS, .least = 1000, .share = 1,
	.factor = 10000, .time = 1000000,
	.title = "what costs next to nothing",
	.when = "Other findings took less than {share} % of the time of all I/O each, and less than "
	  "{time}, and have fewer than {least} calls or fewer than a fifth of all system calls; or "
	  "less than one part in {factor} of the time of the run. Text has their sum alone; JSON and pages have each, too.",
	.says = "{count finding} of little time",
	.remedy = "--rule=minor=off prints them one by one.")
