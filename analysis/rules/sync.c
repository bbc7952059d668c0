/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.c - time that goes to fsync and its like. */
#include "config.h"

#include "rules.h"

void iota_rule_sync(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	static const char *const names[] = {"fsync",  "fdatasync",	 "sync",
					    "syncfs", "sync_file_range", "msync"};
	const struct iota_table *calls = iota_table(a, IOTA_BY_CALL);
	struct iota_finding f = {.rule = rule};
	uint64_t total[IOTA_N_COMMON];
	size_t i, j;

	(void)e;
	for (i = 0; i < calls->n; i++) {
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (strcmp(calls->row[i]->name, names[j]))
				continue;
			f.count += calls->row[i]->v[IOTA_F_CALLS];
			f.time += calls->row[i]->v[IOTA_F_SELF];
		}
	}
	iota_total(a, IOTA_BY_CALL, total);
	f.of = total[IOTA_F_SELF];
	if (f.count && f.time >= iota_share(f.of, rule->share))
		iota_finding_add(a, f);
}
