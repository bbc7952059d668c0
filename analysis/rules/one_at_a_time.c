/* SPDX-License-Identifier: BSD-3-Clause */
/* one_at_a_time.c - requests to the kernel's queues of which there is never more than one. */
#include "config.h"

#include "rules.h"

#define LARGE 1048576 /* bytes: of what requests could ask */

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t alone = iota_spot_v(spot, IOTA_S_ALONE);

	/* how MPI carries out the program's requests is its own business */
	if (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI)
		return 0;
	return alone && alone >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) && iota_spot_mean(spot) < rule->size
		       ? alone
		       : 0;
}

static bool is_of_queue(const struct iota_spot *spot)
{
	const char *call = spot->from->call;

	return !strncmp(call, "io_uring_", 9) || !strcmp(call, "io_submit") || !strcmp(call, "io_getevents");
}

/* What the same function needs to hand its requests to the kernel, which is no call on the file. */
static uint64_t count_queue(const struct iota *a, const struct iota_group *g)
{
	const struct iota_function *f = iota_innermost(g->heaviest->from->chain);
	uint64_t time = 0;
	size_t i;

	for (i = 0; f && i < a->spots.n; i++) {
		struct iota_spot *s = a->spots.spot[i];

		if (iota_innermost(s->from->chain) == f && is_of_queue(s))
			time += iota_spot_count(s);
	}
	return time;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += count_queue(a, e->group);
	iota_saves_merged(a, &f, f.bytes / LARGE + 1);
	iota_finding_add(a, f);
}

LINES(one_at_a_time, 105, judge, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 90, .size = 65536,
	.title = "requests one at a time",
	.when = "A line of the program has {least} or more requests of an io_uring or of io_submit(2) fulfilled, of fewer "
	  "than {size} bytes on average, and while {share} % or more of them were under way there was no other.",
	.says = "{count} of {of} requests, {bytes} in all, were alone",
	.assumes = IOTA_MERGED,
	.remedy = "Submit several requests together, keep some under way, or ask for more bytes with each. A request "
	  "that is waited for at once is no better than pread() or pwrite().")
