/* SPDX-License-Identifier: BSD-3-Clause */
/* flushed.c - streams that are flushed after each record. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_is_flush(spot) && iota_mostly_small(rule, spot) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

LINES(flushed, 110, iota_judge_small, .does = IOTA_THAT(WRITE), .severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "a flush after each record",
	.when = "A line of the program flushes a stream {least} times or more, and at least "
	  "{share} % of the writes that follow move fewer than {size} bytes.",
	.says = "{count} of {of} writes that a flush makes moved less than {size} bytes, "
	  "{bytes} in all",
	.assumes = IOTA_MERGED,
	.remedy = "Leave the flush out, or flush when something must be seen; the stream writes "
	  "when its buffer is full.",
	.remedy_in[IOTA_CXX] = "End lines with a newline character in place of std::endl, and leave std::flush and std::unitbuf out; "
		"the stream writes when its buffer is full.",
	.remedy_in[IOTA_FORTRAN] = "Leave FLUSH out, or have it once for many records; the unit writes when its buffer is "
		"full. INQUIRE, of a unit's SIZE for instance, flushes it, too: count what is written.",
	.remedy_in[IOTA_PYTHON] = "Leave flush() and flush=True out, or flush when something must be seen; the file writes "
		"when its buffer is full.")
