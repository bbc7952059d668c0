/* SPDX-License-Identifier: BSD-3-Clause */
/* line_buffered.c - files and pipes that are written line by line. */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_set_buffering(rule, spot, _IOLBF) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	/* the other side of a talk has to see each line */
	if (!iota_gets_answers(a, e->group->file, e->group->weight))
		iota_judge_small(a, rule, e);
}

LINES(line_buffered, 130, judge, .severity = IOTA_COST, .least = 1000, .share = 50, .size = 4096,
	.title = "a file written line by line",
	.when = "A stream that setvbuf(3) has told to write each line makes {least} or more "
	  "system calls from one line of the program, and at least {share} % of them move "
	  "fewer than {size} bytes; one to a pipe, too, if its process reads few answers.",
	.says = "{count} of {of} writes moved less than {size} bytes, {bytes} in all, a line "
	  "each",
	.assumes = IOTA_MERGED,
	.remedy = "Let the stream write when its buffer is full: setvbuf() with _IOFBF, or none.",
	.remedy_in[IOTA_PYTHON] = "Let the file write when its buffer is full: no buffering=1, and no flush=True.")
