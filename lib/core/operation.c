/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.c - the table of asynchronous operations in flight: operation.h.
 *
 * Any thread, and any handler, may issue an operation and learn of the end of any other.  So
 * there are no locks: a thread claims an entry by one compare-and-swap of its tag, has it
 * until it stores another tag, and stores a tag that stands for a name last.
 *
 * The table has three areas.  Each is used when the one before it has no place left near where an
 * operation belongs.  The first is small, and stays in the processor's cache while few
 * operations are in flight.  The last is mapped when it is needed.
 *
 * Operations with the same name belong to the same place, of which the last area has three.  If a
 * program gives all its operations one name, these places are soon taken, and the others stand in
 * a line: a crowd.  An operation that finds no place there either is not followed: its number is 0,
 * and readers count such operations.
 * A forked child has no operations of its parent's: it finds the table empty.
 */
#include "operation.h"

#include "arena.h"

#define NEAR	256u			/* places of the areas, powers of two */
#define FAR	8192u
#define WIDE	131072u
#define AREAS	3u
#define TRIES	(AREAS + 2)		/* the last area has three places for a name */
#define REACH	32u			/* an entry lies at most so far from its place */
#define CROWDS	4u
#define LINE	32768u			/* places of a crowd: a ring takes as many requests at once */
#define FREE	0ULL
#define CLAIMED 1ULL			/* a thread fills the entry, or takes it */
#define LEFT(n) ((uint64_t)(n) << 3 | 5)	/* of a crowd: the n-th operation was here, and has left */

struct entry {
	uint64_t tag;			/* FREE, CLAIMED, or tag_of its name */
	struct iot_operation op;
};

struct area {
	struct entry *entry;
	uint8_t *reach;			/* of a place: no entry that belongs there is further away */
	uint32_t size;
};

static struct table {
	struct entry near[NEAR], far[FAR];
	uint8_t near_reach[NEAR], far_reach[FAR];
} *table;
static struct wide {
	struct entry entry[WIDE];
	uint8_t reach[WIDE];
} *wide;
static uint32_t used;			/* the last try that has had an entry */

/* A line of operations with one name.  Their numbers rise along it, but for neighbours. */
static struct crowd {
	uint64_t came, gone;		/* how many have come; how many of these, from the first on, have left */
	uint64_t tag;			/* stands for the name */
	struct entry entry[LINE];
} *crowds[CROWDS];
static uint32_t n_crowds;		/* no crowd from this one on is mapped */
static bool ended_early;		/* an end has been seen before its beginning */
uint64_t iot_operation_last;

/* The memory to which the pointer at `at` leads, mapped first if there is none and make says so.  If
   two threads map it at once, the loser's mapping is address space that stays unused. */
