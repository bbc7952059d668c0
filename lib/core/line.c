/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.c - operations of one queue in the order in which they came: line.h.
 *
 * Only a process without other threads puts operations into a line, so that a handler is all
 * that may come between.  Any thread may take them out.  While any are in the table, others go
 * there too: what is in the table came after all that stand in the line, and the first of a
 * name that is found is the oldest.
 *
 * Operation n has place n % IOT_LINE.  The state of a place has n, so that who has seen an
 * operation there never claims the next one of that place.
 */
#include "line.h"

#include "arch-cpu.h"
#include "compiler.h"
#include "fetch.h"

void iot_line_begin_elsewhere(struct iot_line *l, struct iot_operation *op)
{
	if (l)
		__atomic_add_fetch(&l->elsewhere, 1, __ATOMIC_RELAXED);
	iot_operation_begin(op);
	if (l && !op->number)
		__atomic_sub_fetch(&l->elsewhere, 1, __ATOMIC_RELAXED);
}

void iot_line_move_on(struct iot_line *l)
{
	for (;;) {
		const uint64_t n = __atomic_load_n(&l->gone, __ATOMIC_SEQ_CST);
		struct iot_line_place *p = iot_line_place_of(l, n);

		/* most often the next one is in flight: a look is cheaper than a swap that fails */
		if (__atomic_load_n(&p->state, __ATOMIC_SEQ_CST) != iot_line_state(n, IOT_LINE_LEFT) ||
		    !iot_operation_swap(&p->state, iot_line_state(n, IOT_LINE_LEFT), iot_line_state(n, IOT_LINE_FREE)))
			return;
		__atomic_store_n(&l->gone, n + 1, __ATOMIC_SEQ_CST);
	}
}

static void leave(struct iot_line *l, struct iot_line_place *p)
{
	if (iot_line_leaves_first(l, p))
		return;
	__atomic_store_n(&p->state, iot_line_state(p->state >> 2, IOT_LINE_LEFT), __ATOMIC_SEQ_CST);
	iot_line_move_on(l);
}

static bool stands(const struct iot_line_place *p, uint64_t n)
{
	return __atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == iot_line_state(n, IOT_LINE_STANDS);
}

static struct iot_line_place *claim(struct iot_line *l, uintptr_t name)
{
	for (uint64_t n = __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE); n < __atomic_load_n(&l->came, __ATOMIC_ACQUIRE); n++) {
		struct iot_line_place *p = iot_line_place_of(l, n);

		if (l->name[n % IOT_LINE] == name && stands(p, n) &&
		    iot_operation_swap(&p->state, iot_line_state(n, IOT_LINE_STANDS), iot_line_state(n, IOT_LINE_CLAIMED)))
			return p;
	}
	return NULL;
}

const struct iot_operation *iot_line_take_later(struct iot_line *l, uintptr_t queue, uintptr_t name, struct iot_operation *room)
{
	struct iot_line_place *p = l ? claim(l, name) : NULL;

	if (iot_likely(p != NULL))
		return (const struct iot_operation *)p->op;
	return iot_operation_take(queue, name, room) ? room : NULL;
}

void iot_line_leave_later(struct iot_line *l, const struct iot_operation *op, const struct iot_operation *room, bool stays)
{
	struct iot_line_place *p = (struct iot_line_place *)((char *)op - offsetof(struct iot_line_place, op));

	if (iot_likely(op != room && !stays))
		leave(l, p);
	else if (op != room)
		__atomic_store_n(&p->state, iot_line_state(p->state >> 2, IOT_LINE_STANDS), __ATOMIC_RELEASE);
	else if (stays)
		iot_operation_again(op);
	else if (l)
		__atomic_sub_fetch(&l->elsewhere, 1, __ATOMIC_RELAXED);
}

/* The n-th, if it stands there. */
static bool look(struct iot_line *l, uint64_t n, struct iot_operation *op)
{
	const struct iot_line_place *p = iot_line_place_of(l, n);

	if (!stands(p, n))
		return false;
	__builtin_memcpy(op, p->op, sizeof(p->op));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return stands(p, n);
}

static bool drop_here(struct iot_line *l, uint64_t number)
{
	struct iot_operation is;

	for (uint64_t n = __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE); n < __atomic_load_n(&l->came, __ATOMIC_ACQUIRE); n++) {
		struct iot_line_place *p = iot_line_place_of(l, n);

		if (!look(l, n, &is) || is.number != number)
			continue;
		if (!iot_operation_swap(&p->state, iot_line_state(n, IOT_LINE_STANDS), iot_line_state(n, IOT_LINE_CLAIMED)))
			return false;
		leave(l, p);
		return true;
	}
	return false;
}

bool iot_line_drop(struct iot_line *l, const struct iot_operation *op)
{
	if (l && op->number && drop_here(l, op->number))
		return true;
	if (!iot_operation_drop(op))
		return false;
	if (l)
		__atomic_sub_fetch(&l->elsewhere, 1, __ATOMIC_RELAXED);
	return true;
}

void iot_line_each(struct iot_line *l, uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with)
{
	uint64_t n = l ? __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE) : 0;
	struct iot_operation op;

	for (; l && n < __atomic_load_n(&l->came, __ATOMIC_ACQUIRE); n++)
		if (look(l, n, &op))
			what(&op, with);
	iot_operations_each(queue, what, with);
}
