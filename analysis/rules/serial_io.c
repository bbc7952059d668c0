/* SPDX-License-Identifier: BSD-3-Clause */
/* serial_io.c - one rank of several, or one thread, that reads or writes for all. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_serial_io(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_by_one(rule, spot, 0) + iota_by_one(rule, spot, 1);
}

/* Others are not computing meanwhile for more than half of the time, even if they compute at no other. */
static void judge_threads(struct iota *a, const struct iota_rule *rule, const struct iota_group *g, unsigned direction)
{
	uint64_t user, of = iota_team_of(a, rule, g->file, direction, &user);
	struct iota_finding f;

	if (!of || g->v[IOTA_S_TIME] / 2 < user)
		return;
	f = iota_about_group(rule, g);
	f.of = of;
	f.saves[1] = (f.time > user ? f.time - user : 0) / of * (of - 1);
	iota_finding_add(a, f);
}

void iota_rule_serial_io(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	unsigned direction = g->heaviest->does == IOTA_DOES_WRITE;
	struct iota_finding f;

	if (!iota_moves_alone(a, rule, g->file, direction)) {
		judge_threads(a, rule, g, direction);
		return;
	}
	/* what all need one may as well read */
	if (!direction && iota_handed_out(a) != IOTA_HANDED_IN_PARTS)
		return;
	f = iota_about_group(rule, g);
	f.of = iota_ranks_beside(a, g->file->mover[direction]);
	iota_saves_without(&f, f.calls - (f.calls + f.of - 1) / f.of);
	if (!f.saves[0] && f.calls < f.of) /* few calls, which would be split */
		f.saves[1] = f.time / f.of * (f.of - 1);
	iota_finding_add(a, f);
}
