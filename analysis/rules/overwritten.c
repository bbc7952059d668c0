/* SPDX-License-Identifier: BSD-3-Clause */
/* overwritten.c - bytes that are written again before anybody reads them. */
#include "config.h"

#include "rules.h"

/* Small writes of a flush are for the rule flushed; large ones write all of a block again. */
static bool is_for_another(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (iota_is_flush(spot))
		return spot->v[IOTA_S_SMALL] > spot->v[IOTA_S_CALLS] / 2;
	return spot->file->v[IOTA_F_WRITTEN] / spot->file->v[IOTA_F_WRITES] >= rule->size;
}

uint64_t iota_weigh_overwritten(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t written = file->v[IOTA_F_WRITTEN], stay = file->seen[1] ? file->seen[1]->bytes : 0;

	if (!stay || spot->does != IOTA_DOES_WRITE || !spot->is_syscall ||
	    written / rule->factor < stay || file->v[IOTA_F_READ] > written / 2 ||
	    is_for_another(rule, spot))
		return 0;
	return spot->v[IOTA_S_CALLS];
}

void iota_rule_overwritten(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.bytes = e->group->file->v[IOTA_F_WRITTEN];
	f.of = e->group->file->seen[1]->bytes;
	iota_saves_without(&f, (uint64_t)((double)f.calls * (1 - (double)f.of / (double)f.bytes)));
	iota_finding_of_file(a, f);
}
