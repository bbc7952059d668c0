/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - requests and completions of asynchronous operations, as text */
#include "config.h"

#include <stdio.h>

#include "../../analysis/analysis.h"
#include "cat.h"

bool iot_text_operation(struct out *o, const struct iotr_call *call)
{
	const char *operation = iota_operation(call);
	uint64_t number = call->value[0].word, flags, eventfd;

	if (!operation || call->value[0].type != IOTR_VAL_WORD)
		return false;
	out_char(o, '#');
	if (number)
		iot_out_unsigned(o, number);
	else
		out_char(o, '?');
	out_char(o, ' ');
	iot_out_c(o, operation, strlen(operation));
	if (call->handle) {
		out_lit(o, ", ");
		iot_text_handle(o, call->handle);
	}
	if (call->has & IOTR_HAS_SIZE && (call->size || call->has & IOTR_HAS_OFFSET)) {
		out_lit(o, ", ");
		iot_out_unsigned(o, call->size);
	}
	if (call->has & IOTR_HAS_OFFSET) {
		out_lit(o, ", offset ");
		out_signed(o, (int64_t)call->offset);
	}
	flags = iota_word(call, IOTR_KIND_IOCBFLAGS) | iota_word(call, IOTR_KIND_SQEFLAGS);
	eventfd = iota_word(call, IOTR_KIND_EVENTFD);
	if (flags) {
		out_lit(o, ", flags ");
		iot_text_hex(o, flags);
	}
	if (eventfd) {
		out_lit(o, ", eventfd ");
		iot_out_unsigned(o, eventfd);
	}
	return true;
}

/* "36 ms", "1.25 us": three digits at least. */
static void out_wait(struct out *o, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	char buf[40];
	double t = (double)ns;
	unsigned i;

	for (i = 0; i < 3 && t >= 1000; i++)
		t /= 1000;
	iot_out_bytes(o, buf, (size_t)snprintf(buf, sizeof(buf), "%.*f %s",
					       i && t < 10 ? 2 : i && t < 100 ? 1 : 0, t, units[i]));
}

/* When it ended: a moment, or between two. */
static void out_since(struct out *o, uint64_t since, uint64_t unsure)
{
	if (unsure && unsure < since) {
		out_wait(o, since - unsure);
		out_lit(o, " to ");
	} else if (unsure) {
		out_lit(o, "up to ");
	}
	out_wait(o, since);
}

bool iot_text_issued(struct out *o, const struct iotr_call *call)
{
	const struct iotr_value *issued = iota_value(call, IOTR_KIND_ISSUED);
	uint64_t since = iota_word(call, IOTR_KIND_SINCE), ended = iota_word(call, IOTR_KIND_ENDED);

	if (!iota_operation(call))
		return false;
	/* a request has no end of its own */
	if (!issued || issued->type != IOTR_VAL_PATH)
		return true;
	out_lit(o, " <");
	if (since) {
		out_since(o, since, iota_word(call, IOTR_KIND_UNSURE));
		out_char(o, ' ');
	}
	out_lit(o, "after ");
	iot_out_c(o, issued->path->name, issued->path->len);
	if (ended) {
		out_lit(o, ", ");
		out_wait(o, ended);
		out_lit(o, " after its end");
	}
	out_char(o, '>');
	return true;
}
