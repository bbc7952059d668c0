/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_seeks.c - streams that are moved in for each little that is read or written. */
#include "config.h"

#include "rules.h"

/* What is beneath may be a finding already, where it is seen. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const struct iota_row *file = spot->file;

	return !spot->counted &&
			       (iota_number(file, IOTA_F_LIB_READ) + iota_number(file, IOTA_F_LIB_WRITTEN)) / rule->size < iota_spot_v(spot, IOTA_S_CALLS)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += iota_count_others(e->group, IOTA_DOES_WRITE);
	iota_saves_without(&f, f.count);
	iota_finding_add(a, f);
}

LINES(stream_seeks, 340, judge, .roles = IOTA_MOVES_STREAM, .severity = IOTA_COST, .least = 1000, .size = 4096,
	.title = "seeks in a stream for little",
	.when = "A line of the program calls fseek(3) or its like {least} times or more, and fewer than {size} "
	  "bytes of the file are read and written for each, and no other finding has these calls.",
	.says = "{count call} of {call}(), for less than {size} bytes each",
	.assumes = "what is read of the file fits into memory",
	.remedy = "Read a large part and go through it in memory: a seek forgets what the stream has read ahead. Count what is "
	  "written, or call ftell() alone: a seek, to the end for instance, writes what the stream has.",
	.remedy_in[IOTA_CXX] = "Read a large part and go through it in memory: seekg() and seekp() forget what the "
		"stream has read ahead, and write what it has.",
	.remedy_in[IOTA_PYTHON] = "Read a large part and go through it in memory: seek() asks the kernel, and forgets what "
		"was read ahead.")
