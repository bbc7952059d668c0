/* SPDX-License-Identifier: BSD-3-Clause */
/* overwritten.c - bytes that are written again before anybody reads them. */
#include "config.h"

#include "rules.h"

/* Small writes of a flush are for the rule flushed; large ones write all of a block again. */
static bool is_for_another(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (iota_is_flush(spot))
		return iota_spot_v(spot, IOTA_S_SMALL) > iota_spot_v(spot, IOTA_S_CALLS) / 2;
	return spot->file->v[IOTA_F_WRITTEN] / rule->size >= spot->file->v[IOTA_F_WRITES];
}

/* Is most of the file written again? */
static bool is_all(const struct iota_rule *rule, const struct iota_row *file)
{
	uint64_t written = file->placed[1], stay = iota_different(file, 1);

	return stay && written / rule->factor >= stay && file->v[IOTA_F_READ] <= written / 2;
}

/* Or a part of it, such as a head that says how much follows? */
static bool is_part(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_stays(spot) && !iota_waits_for_disk(spot) && iota_spot_mean(spot) < rule->size;
}

uint64_t iota_weigh_overwritten(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (spot->does != IOTA_DOES_WRITE || !spot->is_syscall || is_for_another(rule, spot) ||
	    !(is_all(rule, spot->file) || is_part(rule, spot)))
		return 0;
	return iota_spot_v(spot, IOTA_S_CALLS);
}

void iota_rule_overwritten(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	bool all;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	all = is_all(rule, e->group->file);
	f.bytes = all ? e->group->file->placed[1] : f.bytes;
	f.of = all ? iota_different(e->group->file, 1) : f.bytes / f.calls;
	iota_saves_without(&f, (uint64_t)((double)f.calls * (1 - (double)f.of / (double)f.bytes)));
	iota_finding_of_file(a, f);
}
