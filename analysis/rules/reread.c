/* SPDX-License-Identifier: BSD-3-Clause */
/* reread.c - bytes that are read more than once. */
#include "config.h"

#include "rules.h"

/* What the program writes again it may well read again. */
static bool is_updated(const struct iota_row *file)
{
	return file->seen[1] && file->v[IOTA_F_WRITTEN] > 2 * file->seen[1]->bytes;
}

uint64_t iota_weigh_reread(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;
	uint64_t read = file->placed, different = file->seen[0] ? file->seen[0]->bytes : 0;

	if (!different || spot->does != IOTA_DOES_READ || !spot->is_syscall || is_updated(file) ||
	    read / rule->factor < different || read - different < rule->size)
		return 0;
	return spot->v[IOTA_S_CALLS];
}

void iota_rule_reread(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);
	const struct iota_row *file = e->group->file;

	f.bytes = file->placed;
	f.of = file->seen[0]->bytes;
	iota_saves_without(&f, (uint64_t)((double)f.calls * (1 - (double)f.of / (double)f.bytes)));
	iota_finding_of_file(a, f);
}
