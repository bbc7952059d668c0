/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - operations of one queue that are in flight, in the order in which they came: line.c.
 *
 * Most end in that order, or nearly, and those of a queue that is not deep are found in less
 * memory and with less work than in the table of all (operation.h).  What does not find a place
 * in the line is there.  A forked child finds it empty, as the table (iot_map_wiped).
 */
#ifndef IOT_LINE_H
#define IOT_LINE_H

#include "operation.h"

#pragma GCC visibility push(hidden)

#define IOT_LINE 128u

struct iot_line {
	uint64_t gone, came;		/* those from gone on, before came, stand in it, or have left */
	uint32_t elsewhere;		/* so many of the queue are in the table */
	uintptr_t name[IOT_LINE];
	struct iot_line_place {
		uint64_t state;		/* which one, and how it is there */
		uint64_t op[IOT_OPERATION_HEAD / sizeof(uint64_t)];
	} place[IOT_LINE];
};

/* Of the state of a place. */
enum iot_line_is { IOT_LINE_FREE, IOT_LINE_CLAIMED, IOT_LINE_STANDS, IOT_LINE_LEFT };

static inline uint64_t iot_line_state(uint64_t n, uint64_t is)
{
	return n << 2 | is;
}

static inline struct iot_line_place *iot_line_place_of(struct iot_line *l, uint64_t n)
{
	return &l->place[n % IOT_LINE];
}

/* Each member as it was stored a moment ago: a load of two would wait for both stores. */
IOT_FAST void iot_line_copy(struct iot_operation *to, const struct iot_operation *op)
{
#define COPY(member)                                    \
	do {                                            \
		__auto_type value = op->member;         \
		__asm__("" : "+r"(value));              \
		to->member = value;                     \
	} while (0)
	COPY(queue);
	COPY(name);
	COPY(number);
	COPY(start);
	COPY(size);
	COPY(offset);
	COPY(what);
	COPY(by);
	COPY(flags);
	COPY(handle);
	COPY(stack);
	COPY(silent);
	COPY(appends);
	/* of one that repeats */
	to->pending = 0;
	to->eventfd = 0;
	to->repeats = true;
	to->seen = false;
#undef COPY
}

IOT_FAST bool iot_line_stand_in(struct iot_line *l, struct iot_operation *op)
{
	struct iot_line_place *p;
	uint64_t n;

	do {
		n = __atomic_load_n(&l->came, __ATOMIC_RELAXED);
		if (n - __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE) >= IOT_LINE)
			return false;
	} while (!iot_swap_alone(&l->came, n, n + 1));
	op->number = iot_operation_number();
	p = iot_line_place_of(l, n);
	l->name[n % IOT_LINE] = op->name;
	iot_line_copy((struct iot_operation *)p->op, op);
	__atomic_store_n(&p->state, iot_line_state(n, IOT_LINE_STANDS), __ATOMIC_RELEASE);
	return true;
}

/* What most operations need is here; the rest, for those that are not first in the line, or do not
   stand in it, is in line.c. */
void iot_line_begin_elsewhere(struct iot_line *l, struct iot_operation *op);
const struct iot_operation *iot_line_take_later(struct iot_line *l, uintptr_t queue, uintptr_t name,
						struct iot_operation *room);
void iot_line_leave_later(struct iot_line *l, const struct iot_operation *op, const struct iot_operation *room, bool stays);
/* Those at the head of the line that have left it are free now. */
void iot_line_move_on(struct iot_line *l);

/* As iot_operation_begin, of one that repeats. */
IOT_FAST void iot_line_begin(struct iot_line *l, struct iot_operation *op)
{
	if (iot_likely(l && iot_is_alone() && !__atomic_load_n(&l->elsewhere, __ATOMIC_RELAXED)) && iot_line_stand_in(l, op))
		return;
	iot_line_begin_elsewhere(l, op);
}

/* As iot_operation_take, without a copy if that can be: where it stands in the line, or in room.
   NULL: there is none.  It is in flight until iot_line_leave; stays: and then again, for another
   end.  What is behind IOT_OPERATION_HEAD is not there. */
static inline const struct iot_operation *iot_line_take(struct iot_line *l, uintptr_t queue, uintptr_t name,
							struct iot_operation *room)
{
	if (iot_likely(l != NULL)) {
		const uint64_t n = __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE), is = iot_line_state(n, IOT_LINE_STANDS);
		struct iot_line_place *p = iot_line_place_of(l, n);

		if (iot_likely(l->name[n % IOT_LINE] == name && __atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == is &&
			       iot_operation_swap(&p->state, is, iot_line_state(n, IOT_LINE_CLAIMED))))
			return (const struct iot_operation *)p->op;
	}
	return iot_line_take_later(l, queue, name, room);
}

/* Who has claimed the place at the head gives it up, and those behind that have left are free, too.  False: it is
   not at the head. */
static inline bool iot_line_leaves_first(struct iot_line *l, struct iot_line_place *p)
{
	const uint64_t n = p->state >> 2;

	/* a handler moves nothing on while this one is at the head, and claimed */
	if (iot_unlikely(n != __atomic_load_n(&l->gone, __ATOMIC_RELAXED) || !iot_is_alone()))
		return false;
	__atomic_store_n(&p->state, iot_line_state(n, IOT_LINE_FREE), __ATOMIC_RELEASE);
	__atomic_store_n(&l->gone, n + 1, __ATOMIC_RELEASE);
	p = iot_line_place_of(l, n + 1);
	if (iot_unlikely(__atomic_load_n(&p->state, __ATOMIC_SEQ_CST) == iot_line_state(n + 1, IOT_LINE_LEFT)))
		iot_line_move_on(l);
	return true;
}

static inline void iot_line_leave(struct iot_line *l, const struct iot_operation *op, const struct iot_operation *room,
				  bool stays)
{
	struct iot_line_place *p = (struct iot_line_place *)((char *)op - offsetof(struct iot_line_place, op));

	if (iot_unlikely(op == room || stays) || !iot_line_leaves_first(l, p))
		iot_line_leave_later(l, op, room, stays);
}

/* As iot_operation_drop, iot_operations_each. */
bool iot_line_drop(struct iot_line *l, const struct iot_operation *op);
void iot_line_each(struct iot_line *l, uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with);

#pragma GCC visibility pop

#endif
