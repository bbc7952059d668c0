/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ops.c - operations that begin in one call and end in another: which of them never
 * ended.
 *
 * Those who read thread by thread may see the end of an operation before its
 * beginning.  So both are kept until the other one is seen.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static void *tree;		/* of struct op */
static struct op *left;		/* what it has in the end */
static size_t n_left;

static int by_number(const void *a, const void *b)
{
	const struct op *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->family, y->family);
}

static int by_start(const void *a, const void *b)
{
	const struct op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return by_number(a, b);
}

/* Value of the parameter of that kind; 0: there is none. */
static uint64_t number_of(const struct iotr_call *call, enum iotr_kind kind)
{
	const struct iotr_schema *s = call->schema;

	for (unsigned i = 0; i < s->n_params; i++)
		if (s->param[i].kind == kind)
			return call->value[i].type == IOTR_VAL_WORD ? call->value[i].word : 0;
	return 0;
}

/* One half of an operation: the other one is there, or it is kept. */
static void half(const struct iotr_call *call, uint64_t number, bool begins, bool wanted)
{
	struct op *op = malloc(sizeof(*op)), **there;

	if (!op)
		iot_die("out of memory");
	*op = (struct op){
		.log = call->log,
		.process = call->process,
		.path = call->handle ? call->handle->path : NULL,
		.call = call->schema->name,
		.family = call->schema->family,
		.number = number,
		.start = call->start,
		.offset = call->offset,
		.size = call->has & IOT_HAS_SIZE ? call->size : 0,
		.has_offset = call->has & IOT_HAS_OFFSET,
		.has_size = call->has & IOT_HAS_SIZE,
		.begun = begins,
		.wanted = wanted,
	};
	there = tsearch(op, &tree, by_number);
	if (!there)
		iot_die("out of memory");
	if (*there == op)
		return;
	free(op);
	op = *there;
	if (op->begun == begins)
		return;
	tdelete(op, &tree, by_number);
	free(op);
}

void iot_ops_see(const struct iotr_call *call, bool wanted)
{
	uint64_t number;

	if (!(call->schema->flags & IOTR_CALL_OPS))
		return;
	number = number_of(call, IOTR_KIND_MPIOP);
	if (number)
		half(call, number, true, wanted);
	number = number_of(call, IOTR_KIND_MPIDONE);
	if (number)
		half(call, number, false, wanted);
}

static void keep(void *p)
{
	struct op *op = p;

	if (op->begun && op->wanted) {
		left = reallocarray(left, n_left + 1, sizeof(*left));
		if (!left)
			iot_die("out of memory");
		left[n_left++] = *op;
	}
	free(op);
}

const struct op *iot_ops_left(size_t *n)
{
	tdestroy(tree, keep);
	tree = NULL;
	if (n_left)
		qsort(left, n_left, sizeof(*left), by_start);
	*n = n_left;
	return left;
}
