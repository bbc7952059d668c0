/* SPDX-License-Identifier: BSD-3-Clause */
/* rewritten.c - large blocks that are written again and again where they were. */
#include "config.h"

#include "rules.h"

/* How often each byte was moved in that direction, on average. */
static uint64_t times(const struct iota_row *file, unsigned direction)
{
	uint64_t different = iota_different(file, direction);

	return different ? file->placed[direction] / different : 0;
}

/* A program that syncs what it has written wants it to outlast a crash. */
static bool is_durable(const struct iota_spot *spot)
{
	return iota_waits_for_disk(spot) || 2 * spot->file->v[IOTA_F_SYNCS] >= iota_spot_v(spot, IOTA_S_CALLS);
}

/* All of the file, or a part of it that the line always begins with. */
static bool is_again(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return times(spot->file, 1) >= rule->factor ||
	       (iota_stays(spot) && iota_spot_v(spot, IOTA_S_CALLS) >= rule->factor);
}

uint64_t iota_weigh_rewritten(const struct iota_rule *rule, const struct iota_spot *spot)
{
	if (spot->does != IOTA_DOES_WRITE || !spot->is_syscall || !iota_regular(spot->file) ||
	    iota_spot_mean(spot) < rule->size || is_durable(spot))
		return 0;
	return is_again(rule, spot) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* What is read as often is read for the sake of the writes: a block that was changed in part. */
void iota_rule_rewritten(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *file = e->group->file;
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.of = times(file, 1) >= rule->factor ? iota_different(file, 1) : f.bytes / f.calls;
	if (times(file, 0) >= rule->factor)
		f.time += iota_count_others(e->group, IOTA_DOES_READ);
	iota_saves_without(&f, (uint64_t)((double)f.calls * (1 - (double)f.of / (double)f.bytes)));
	iota_finding_of_file(a, f);
}
