/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unseen.c - calls by which the kernel is asked to read and write for the program.  The
 * calls are recorded, what the kernel then does is not: for whoever reads a log this is
 * a gap, which the tools name.
 */
#include "config.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/analysis.h"
#include "tool.h"

struct gap {
	const struct iotr_log *log;
	const char *name;
	uint64_t count;
};

static void *tree; /* of struct gap */

static int by_log(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;
	int order = strcmp(iotr_log_file(x->log), iotr_log_file(y->log));

	return order ? order : strcmp(x->name, y->name);
}

void iot_unseen_see(const struct iotr_call *call)
{
	const char *name = iotr_call_is_any(call) ? iotr_call_syscall(call) : NULL;
	struct gap *gap, **there;

	if (!name || !iota_unseen_begins(name, call->schema->family) || iotr_call_failed(call))
		return;
	gap = malloc(sizeof(*gap));
	if (!gap)
		iot_die("out of memory");
	*gap = (struct gap){.log = call->log, .name = name};
	there = tsearch(gap, &tree, by_log);
	if (!there)
		iot_die("out of memory");
	(*there)->count++;
	if (*there != gap)
		free(gap);
}

static void tell(const void *node, VISIT visit, int depth)
{
	const struct gap *gap = *(const struct gap *const *)node;
	char text[120];

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	snprintf(text, sizeof(text), "%s: %llu %s; what the kernel reads and writes for %s is not recorded",
		 gap->name, (unsigned long long)gap->count, gap->count == 1 ? "call" : "calls",
		 gap->count == 1 ? "it" : "them");
	iot_on_message(NULL, IOTR_NOTE, iotr_log_file(gap->log), text);
}

void iot_unseen_tell(void)
{
	twalk(tree, tell);
	tdestroy(tree, free);
	tree = NULL;
}
