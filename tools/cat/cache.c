/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c - what IOTRACE_CACHE tells of the page cache, as text and as JSON. */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "cat.h"

static const struct {
	unsigned has; /* the bit that says that the call tells of it */
	const char *name;
	size_t at; /* in struct iotr_call: bytes, a uint64_t */
} figures[] = {
	{IOTR_HAS_CACHED, "cached", offsetof(struct iotr_call, cached)},
	{IOTR_HAS_FETCHED, "fetched", offsetof(struct iotr_call, fetched)},
	{IOTR_HAS_DIRTIED, "dirtied", offsetof(struct iotr_call, dirtied)},
};

/* Each that the call has, behind a text: before the first one, and before others. */
static bool out_figures(struct out *o, const struct iotr_call *call, const char *first, const char *others,
			const char *behind)
{
	bool any = false;
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (!(call->has & figures[i].has))
			continue;
		out_str(o, any ? others : first);
		out_str(o, figures[i].name);
		out_str(o, behind);
		memcpy(&bytes, (const char *)call + figures[i].at, sizeof(bytes));
		iot_out_unsigned(o, bytes);
		any = true;
	}
	return any;
}

void iot_text_cache(struct out *o, const struct iotr_call *call)
{
	if (out_figures(o, call, " <", ", ", " "))
		out_char(o, '>');
}

void iot_json_cache(struct out *o, const struct iotr_call *call)
{
	out_figures(o, call, ",\"", ",\"", "\":");
}
