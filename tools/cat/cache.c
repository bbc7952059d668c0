/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c - what IOTRACE_CACHE tells of the page cache, as text and as JSON. */
#include "config.h"

#include "cat.h"

#define ALL (IOTR_HAS_CACHED | IOTR_HAS_FETCHED | IOTR_HAS_DIRTIED)

void iot_text_cache(struct out *o, const struct iotr_call *call)
{
	const char *before = " <";

	if (!(call->has & ALL))
		return;
	if (call->has & IOTR_HAS_CACHED) {
		out_str(o, before);
		out_lit(o, "cached ");
		iot_out_unsigned(o, call->cached);
		before = ", ";
	}
	if (call->has & IOTR_HAS_FETCHED) {
		out_str(o, before);
		out_lit(o, "fetched ");
		iot_out_unsigned(o, call->fetched);
		before = ", ";
	}
	if (call->has & IOTR_HAS_DIRTIED) {
		out_str(o, before);
		out_lit(o, "dirtied ");
		iot_out_unsigned(o, call->dirtied);
	}
	out_char(o, '>');
}

void iot_json_cache(struct out *o, const struct iotr_call *call)
{
	if (call->has & IOTR_HAS_CACHED) {
		out_lit(o, ",\"cached\":");
		iot_out_unsigned(o, call->cached);
	}
	if (call->has & IOTR_HAS_FETCHED) {
		out_lit(o, ",\"fetched\":");
		iot_out_unsigned(o, call->fetched);
	}
	if (call->has & IOTR_HAS_DIRTIED) {
		out_lit(o, ",\"dirtied\":");
		iot_out_unsigned(o, call->dirtied);
	}
}
