/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - requests and completions of asynchronous operations, as text; and those of which
   there should be more. */
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
	flags = iota_word(call, "flags");
	eventfd = iota_word(call, "eventfd");
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
	const struct iotr_schema *s = call->schema;
	uint64_t since = iota_word(call, "since"), ended = iota_word(call, "ended");
	unsigned i;

	if (!iota_operation(call))
		return false;
	for (i = 0; i < s->n_params && s->param[i].kind != IOTR_KIND_ISSUED; i++)
		;
	/* a request has no end of its own */
	if (i == s->n_params || call->value[i].type != IOTR_VAL_PATH)
		return true;
	out_lit(o, " <");
	if (since) {
		out_since(o, since, iota_word(call, "unsure"));
		out_char(o, ' ');
	}
	out_lit(o, "after ");
	iot_out_c(o, call->value[i].path->name, call->value[i].path->len);
	if (ended) {
		out_lit(o, ", ");
		out_wait(o, ended);
		out_lit(o, " after its end");
	}
	out_char(o, '>');
	return true;
}

#define MOST_LISTED 10

/* The first operations of which something never happened, and how many more. */
static void list_ops(const struct iota_op *op, size_t n, const char *never)
{
	size_t i;

	for (i = 0; i < n && i < MOST_LISTED; i++, op++) {
		char text[600], size[40] = "", at[40] = "";

		if (op->has_size)
			snprintf(size, sizeof(size), " of %llu bytes", (unsigned long long)op->size);
		if (op->has_offset)
			snprintf(at, sizeof(at), " at offset %llu", (unsigned long long)op->offset);
		snprintf(text, sizeof(text), "never %s: operation %llu, %s%s%s%s%.400s", never,
			 (unsigned long long)op->number, op->call, size, at,
			 op->path ? " of " : "", op->path ? op->path->name : "");
		iot_on_message(NULL, IOTR_NOTE, iotr_log_file(op->log), text);
	}
	if (i < n) {
		char text[100];

		snprintf(text, sizeof(text), "never %s: %zu more operations; iotrace-stat --file=NAME lists those of a file",
			 never, n - i);
		iot_on_message(NULL, IOTR_NOTE, NULL, text);
	}
}

void iot_list_operations(struct iota_ops *ops)
{
	const struct iota_op *op;
	size_t n;

	op = iota_ops_left(ops, &n);
	list_ops(op, n, "completed");
	op = iota_ops_uncollected(ops, &n);
	list_ops(op, n, "collected");
}
