/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.c - the table of asynchronous operations in flight: operation.h.
 *
 * Any thread, and any handler, may issue an operation and learn of the end of any other.  So
 * there are no locks: an entry is claimed by one compare-and-swap of its tag, is the
 * claimer's until it stores another, and a tag that stands for a name is published last.
 *
 * The table has a fixed size.  Its beginning is used first, and is in the processor's cache as
 * long as few operations are in flight; an operation that finds no place there belongs
 * somewhere behind it.  One that finds no place near that either is not followed: it has
 * number 0, which readers count.  A forked child has no operations of its parent's: it finds
 * the table empty.
 */
#include "operation.h"

#include "arch-cpu.h"
#include "arena.h"
#include "compiler.h"
#include "fetch.h"

#define ENTRIES 8192u			/* a power of two */
#define NEAR	256u			/* that are used first */
#define REACH	32u			/* so far from where it belongs an entry may lie */
#define FREE	0ULL
#define CLAIMED 1ULL			/* somebody fills it, or takes it */

struct entry {
	uint64_t tag;			/* FREE, CLAIMED, or tag_of its name */
	struct iot_operation op;
};

struct table {
	struct entry entry[ENTRIES];
	uint8_t near[NEAR], reach[ENTRIES];	/* no entry is further from where it belongs */
	bool far;			/* there have been some that did not fit the beginning */
};
static struct table *table;
static uint64_t last_number;

static struct table *the_table(void)
{
	struct table *is = __atomic_load_n(&table, __ATOMIC_ACQUIRE), *fresh;

