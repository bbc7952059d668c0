/* SPDX-License-Identifier: BSD-3-Clause */
/* minor.c - what costs next to nothing is one finding, and not one each. */
#include "config.h"

#include "rules.h"

/* Little beside other I/O, or beside the run: a log of a service that lives for days has many lines. */
static bool is_little(const struct iota *a, const struct iota_rule *rule, uint64_t time, uint64_t share)
{
	return (time < rule->time && time < share) || time < a->run_time / rule->factor;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = {.rule = rule};
	uint64_t total[IOTA_N_COMMON], share;
	size_t i, n = 0;

	(void)e;
	iota_total(a, IOTA_BY_CALL, total);
	share = iota_share(total[IOTA_F_IO], rule->share);
	for (i = 0; i < a->n_findings; i++) {
		const struct iota_finding *each = &a->findings[i];

		if (each->rule->severity != IOTA_COST || !is_little(a, rule, each->time, share)) {
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

RULE(minor, 450, judge, .severity = IOTA_INFO, .over = IOTA_OVER_FINDINGS, .share = 1,
	.factor = 10000, .time = 1000000,
	.title = "what costs next to nothing",
	.when = "Other findings took less than {share} % of the time of all I/O each, and less than "
	  "{time}; or less than one part in {factor} of the time of the run. Text has their sum alone; JSON and pages have each, too.",
	.says = "{count finding} of little time",
	.remedy = "--rule=minor=off prints them one by one.")
