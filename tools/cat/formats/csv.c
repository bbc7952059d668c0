/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - calls as rows for spreadsheets. */
#include "config.h"

#include "../cat.h"

static void csv_begin(struct out *o, const struct iotr_set *set)
{
	(void)set;
	iot_table_head(o, ',');
}

static void csv_call(struct out *o, const struct iotr_call *call)
{
	static const struct style style = {',', iot_out_csv, iot_out_csv_json};

	iot_table_call(o, call, &style);
}

FORMAT(csv, 30,
	.cannot = CANNOT_STACKS | CANNOT_DIFFER | CANNOT_ABOUT,
	.begin = csv_begin,
	.call = csv_call)
