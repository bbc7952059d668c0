/* SPDX-License-Identifier: BSD-3-Clause */
/* piped.c - little in each turn through a pipe. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

uint64_t iota_weigh_piped(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_READ && spot->is_syscall && S_ISFIFO(spot->file->mode) &&
			       spot->v[IOTA_S_BYTES] / spot->v[IOTA_S_CALLS] < rule->size
		       ? spot->v[IOTA_S_CALLS]
		       : 0;
}

void iota_rule_piped(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_merged(a, &f, f.calls / 10);
	iota_finding_add(a, f);
}
