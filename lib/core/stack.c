/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack.c - who called: frame pointers from the wrapper outwards, interned.
 *
 * A frame pointer may be anything where the program or libc was built without
 * them.  None is followed that does not lie in the part of the stack, between
 * the wrapper's own frame and the stack's top, that must be mapped.
 */
#include <elf.h>
#include <string.h>
#include <sys/resource.h>

#include "share.h"
#include "sys.h"

#define TABLE_BITS 14
#define TABLE_SIZE (1u << TABLE_BITS)
#define PROBES	   16

struct entry {
	uint64_t hash;		/* 0: free */
	uint32_t id;
	uint32_t spare;
};

static struct entry *table;

__thread uintptr_t iot_stack_size __attribute__((tls_model("initial-exec")));

/* Finds out where the calling thread's stack lies. */
void iot_stack_bounds(struct iot_thread *t)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t tp = iot_thread_pointer(), random = iot_auxv(AT_RANDOM);
	struct rlimit rl = { 0 };

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
	if (table)
		memset(table, 0, TABLE_SIZE * sizeof(*table));
}

static struct entry *get_table(void)
{
	struct entry *none = NULL, *mine;

	if (iot_likely(table != NULL))
		return table;
	mine = iot_map(TABLE_SIZE * sizeof(*mine));
	if (mine && !__atomic_compare_exchange_n(&table, &none, mine, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE))
		iot_unmap(mine, TABLE_SIZE * sizeof(*mine));
	return table;
}

static IOT_COLD void define(struct iot_thread *t, uint32_t id, const uintptr_t *pc, uint32_t n)
{
	bool idle = t->state == IOT_IDLE;
	uint64_t *p;

	if (idle)
		iot_busy(t);
	p = iot_define(t, IOT_DEF_STACK, 2 + n);
	*p++ = id;
	*p++ = n;
	for (uint32_t i = 0; i < n; i++)
		*p++ = pc[i];
	iot_define_done(t, p);
	if (idle)
		iot_idle(t);
}

/* The id of a stack; a new one is defined in t's window. */
static uint32_t intern(struct iot_thread *t, uint64_t hash, const uintptr_t *pc, uint32_t n)
{
	struct entry *tab = get_table();
	uint32_t at = (uint32_t)(hash >> (64 - TABLE_BITS));

	for (int i = 0; tab && i < PROBES; i++, at = (at + 1) & (TABLE_SIZE - 1)) {
		struct entry *e = &tab[at];
		uint64_t found = __atomic_load_n(&e->hash, __ATOMIC_ACQUIRE);

		if (!found && __atomic_compare_exchange_n(&e->hash, &found, hash, false,
							  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			uint32_t id = __atomic_add_fetch(&iot_share->n_stacks, 1, __ATOMIC_RELAXED);

			__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
			define(t, id, pc, n);
			return id;
		}
		if (found == hash) {
			uint32_t id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);

			/* another thread may have claimed it and not named it yet */
			if (id)
				return id;
			break;
		}
	}
	/* the table is full here: an id of its own */
	uint32_t id = __atomic_add_fetch(&iot_share->n_stacks, 1, __ATOMIC_RELAXED);

	define(t, id, pc, n);
	return id;
}

/* What a frame pointer leads to may be any part of any frame. */
__attribute__((no_sanitize_address)) uint32_t iot_stack(struct iot_thread *t, void *frame)
{
	uintptr_t pc[64];
	uintptr_t at = (uintptr_t)frame, top = t->stack_top;
	uint64_t hash = 0x9e3779b97f4a7c15ULL;
	uint32_t n = 0, id, max = t->stack_depth;

	if (iot_unlikely(at < t->stack_low || at >= top))
		top = (at | 4095) - 15;	/* a stack that we don't know: its page is there */
	while (n < max) {
		const uintptr_t *f = (const uintptr_t *)at;
		uintptr_t next = f[0];

		if (!f[1])
			break;
		pc[n++] = f[1];
		hash = (hash ^ f[1]) * 0xff51afd7ed558ccdULL;
		hash ^= hash >> 32;
		if (next <= at || next >= top - 8 || (next & 7))
			break;
		at = next;
	}
	if (!n)
		return 0;
	hash += !hash;
	id = t->last_stack;
	if (iot_likely((hash ^ id) == t->last_key))
		return id;
	id = intern(t, hash, pc, n);
	/* if a handler comes between these two, no hash will fit */
	t->last_stack = id;
	t->last_key = hash ^ id;
	return id;
}
