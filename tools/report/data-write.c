/* SPDX-License-Identifier: BSD-3-Clause */
/* data-write.c - pieces of JSON that all parts of a page's data have. */
#include "config.h"

#include "../stat/member.h"
#include "data.h"

void data_time(struct out *o, const struct iota_picture *p, uint64_t ns)
{
	iot_out_unsigned(o, ns > p->begin ? ns - p->begin : 0);
}

void data_begin_list(struct out *o, const char *key)
{
	json_key(o, key);
	out_char(o, '[');
}
