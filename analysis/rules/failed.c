/* SPDX-License-Identifier: BSD-3-Clause */
/* failed.c - calls that fail again and again. */
#include "config.h"

#include <sys/stat.h>

#include "rules.h"

/* What libc asks for a file is seen where the program asks libc; whom it connects to is not: syslog(3). */
static bool is_seen_above(const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_BENEATH) && !S_ISSOCK(spot->file->mode);
}

/* That a file is not there, one call has to find out. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t errors = iota_spot_v(spot, IOTA_S_ERRORS);

	if (spot->counted || is_seen_above(spot) || (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI) ||
	    errors < iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share))
		return 0;
	return S_ISSOCK(spot->file->mode) ? errors : errors - (iota_spot_v(spot, IOTA_S_MISSING) > 0);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	if (S_ISSOCK(e->group->file->mode) && e->group->files > 1)
		f.name = NULL; /* each was another one */
	f.count = e->group->v[IOTA_S_ERRORS];
	iota_saves_without(&f, e->group->weight);
	iota_finding_add(a, f);
}

LINES(failed, 270, judge, .sockets = true, .severity = IOTA_COST, .least = 10, .share = 50,
	.title = "calls that fail",
	.when = "{least} or more calls from a line of the program, and at least {share} % of "
	  "them, failed. The first call that does not find a file does not count.",
	.says = "{count} of {of} calls of {call}() failed",
	.assumes = "the program can know that they will fail",
	.remedy = "Remember what is not there, or what can't be done, instead of trying again. Of connect(): is the "
	  "service there? syslog() connects for each message if there is none.",
	.remedy_in[IOTA_FORTRAN] = "INQUIRE once whether it is there, and keep the answer, instead of trying again.")
