/* SPDX-License-Identifier: BSD-3-Clause */
/* left.c - asynchronous operations that were never completed or collected, or were not seen to be */
#include "config.h"

#include <stdio.h>

#include "../../analysis/analysis.h"
#include "cat.h"

#define MOST_LISTED 10

static bool is_seen(const struct iota_op *op)
{
	return !op->unseen;
}

static bool is_unseen(const struct iota_op *op)
{
	return op->unseen;
}

static bool is_any(const struct iota_op *op)
{
	(void)op;
	return true;
}

/* The first operations that are so, and how many more. */
static void list_ops(const struct iota_op *op, size_t n, bool (*is)(const struct iota_op *), const char *are)
{
	size_t i, listed = 0, more = 0;

	for (i = 0; i < n; i++, op++) {
		char text[600], size[40] = "", at[40] = "";

		if (!is(op))
			continue;
		if (listed == MOST_LISTED) {
			more++;
			continue;
		}
		listed++;
		if (op->has_size)
			snprintf(size, sizeof(size), " of %llu bytes", (unsigned long long)op->size);
		if (op->has_offset)
			snprintf(at, sizeof(at), " at offset %llu", (unsigned long long)op->offset);
		snprintf(text, sizeof(text), "%s: operation %llu, %s%s%s%s%.400s", are,
			 (unsigned long long)op->number, op->call, size, at,
			 op->path ? " of " : "", op->path ? op->path->name : "");
		iot_on_message(NULL, IOTR_NOTE, iotr_log_file(op->log), text);
	}
	if (more) {
		char text[100];

		snprintf(text, sizeof(text), "%s: %zu more operations; iotrace-stat --file=NAME lists those of a file",
			 are, more);
		iot_on_message(NULL, IOTR_NOTE, NULL, text);
	}
}

void iot_list_operations(struct iota_ops *ops)
{
	const struct iota_op *op;
	size_t n;

	op = iota_ops_left(ops, &n);
	list_ops(op, n, is_seen, "never completed");
	list_ops(op, n, is_unseen, "not seen to complete");
	op = iota_ops_uncollected(ops, &n);
	list_ops(op, n, is_any, "never collected");
}