static void *mapped(void *at, size_t size, bool make)
{
	void **p = at, *is = __atomic_load_n(p, __ATOMIC_ACQUIRE), *fresh;

	if (iot_likely(is != NULL) || !make)
		return is;
	fresh = iot_map_wiped(size);
	if (!fresh || __atomic_compare_exchange_n(p, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	return is;
}

static bool area(uint32_t i, bool make, struct area *to)
{
	if (i < 2) {
		struct table *t = mapped(&table, sizeof(*t), make);

		*to = !t ? (struct area){ 0 } : i ? (struct area){ t->far, t->far_reach, FAR } :
						    (struct area){ t->near, t->near_reach, NEAR };
	} else {
		struct wide *w = mapped(&wide, sizeof(*w), make);

		*to = w ? (struct area){ w->entry, w->reach, WIDE } : (struct area){ 0 };
	}
	return to->entry;
}

/* over: the end of the operation was seen before its beginning. */
static uint64_t tag_of(uintptr_t queue, uintptr_t name, bool over)
{
	uint64_t h = (queue ^ name * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;

	return ((h ^ h >> 32) & ~7ULL) | 2 | (over ? 4 : 0);
}

/* The place at which the entry with that tag belongs. */
static uint32_t place_of(const struct area *a, uint32_t try, uint64_t tag)
{
	return (uint32_t)(tag >> (try < AREAS ? 20 : 20 + 12 * (try - AREAS + 1))) & (a->size - 1);
}

/* What to look for: all operations of a name, or, if number is not 0, the one with that number. */
struct wanted {
	uintptr_t queue, name;
	uint64_t tag, number;
};

static struct wanted wanted(uintptr_t queue, uintptr_t name, bool over, uint64_t number)
{
	return (struct wanted){ queue, name, tag_of(queue, name, over), number };
}

static bool is_of(const struct entry *e, const struct wanted *w)
{
	return __atomic_load_n(&e->tag, __ATOMIC_ACQUIRE) == w->tag && e->op.queue == w->queue && e->op.name == w->name &&
	       (!w->number || e->op.number == w->number);
}

static struct entry *find_in_crowd(struct crowd *c, const struct wanted *w)
{
	for (uint64_t n = __atomic_load_n(&c->gone, __ATOMIC_ACQUIRE); n < __atomic_load_n(&c->came, __ATOMIC_ACQUIRE); n++)
		if (is_of(&c->entry[n % LINE], w))
			return &c->entry[n % LINE];
	return NULL;
}

/* 0 in most programs. */
static uint32_t crowds_so_far(void)
{
	return __atomic_load_n(&n_crowds, __ATOMIC_ACQUIRE);
}

static struct crowd *crowd_of(uint32_t i, uint64_t tag)
{
	struct crowd *c = mapped(&crowds[i], sizeof(*c), false);

	return c && __atomic_load_n(&c->tag, __ATOMIC_ACQUIRE) == tag ? c : NULL;
}

/* The oldest entry that is wanted; NULL: there is none. */
static struct entry *find(const struct wanted *w)
{
	struct entry *oldest = NULL;
	struct area a;

	for (uint32_t i = 0; i <= __atomic_load_n(&used, __ATOMIC_ACQUIRE) && area(i, false, &a); i++) {
		uint32_t at = place_of(&a, i, w->tag), end = at + __atomic_load_n(&a.reach[at], __ATOMIC_ACQUIRE);

		for (; at <= end; at++) {
			struct entry *e = &a.entry[at & (a.size - 1)];

			if (is_of(e, w) && (!oldest || e->op.number < oldest->op.number))
				oldest = e;
		}
	}
	for (uint32_t i = 0; i < crowds_so_far(); i++) {
		struct crowd *c = crowd_of(i, w->tag);
		struct entry *e = c ? find_in_crowd(c, w) : NULL;

		if (e && (!oldest || e->op.number < oldest->op.number))
			oldest = e;
	}
	return oldest;
}

/* The crowd that the entry is in; n: how many came to it before.  NULL: the entry is in an area. */
static struct crowd *stands_in(const struct entry *e, uint64_t *n)
{
	for (uint32_t i = 0; i < crowds_so_far(); i++) {
		struct crowd *c = mapped(&crowds[i], sizeof(*c), false);
		uint64_t gone;

		if (!c || e < c->entry || e >= c->entry + LINE)
			continue;
		gone = __atomic_load_n(&c->gone, __ATOMIC_ACQUIRE);
		*n = gone + ((uint64_t)(e - c->entry) - gone) % LINE;
		return c;
	}
	return NULL;
}

/* The thread that has claimed the entry lets it go.  A place in a line is free once all places
   before it are. */
static void let_go(struct entry *e)
{
	uint64_t n;
	struct crowd *c = stands_in(e, &n);

	__atomic_store_n(&e->tag, c ? LEFT(n) : FREE, __ATOMIC_RELEASE);
	while (c) {
		uint64_t left;

		n = __atomic_load_n(&c->gone, __ATOMIC_ACQUIRE);
		left = LEFT(n);
		if (!__atomic_compare_exchange_n(&c->entry[n % LINE].tag, &left, FREE, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			break;
		__atomic_store_n(&c->gone, n + 1, __ATOMIC_RELEASE);
	}
}

static bool take(const struct wanted *w, struct iot_operation *to)
{
	struct entry *e;

	while ((e = find(w))) {
		/* another thread may have taken it, and a new operation may be there now */
		if (!iot_operation_swap(&e->tag, w->tag, CLAIMED))
			continue;
		iot_operation_copy(to, &e->op);
		let_go(e);
		return true;
	}
	return false;
}

bool iot_operation_take(uintptr_t queue, uintptr_t name, struct iot_operation *op)
{
	const struct wanted w = wanted(queue, name, false, 0);

	return take(&w, op);
}

/* Copies the entry, which another thread may take meanwhile.  The copy is whole if the entry's state,
   read afterwards, has the copy's number: no two operations have one. */
static struct entry *look(uintptr_t queue, uintptr_t name, uint64_t number, struct iot_operation *op)
{
	const struct wanted w = wanted(queue, name, false, number);
	struct entry *e;

	while ((e = find(&w))) {
		*op = e->op;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&e->op.state, __ATOMIC_RELAXED) >> 1 == op->number &&
		    __atomic_load_n(&e->tag, __ATOMIC_RELAXED) == w.tag)
			return e;
	}
	return NULL;
}

bool iot_operation_look(uintptr_t queue, uintptr_t name, struct iot_operation *op)
{
	return look(queue, name, 0, op);
}

bool iot_operation_ends(const struct iot_operation *op)
{
	struct iot_operation now;
	struct entry *e = look(op->queue, op->name, op->number, &now);
	uint64_t state = op->number << 1;

	if (!e || !__atomic_compare_exchange_n(&e->op.state, &state, state | 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&e->op.ended, iot_ticks(), __ATOMIC_RELEASE);
	return true;
}

void iot_operation_pends(const struct iot_operation *op)
{
	struct iot_operation now;
	struct entry *e = look(op->queue, op->name, op->number, &now);

	if (e)
		__atomic_store_n(&e->op.pending, iot_ticks(), __ATOMIC_RELAXED);
}

void iot_operation_learned(const struct iot_operation *op, struct iot_kept *by)
{
	struct iot_kept *nobody = NULL;
	struct iot_operation now;
	struct entry *e = look(op->queue, op->name, op->number, &now);

	if (e)
		__atomic_compare_exchange_n(&e->op.learned, &nobody, by, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Calls what() for each entry of the queue that is in use. */
static void each(uintptr_t queue, void (*what)(struct entry *, uint64_t tag, void *), void *with)
{
	for (uint32_t i = 0; i < AREAS + CROWDS; i++) {
		struct crowd *c = i < AREAS ? NULL : mapped(&crowds[i - AREAS], sizeof(*c), false);
		struct area a = { c ? c->entry : NULL, NULL, LINE };

		if (i < AREAS ? i > __atomic_load_n(&used, __ATOMIC_ACQUIRE) || !area(i, false, &a) : !c)
			continue;
		for (uint32_t j = 0; j < a.size; j++) {
			uint64_t tag = __atomic_load_n(&a.entry[j].tag, __ATOMIC_ACQUIRE);

			if (tag & 2 && a.entry[j].op.queue == queue)
				what(&a.entry[j], tag, with);
		}
	}
}

struct each {
	void (*what)(const struct iot_operation *, void *);
	void *with;
};

static void tell(struct entry *e, uint64_t tag, void *with)
{
	const struct each *w = with;
	struct iot_operation op;

	(void)tag;
	if (look(e->op.queue, e->op.name, e->op.number, &op))
		w->what(&op, w->with);
}

void iot_operations_each(uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with)
{
	each(queue, tell, &(struct each){ what, with });
}

bool iot_operation_drop(const struct iot_operation *op)
{
	const struct wanted w = wanted(op->queue, op->name, false, op->number);
	struct iot_operation was;

	return op->number && take(&w, &was);
}

static void fill(struct entry *e, const struct iot_operation *op, uint64_t tag)
{
	iot_operation_copy(&e->op, op);
	e->op.state = op->number << 1;
	__atomic_store_n(&e->tag, tag, __ATOMIC_RELEASE);
}

static bool put_there(uint32_t which, const struct iot_operation *op, uint64_t tag)
{
	struct area a;
	uint32_t at;

	if (!area(which, true, &a))
		return false;
	at = place_of(&a, which, tag);
	for (uint32_t i = 0; i < REACH; i++) {
		struct entry *e = &a.entry[(at + i) & (a.size - 1)];
		uint8_t reach = __atomic_load_n(&a.reach[at], __ATOMIC_RELAXED);
		uint32_t areas = __atomic_load_n(&used, __ATOMIC_RELAXED);

		if (__atomic_load_n(&e->tag, __ATOMIC_RELAXED) != FREE || !iot_operation_swap(&e->tag, FREE, CLAIMED))
			continue;
		while (reach < i && !__atomic_compare_exchange_n(&a.reach[at], &reach, (uint8_t)i, false, __ATOMIC_ACQ_REL,
								 __ATOMIC_RELAXED))
			;
		while (areas < which && !__atomic_compare_exchange_n(&used, &areas, which, false, __ATOMIC_ACQ_REL,
								     __ATOMIC_RELAXED))
			;
		fill(e, op, tag);
		return true;
	}
	return false;
}

/* Puts the operation behind the others in the line.  False: the line is full. */
static bool stand_in(struct crowd *c, const struct iot_operation *op, uint64_t tag)
{
	uint64_t n = __atomic_load_n(&c->came, __ATOMIC_RELAXED);

	do
		if (n - __atomic_load_n(&c->gone, __ATOMIC_ACQUIRE) >= LINE)
			return false;
	while (!__atomic_compare_exchange_n(&c->came, &n, n + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	fill(&c->entry[n % LINE], op, tag);
	return true;
}

/* Puts the operation in the line of its name, or in an empty line. */
static bool put_in_line(const struct iot_operation *op, uint64_t tag)
{
	for (uint32_t i = 0; i < CROWDS; i++) {
		struct crowd *c = crowd_of(i, tag);

		if (c)
			return stand_in(c, op, tag);
	}
	for (uint32_t i = 0; i < CROWDS; i++) {
		struct crowd *c = mapped(&crowds[i], sizeof(*c), true);
		uint64_t is = c ? __atomic_load_n(&c->tag, __ATOMIC_ACQUIRE) : 0;

		for (uint32_t n = crowds_so_far();
		     n <= i && !__atomic_compare_exchange_n(&n_crowds, &n, i + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);)
			;
		if (c && __atomic_load_n(&c->came, __ATOMIC_ACQUIRE) == __atomic_load_n(&c->gone, __ATOMIC_ACQUIRE) &&
		    __atomic_compare_exchange_n(&c->tag, &is, tag, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return stand_in(c, op, tag);
	}
	return false;
}

static bool put(const struct iot_operation *op, bool over)
{
	uint64_t tag = tag_of(op->queue, op->name, over);

	for (uint32_t i = 0; i < TRIES; i++)
		if (put_there(i, op, tag))
			return true;
	return op->repeats && put_in_line(op, tag);
}

void iot_operation_again(const struct iot_operation *op)
{
	put(op, false);
}

static bool number(struct iot_operation *op, bool over)
{
	op->number = iot_operation_number();
	if (put(op, over)) {
		/* if another thread did not find this entry when it looked, the entry that it had put before is seen now */
		if (!iot_is_alone())
			__atomic_thread_fence(__ATOMIC_SEQ_CST);
		return true;
	}
	op->number = 0;
	return false;
}

/*
 * The thread that issues an operation and the one that sees its end may come here at the same time.
 * Each puts an entry, and then looks for the other's entry: at least one of them finds it.  The
 * thread that takes the entry of the end makes the two entries one operation.
 */
void iot_operation_begin(struct iot_operation *op)
{
	const struct wanted before = wanted(op->queue, op->name, false, 0), ended = wanted(op->queue, op->name, true, 0);
	struct iot_operation was;

	/* if nobody saw the end of an operation, the program may use its name again */
	while (!op->repeats && take(&before, &was))
		;
	/* of a process with one thread, a handler may */
	if (!number(op, false) || (iot_is_alone() && !__atomic_load_n(&ended_early, __ATOMIC_RELAXED)))
		return;
	while (take(&ended, &was)) {
		struct iot_operation own;
		const struct wanted it = wanted(op->queue, op->name, false, op->number);

		/* an operation that ended earlier is another one, whose beginning is not known */
		if (was.start < op->start)
			continue;
		take(&it, &own);
		op->number = was.number;
		break;
	}
}

void iot_operation_early(struct iot_operation *op)
{
	const struct wanted issued = wanted(op->queue, op->name, false, 0);
	struct wanted it;
	struct iot_operation own;

	__atomic_store_n(&ended_early, true, __ATOMIC_RELAXED);
	if (!number(op, true) || !find(&issued))
		return;
	it = wanted(op->queue, op->name, true, op->number);
	if (take(&it, &own))
		take(&issued, op);
}

static void discard(struct entry *e, uint64_t tag, void *with)
{
	(void)with;
	if (__atomic_compare_exchange_n(&e->tag, &tag, CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		let_go(e);
}

void iot_operations_gone(uintptr_t queue)
{
	each(queue, discard, NULL);
}