	if (iot_likely(is != NULL))
		return is;
	/* of two that map one at once, the loser's is address space that stays unused */
	fresh = iot_map_wiped(sizeof(*fresh));
	if (!fresh || __atomic_compare_exchange_n(&table, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	return is;
}

/* over: of one whose end was seen before its beginning. */
static uint64_t tag_of(const struct iot_operation *op, bool over)
{
	uint64_t h = (op->queue ^ op->name * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;

	return ((h ^ h >> 32) & ~7ULL) | 2 | (over ? 4 : 0);
}

/* Where it belongs, and how far others lie from there. */
static uint32_t place_of(struct table *t, uint64_t tag, bool far, uint8_t **reach)
{
	uint32_t h = (uint32_t)(tag >> 20), at = far ? NEAR + h % (ENTRIES - NEAR) : h % NEAR;

	*reach = far ? &t->reach[at] : &t->near[at];
	return at;
}

/* The oldest of that name, or the one with that number; NULL: there is none. */
static struct entry *find(const struct iot_operation *op, uint64_t tag, uint64_t number)
{
	struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	struct entry *oldest = NULL;
	uint8_t *reach;

	for (int far = 0; t && far <= __atomic_load_n(&t->far, __ATOMIC_ACQUIRE); far++) {
		uint32_t at = place_of(t, tag, far, &reach), end = at + __atomic_load_n(reach, __ATOMIC_ACQUIRE);

		for (; at <= end; at++) {
			struct entry *e = &t->entry[at % ENTRIES];

			if (__atomic_load_n(&e->tag, __ATOMIC_ACQUIRE) == tag && e->op.queue == op->queue &&
			    e->op.name == op->name && (!number || e->op.number == number) &&
			    (!oldest || e->op.number < oldest->op.number))
				oldest = e;
		}
	}
	return oldest;
}

static bool take(const struct iot_operation *op, bool over, uint64_t number, struct iot_operation *to)
{
	uint64_t tag = tag_of(op, over);
	struct entry *e;

	while ((e = find(op, tag, number))) {
		uint64_t is = tag;

		/* another thread may have been faster, and a new operation be there now */
		if (!__atomic_compare_exchange_n(&e->tag, &is, CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		*to = e->op;
		__atomic_store_n(&e->tag, FREE, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

bool iot_operation_take(uintptr_t queue, uintptr_t name, struct iot_operation *op)
{
	return take(&(struct iot_operation){ .queue = queue, .name = name }, false, 0, op);
}

/* The copy is of that operation if its state still says so: no other has its number. */
static struct entry *look(const struct iot_operation *like, uint64_t number, struct iot_operation *op)
{
	uint64_t tag = tag_of(like, false);
	struct entry *e;

	while ((e = find(like, tag, number))) {
		*op = e->op;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&e->op.state, __ATOMIC_RELAXED) >> 1 == op->number &&
		    __atomic_load_n(&e->tag, __ATOMIC_RELAXED) == tag)
			return e;
	}
	return NULL;
}

bool iot_operation_look(uintptr_t queue, uintptr_t name, struct iot_operation *op)
{
	return look(&(struct iot_operation){ .queue = queue, .name = name }, 0, op);
}

bool iot_operation_ends(const struct iot_operation *op)
{
	struct iot_operation now;
	struct entry *e = look(op, op->number, &now);
	uint64_t state = op->number << 1;

	if (!e || !__atomic_compare_exchange_n(&e->op.state, &state, state | 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&e->op.ended, iot_ticks(), __ATOMIC_RELEASE);
	return true;
}

void iot_operation_pends(const struct iot_operation *op)
{
	struct iot_operation now;
	struct entry *e = look(op, op->number, &now);

	if (e)
		__atomic_store_n(&e->op.pending, iot_ticks(), __ATOMIC_RELAXED);
}

void iot_operation_learned(const struct iot_operation *op, struct iot_kept *by)
{
	struct iot_kept *nobody = NULL;
	struct iot_operation now;
	struct entry *e = look(op, op->number, &now);

	if (e)
		__atomic_compare_exchange_n(&e->op.learned, &nobody, by, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void iot_operations_each(uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with)
{
	struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	struct iot_operation op;

	for (uint32_t i = 0; t && i < ENTRIES; i++) {
		struct entry *e = &t->entry[i];

		if (__atomic_load_n(&e->tag, __ATOMIC_ACQUIRE) > CLAIMED && e->op.queue == queue &&
		    look(&e->op, e->op.number, &op))
			what(&op, with);
	}
}

void iot_operation_drop(const struct iot_operation *op)
{
	struct iot_operation was;

	if (op->number)
		take(op, false, op->number, &was);
}

static bool put_there(struct table *t, const struct iot_operation *op, uint64_t tag, bool far)
{
	uint8_t *ends;
	uint32_t at = place_of(t, tag, far, &ends);

	for (uint32_t i = 0; i < REACH; i++) {
		struct entry *e = &t->entry[(at + i) % ENTRIES];
		uint8_t reach = __atomic_load_n(ends, __ATOMIC_RELAXED);
		uint64_t is = FREE;

		if (!__atomic_compare_exchange_n(&e->tag, &is, CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		e->op = *op;
		e->op.state = op->number << 1;
		while (reach < i && !__atomic_compare_exchange_n(ends, &reach, (uint8_t)i, false, __ATOMIC_ACQ_REL,
								 __ATOMIC_RELAXED))
			;
		if (far)
			__atomic_store_n(&t->far, true, __ATOMIC_RELEASE);
		__atomic_store_n(&e->tag, tag, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

static bool put(const struct iot_operation *op, bool over)
{
	struct table *t = the_table();
	uint64_t tag = tag_of(op, over);

	return t && (put_there(t, op, tag, false) || put_there(t, op, tag, true));
}

void iot_operation_again(const struct iot_operation *op)
{
	put(op, false);
}

static bool number(struct iot_operation *op, bool over)
{
	op->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
	if (put(op, over)) {
		/* what another thread has put before it looked for this one is seen now */
		if (iot_has_threads)
			__atomic_thread_fence(__ATOMIC_SEQ_CST);
		return true;
	}
	op->number = 0;
	return false;
}

/*
 * Who issues an operation and who sees its end may come here at the same time.  Both put what
 * they know, and look for the other's: at least one of them finds it.  What decides is who
 * takes the entry of the one that saw the end.
 */
void iot_operation_begin(struct iot_operation *op)
{
	struct iot_operation was;

	/* of one whose end nobody saw, the program may use the name again */
	while (!op->repeats && take(op, false, 0, &was))
		;
	if (!number(op, false) || !iot_has_threads)
		return;
	while (take(op, true, 0, &was)) {
		struct iot_operation own;

		/* else nobody has issued it, for all we know */
		if (was.start < op->start)
			continue;
		take(op, false, op->number, &own);
		op->number = was.number;
		break;
	}
}

void iot_operation_early(struct iot_operation *op)
{
	struct iot_operation own;

	if (!number(op, true) || !find(op, tag_of(op, false), 0))
		return;
	if (take(op, true, op->number, &own))
		take(op, false, 0, op);
}

void iot_operations_gone(uintptr_t queue)
{
	struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; t && i < ENTRIES; i++) {
		struct entry *e = &t->entry[i];
		uint64_t tag = __atomic_load_n(&e->tag, __ATOMIC_ACQUIRE);

		if (tag > CLAIMED && e->op.queue == queue)
			__atomic_compare_exchange_n(&e->tag, &tag, FREE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	}
}
