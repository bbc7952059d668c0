/* SPDX-License-Identifier: BSD-3-Clause */
/* restreamed.c - streams that are made of an open file for each record. */
#include "config.h"

#include "rules.h"

static bool makes_stream(const char *call)
{
	return !strcmp(call, "fdopen");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);

	return iota_regular(spot->file) && calls >= rule->least ? calls : 0;
}

/* All that is done to the file is done by these streams, each of which is flushed when it is closed. */
static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f = iota_about_group(rule, e->group);

	f.time += iota_count_all(e->group);
	iota_saves_without(&f, f.count - f.files);
	iota_finding_add(a, f);
}

LINES(restreamed, 21, judge, .calls = makes_stream, .severity = IOTA_COST, .least = 100,
	.title = "a stream made again and again",
	.when = "A line of the program makes streams of an open file, {least} times or more: fdopen(3). What is done to the file counts, too: "
	  "such a stream moves little.",
	.says = "{count stream} of a file that is open",
	.assumes = "one would do",
	.remedy = "Make the stream once, and close it at the end: what is written is collected in its buffer.")
