/* SPDX-License-Identifier: BSD-3-Clause */
/* paged.c - mapped files whose pages come from the disk one by one, since the program has turned reading ahead off. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return spot->file->traits & IOTA_TRAIT_PAGED && iota_regular(spot->file) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* For how long its only thread was in no call and on no processor, ns. */
static uint64_t waited(const struct iota_row *process)
{
	uint64_t known = process->v[IOTA_F_WORKED] + process->v[IOTA_F_SELF];

	return process->v[IOTA_F_THREADS] == 1 && process->v[IOTA_F_LIVED] > known ? process->v[IOTA_F_LIVED] - known : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_row *process = iota_process(a, e->group->file->opener);
	struct iota_finding f;

	if (!process || process->v[IOTA_F_PAGED] < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.count = process->v[IOTA_F_PAGED];
	f.time = f.saves[1] = waited(process);
	f.saves[0] = 0;
	if (f.time < iota_share(process->v[IOTA_F_LIVED], rule->share))
		return;
	iota_finding_add(a, f);
}

LINES(paged, 315, judge, .roles = IOTA_ADVISES_PAGES, .light = true, .severity = IOTA_COST, .least = 1000, .share = 10,
	.title = "mapped pages that come one by one",
	.when = "A line of the program says MADV_RANDOM of a mapped file, by which each page that is not in memory is read by "
	  "itself when it is touched. {least} page faults or more of the process waited for a device, most likely these, and "
	  "its only thread was in no call and on no processor for {share} % of its time or more: that is counted.",
	.says = "{count} page faults waited for a device, most likely of this file: of MADV_RANDOM each reads one page",
	.assumes = "all of that time the thread waited for pages, and not for a processor",
	.remedy = "If much of the file is needed, read it in large parts, or have it read at once: MADV_WILLNEED, or mmap() with "
	  "MAP_POPULATE. If not, touch pages in the order of the file, and leave MADV_RANDOM out. "
	  "IOTRACE_FAULTS=1 shows which lines touch them.")
