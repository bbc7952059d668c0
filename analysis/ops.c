/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ops.c - operations that begin in one call and end in another: which of them never
 * ended, and which ended and were never collected by aio_return(3).
 *
 * Those who read thread by thread may see the end of an operation before its
 * beginning.  So both are kept until the other one is seen.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"

int iota_op_by_number(const void *a, const void *b)
{
	const struct iota_op *x = a, *y = b;

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
	const struct iota_op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return iota_op_by_number(a, b);
}

struct iota_op iota_op_of(const struct iotr_call *call, uint64_t number)
{
	const char *operation = iota_operation(call);

	return (struct iota_op){
		.log = call->log,
		.process = call->process,
		.path = call->handle ? call->handle->path : NULL,
		.call = operation ? operation : call->schema->name,
		.family = call->schema->family,
		.number = number,
		.start = call->start,
		.ticks = call->ticks,
		.stack = call->stack,
		.pid = call->pid,
		.offset = call->offset,
		.size = call->has & IOTR_HAS_SIZE ? call->size : 0,
		.has_offset = call->has & IOTR_HAS_OFFSET,
		.has_size = call->has & IOTR_HAS_SIZE,
		.unseen = iota_word(call, IOTR_KIND_UNSEEN) != 0,
	};
}

void *iota_op_other(void **tree, void *half)
{
	const struct iota_op *op = half;
	struct iota_op *there = iota_tree_add(tree, half, iota_op_by_number);

	if (there == op)
		return NULL;
	if (there->begun == op->begun) {
		/* a damaged log may have a number twice; a multishot request of an io_uring ends more than once */
		free(half);
		return NULL;
	}
	tdelete(there, tree, iota_op_by_number);
	return there;
}

/* One half of an operation: the other one is there, or it is kept. */
static void half(void **tree, const struct iotr_call *call, uint64_t number, bool begins, bool wanted)
{
	struct iota_op *op = iota_malloc(sizeof(*op)), *there;

	*op = iota_op_of(call, number);
	op->begun = begins;
	op->wanted = wanted;
	there = iota_op_other(tree, op);
	if (!there)
		return;
	free(op);
	free(there);
}

bool iota_op_begins(const struct iotr_call *call, uint64_t *number)
{
	return call->schema->flags & IOTR_CALL_OPS && iota_param(call, IOTR_KIND_MPIOP, number) && *number;
}

bool iota_op_ends(const struct iotr_call *call, uint64_t *number)
{
	return call->schema->flags & IOTR_CALL_OPS && iota_param(call, IOTR_KIND_MPIDONE, number) && *number;
}

bool iota_op_is_to_be_collected(const struct iotr_call *call)
{
	return iota_value(call, IOTR_KIND_REFUSED) && !iota_word(call, IOTR_KIND_REFUSED);
}

bool iota_op_collected(const struct iotr_call *call, uint64_t *number)
{
	return call->schema->flags & IOTR_CALL_OPS && iota_value(call, IOTR_KIND_TOLD) &&
	       iota_param(call, IOTR_KIND_LONG, number) && *number;
}

void iota_ops_see(struct iota_ops *ops, const struct iotr_call *call, bool wanted)
{
	uint64_t number;

	if (iota_op_begins(call, &number))
		half(&ops->tree, call, number, true, wanted);
	if (iota_op_ends(call, &number)) {
		half(&ops->tree, call, number, false, wanted);
		if (iota_op_is_to_be_collected(call))
			half(&ops->ended, call, number, true, wanted);
	}
	if (iota_op_collected(call, &number))
		half(&ops->ended, call, number, false, wanted);
}

/* Those that have begun and are wanted, by start. */
static struct iota_op *take_all(void **tree, struct iota_op *left, size_t *n)
{
	while (*tree) {
		struct iota_op *op = *(struct iota_op **)*tree;

		tdelete(op, tree, iota_op_by_number);
		if (op->begun && op->wanted) {
			left = iota_grow(left, *n + 1, sizeof(*op));
			left[(*n)++] = *op;
		}
		free(op);
	}
	if (*n)
		qsort(left, *n, sizeof(*left), by_start);
	return left;
}

const struct iota_op *iota_ops_left(struct iota_ops *ops, size_t *n)
{
	ops->left = take_all(&ops->tree, ops->left, &ops->n_left);
	*n = ops->n_left;
	return ops->left;
}

const struct iota_op *iota_ops_uncollected(struct iota_ops *ops, size_t *n)
{
	ops->uncollected = take_all(&ops->ended, ops->uncollected, &ops->n_uncollected);
	*n = ops->n_uncollected;
	return ops->uncollected;
}

void iota_ops_free(struct iota_ops *ops)
{
	tdestroy(ops->tree, free);
	tdestroy(ops->ended, free);
	free(ops->left);
	free(ops->uncollected);
	*ops = (struct iota_ops){0};
}
