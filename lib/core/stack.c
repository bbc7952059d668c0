/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack.c - who called: return addresses from the wrapper outwards (walk.c), interned.
 *
 * Most calls come from where another came from: what a walk has read is kept, and while
 * all of it is as it was, in the order in which it was read, the walk would go the same
 * way.
 */
#include <elf.h>
#include <string.h>
#include <sys/resource.h>

#include "share.h"
#include "sys.h"
#include "unwind.h"

#define TABLE_SIZE 16384u
#define PROBES	   16

/* What iot_each.stacks has no room for. */
static struct iot_interned *table;

__thread uintptr_t iot_stack_size __attribute__((tls_model("initial-exec")));

/* Finds out where the calling thread's stack lies, unless that is known: a forked child is
   on its parent's. */
IOT_COLD void iot_stack_bounds(struct iot_thread *t)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t tp = iot_thread_pointer(), random = iot_auxv(AT_RANDOM);
	struct rlimit rl = { 0 };

	if (here >= t->stack_low && here < t->stack_top)
		return;
	t->stack_top = t->stack_low = 0;
	if (iot_stack_size && here < tp && tp - here < iot_stack_size) {
		/* NPTL puts the thread pointer at the stack's upper end */
		t->stack_top = tp;
		t->stack_low = tp - iot_stack_size;
	} else if (here < random) {
		/* The kernel keeps at least 128 MiB below the main stack free. */
		iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_STACK, (void *)NULL, &rl);
		if (rl.rlim_cur > 64 << 20)
			rl.rlim_cur = 64 << 20;
		if (random - here < rl.rlim_cur) {
			t->stack_top = random;
			t->stack_low = random - rl.rlim_cur;
		}
	}
}

void iot_stacks_forget(void)
{
	memset(iot_each.stacks, 0, sizeof(iot_each.stacks));
	if (table)
		memset(table, 0, TABLE_SIZE * sizeof(*table));
}

/* Of the thread that had the struct before. */
void iot_memos_forget(struct iot_thread *t)
{
	for (uint32_t i = 0; i < IOT_MEMOS; i++)
		t->memo[i].frame = 0;
}

struct stack {
	uint64_t hash;
	const uintptr_t *pc;
	uint32_t n;
};

static IOT_COLD void define(struct iot_thread *t, uint32_t id, const struct stack *s)
{
	bool idle = t->state == IOT_IDLE;
	uint64_t *p;

	if (idle)
		iot_busy(t);
	p = iot_define(t, IOT_DEF_STACK, 2 + s->n);
	*p++ = id;
	*p++ = s->n;
	for (uint32_t i = 0; i < s->n; i++)
		*p++ = s->pc[i];
	iot_define_done(t, p);
	if (idle)
		iot_idle(t);
}

/* Looks for a stack in a table of so many; one that is not there is entered, and defined in
   t's window.  false: there is no room for it.  *id 0: it is new, and was walked by the
   rules of what lay there before. */
static bool intern_in(struct iot_interned *tab, uint32_t size, struct iot_thread *t, const struct stack *s,
		      uint32_t *id)
{
	uint32_t at = (uint32_t)(s->hash >> 32);

	for (int i = 0; i < PROBES; i++, at++) {
		struct iot_interned *e = &tab[at % size];
		uint64_t found = __atomic_load_n(&e->hash, __ATOMIC_ACQUIRE);

		*id = 0;
		if (!found && iot_config.stack_by != IOT_STACK_BY_FP && !iot_rules_hold(s->pc, s->n))
			return true;
		if (!found && __atomic_compare_exchange_n(&e->hash, &found, s->hash, false, __ATOMIC_ACQ_REL,
							  __ATOMIC_ACQUIRE)) {
			*id = __atomic_add_fetch(&iot_share->n_stacks, 1, __ATOMIC_RELAXED);
			__atomic_store_n(&e->id, *id, __ATOMIC_RELEASE);
			define(t, *id, s);
			return true;
		}
		if (found == s->hash) {
			*id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
			/* another thread may have claimed it and not named it yet */
			return *id;
		}
	}
	return false;
}

/* The id of a stack; 0: none, as above. */
static uint32_t intern(struct iot_thread *t, const struct stack *s)
{
	struct iot_interned *tab;
	uint32_t id;

	if (intern_in(iot_each.stacks, IOT_FEW_STACKS, t, s, &id))
		return id;
	tab = iot_map_once(&table, TABLE_SIZE * sizeof(*tab));
	if (tab && intern_in(tab, TABLE_SIZE, t, s, &id))
		return id;
	/* the table is full here: an id of its own */
	id = __atomic_add_fetch(&iot_share->n_stacks, 1, __ATOMIC_RELAXED);
	define(t, id, s);
	return id;
}

static uint64_t hash_of(const uintptr_t *pc, uint32_t n)
{
	uint64_t hash = 0x9e3779b97f4a7c15ULL;

	for (uint32_t i = 0; i < n; i++) {
		hash = (hash ^ pc[i]) * 0xff51afd7ed558ccdULL;
		hash ^= hash >> 32;
	}
	return hash + !hash;
}

/* Walks the stack, and keeps in m what it has read. */
static IOT_COLD uint32_t find(struct iot_thread *t, struct iot_memo *m, uintptr_t frame)
{
	struct stack s = { .pc = iot_walking(t)->pc };
	uint32_t id, turn = iot_rules_turn;
	bool known;

	_Static_assert(sizeof(struct iot_walking) <= IOT_THREAD_COLOUR, "room before the struct");
	m->turn++;
	m->frame = 0;
	iot_barrier();
	m->n = 0;
	s.n = iot_walk(t, m, frame, &known);
	if (!s.n)
		return 0;
	s.hash = hash_of(s.pc, s.n);
	id = t->last_stack;
	if ((s.hash ^ id) != t->last_key)
		id = intern(t, &s);
	if (!id)
		return 0;
	t->last_stack = id;
	t->last_key = s.hash ^ id;
	m->id = id;
	m->rules = turn;
	iot_barrier();
	if (known && m->n <= IOT_MEMO_WORDS)
		m->frame = frame;
	return id;
}

/* The recorder's own affair: a handler that comes now has another one. */
static IOT_COLD uint32_t search(struct iot_thread *t, struct iot_memo *m, uintptr_t frame)
{
	bool idle = t->state == IOT_IDLE;
	uint32_t turn = iot_rules_turn, id;

	if (idle)
		iot_busy(t);
	id = find(t, m, frame);
	if (!id && turn != iot_rules_turn)
		id = find(t, m, frame);
	if (idle)
		iot_idle(t);
	return id;
}

/* 0 unless all words that were read are as they were, up to the last.  A handler that
   comes meanwhile may have a walk of its own noted there. */
__attribute__((no_sanitize_address)) uint32_t iot_stack(struct iot_thread *t, void *frame)
{
	const uintptr_t *at = frame;
	struct iot_memo *m = &t->memo[(at[1] ^ at[1] >> 4) % IOT_MEMOS];
	uint32_t turn = m->turn, n = m->n;

	if (iot_unlikely(m->frame != (uintptr_t)frame || m->rules != iot_rules_turn))
		return search(t, m, (uintptr_t)frame);
	iot_barrier();
	for (uint32_t i = 0; i < n; i++)
		if (iot_unlikely(at[m->at[i]] != m->word[i]))
			return search(t, m, (uintptr_t)frame);
	uint32_t id = m->id;

	iot_barrier();
	return iot_likely(m->turn == turn) ? id : search(t, m, (uintptr_t)frame);
}
