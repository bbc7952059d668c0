/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.c - fsync() and its like after little. */
#include "config.h"

#include "rules.h"

/* One by which MPI syncs for the program is the same sync, and knows how long that took. */
static bool is_beneath(const struct iota_spot *spot)
{
	const struct iota_spot *s;

	for (s = spot->file->spots; s && !spot->is_syscall; s = s->next_of_file)
		if (s->does == IOTA_DOES_SYNC && s->v[IOTA_S_BENEATH] && !iota_chain_compare(s->chain, spot->chain))
			return true;
	return false;
}

uint64_t iota_weigh_sync(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *of_file = spot->file->v;

	if (iota_waits_for_disk(spot))
		return spot->v[IOTA_S_BYTES] / spot->v[IOTA_S_CALLS] < rule->size ? spot->v[IOTA_S_CALLS] : 0;
	return spot->does == IOTA_DOES_SYNC && !is_beneath(spot) && of_file[IOTA_F_SYNCS] &&
			       of_file[IOTA_F_WRITTEN] / of_file[IOTA_F_SYNCS] < rule->size
		       ? spot->v[IOTA_S_CALLS]
		       : 0;
}

void iota_rule_sync(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.bytes = e->group->file->v[IOTA_F_WRITTEN];
	iota_saves_without(&f, f.calls - (f.calls + rule->factor - 1) / rule->factor);
	iota_finding_add(a, f);
}
