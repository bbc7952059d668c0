/* SPDX-License-Identifier: BSD-3-Clause */
/* tsv.c - calls as rows between tabs, for cut, sort, databases and clipboards. */
#include "config.h"

#include "../cat.h"

/* As COPY of PostgreSQL and mlr --tsv read it: a field has no tab and no line end.  Both,
   and the backslash, have a backslash before them; other controls are \ooo. */
static void tsv_text(struct out *o, const char *s, size_t n)
{
	iot_out_escaped(o, s, n, "\\\\\nn\tt\rr");
}

static void tsv_begin(struct out *o, const struct iotr_set *set)
{
	(void)set;
	iot_table_head(o, '\t');
}

static void tsv_call(struct out *o, const struct iotr_call *call)
{
	static const struct style style = {'\t', tsv_text, tsv_text};

	iot_table_call(o, call, &style);
}

FORMAT(tsv, 40,
	.cannot = CANNOT_STACKS | CANNOT_DIFFER | CANNOT_ABOUT,
	.begin = tsv_begin,
	.call = tsv_call)
