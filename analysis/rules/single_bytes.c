/* SPDX-License-Identifier: BSD-3-Clause */
/* single_bytes.c - one byte a call. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_single(rule, spot);
}

LINES(single_bytes, 140, iota_judge_small, .repeats = true, .severity = IOTA_COST, .least = 1000, .share = 50,
	.title = "single bytes",
	.when = "A line of the program makes {least} or more system calls that move a single "
	  "byte, and these are at least {share} % of its calls on the file.",
	.says = "{count} of {of} calls moved a single byte",
	.assumes = IOTA_MERGED,
	.remedy = "Read a block and take bytes out of it, or use a stream: getc(), putc().")
