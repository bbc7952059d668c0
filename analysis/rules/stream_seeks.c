/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_seeks.c - streams that are moved in for each little that is read or written. */
#include "config.h"

#include "rules.h"

static bool moves_stream(const char *call)
{
	return !strncmp(call, "fseek", 5) || !strncmp(call, "fsetpos", 7) || !strcmp(call, "rewind");
}

/* What is beneath may be a finding already, where it is seen. */
uint64_t iota_weigh_stream_seeks(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *v = spot->file->v;

	return moves_stream(spot->call) && !spot->counted &&
			       (v[IOTA_F_LIB_READ] + v[IOTA_F_LIB_WRITTEN]) / rule->size < iota_spot_v(spot, IOTA_S_CALLS)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

void iota_rule_stream_seeks(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, 0);
}
