/* SPDX-License-Identifier: BSD-3-Clause */
/* small_copies.c - copies within the kernel that move little, and many of them. */
#include "config.h"

#include "rules.h"

/* They need no memory of the program's: nothing is a reason for small ones. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && iota_regular(spot->file) && iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	iota_saves_merged(a, &f, f.bytes / (16 * rule->size) + f.files);
	iota_finding_add(a, f);
}

LINES(small_copies, 235, judge, .does = IOTA_THAT(COPY), .repeats = true, .severity = IOTA_COST, .least = 1000, .size = 65536,
	.title = "small copies within the kernel",
	.when = "A line of the program calls sendfile(2), copy_file_range(2) or splice(2) from a file {least} times or more, "
	  "and each moves fewer than {size} bytes on average.",
	.says = "{count call} of {call}(), {bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Copy as much as there is by one call: it needs no memory of the program's.")
