/* SPDX-License-Identifier: BSD-3-Clause */
/* many_files.c - a file for everything. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_many_files(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *of_file = spot->file->v;

	return spot->v[IOTA_S_OPENED] && of_file[IOTA_F_OPENS] <= rule->factor &&
			       of_file[IOTA_F_READ] + of_file[IOTA_F_WRITTEN] < rule->size &&
			       iota_regular(spot->file) && iota_closed(spot->file)
		       ? spot->v[IOTA_S_OPENED]
		       : 0;
}

void iota_rule_many_files(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->files < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.time += iota_count_others(e->group, IOTA_DOES_CLOSE);
	iota_saves_without(&f, f.count - 1);
	iota_finding_add(a, f);
}
