/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.h - how the caller of a frame is found, by its return address: rules, which
 * follow from the unwind tables that every module brings (.eh_frame).
 *
 * A rule has 27 bits.  It tells where the caller's frame begins (the CFA; the return
 * address lies in the word below), and where the caller's frame pointer was saved.
 * Tables can say more than that.  What compilers make of real functions is one of
 * these, but for some instructions at a function's beginning; at all others the stack
 * ends.
 */
#ifndef IOT_UNWIND_H
#define IOT_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "arch-return.h"
#include "log-share.h"

#pragma GCC visibility push(hidden)

enum iot_way {
	IOT_BY_SP = 1,		/* the CFA is the stack pointer and so much, */
	IOT_BY_FP,		/* the frame pointer and so much, */
	IOT_BY_WORD,		/* in a word so far below the frame pointer, which points to the caller's */
	IOT_BY_SIGNAL,		/* what a signal interrupted: the kernel has stored its registers */
	IOT_BY_CHAIN,		/* no table has this address */
	IOT_AT_END,		/* nobody called, or what the table says is no rule */
};

#define IOT_RULE_BITS	    27
#define IOT_SLOT_KEPT	    0u		/* the frame pointer is the caller's; */
#define IOT_SLOT_LOST	    1u		/* is not known; else saved, so many words below the CFA */
#define IOT_SLOT_MAX	    15u
#define IOT_RULE_MAX	    ((1u << 20) - 1)
#define IOT_RULE(way, slot, words) ((uint32_t)(way) | (uint32_t)(slot) << 3 | (uint32_t)(words) << 7)
#define IOT_RULE_WAY(rule)  ((enum iot_way)((rule) & 7))
#define IOT_RULE_SLOT(rule) ((rule) >> 3 & 15)
#define IOT_RULE_SIZE(rule) (((rule) & ((1u << IOT_RULE_BITS) - 1)) >> 7 << 3)

/*
 * Rules that were looked up, in sets.  A word has a rule in its low bits, and above them
 * the address without the bits that tell the set, so that it is stored and read whole.
 */
#ifdef IOT_DYNAMIC
extern iot_rule_sets iot_rules;		/* of the modules that this process has */
#define IOT_RULES iot_rules
#else
#define IOT_RULES iot_share->rules	/* its forked children have the same code */
#endif
extern uint32_t iot_rules_turn;

/* How often they were forgotten, which another thread may do. */
static inline uint32_t iot_rules_are(void)
{
	return __atomic_load_n(&iot_rules_turn, __ATOMIC_RELAXED);
}

static inline uint64_t *iot_rule_set(uintptr_t pc)
{
	return IOT_RULES[(pc ^ pc >> IOT_SET_BITS ^ pc >> 2 * IOT_SET_BITS) & ((1 << IOT_SET_BITS) - 1)];
}

uint32_t iot_rule_slow(uintptr_t pc, uint64_t *room);

/* That for the frame which a call at pc returns to, if it was looked up; else 0. */
static inline __attribute__((always_inline)) uint32_t iot_rule_known(uintptr_t pc)
{
	const uint64_t *set = iot_rule_set(pc);

	for (int i = 0; i < IOT_WAYS; i++) {
		uint64_t word = __atomic_load_n(&set[i], __ATOMIC_RELAXED);

		if (word >> IOT_RULE_BITS == pc >> IOT_SET_BITS)
			return (uint32_t)word;
	}
	return 0;
}

/* The same, looked up if need be.  room: as iot_cfi has it. */
static inline uint32_t iot_rule(uintptr_t pc, uint64_t *room)
{
	uint32_t rule = iot_rule_known(pc);

	return rule ? rule : iot_rule_slow(pc, room);
}

/* Whether the modules of these addresses are those that their rules were made of; if
   not the rules are forgotten. */
bool iot_rules_hold(const uintptr_t *pc, uint32_t n);
void iot_rules_forget(void);

/* caller.c: what a function returns to that was called as if from elsewhere */
extern const char iot_came_back[] __attribute__((weak));

/* Whether that is where pc is: the frame before was made up. */
static inline bool iot_is_came_back(uintptr_t pc)
{
	return pc - (uintptr_t)iot_came_back <= IOT_CAME_BACK_SIZE;
}

/* unwind-static.c, or what the dynamic variant has in its place: the entry of the tables that
   pc's may be; 0: there is none.  Their memory, which may be gone. */
uintptr_t iot_host_entry(uintptr_t pc);
bool iot_host_read(void *to, uintptr_t from, uint32_t n);

/* unwind-cfi.c: the rule at pc by that entry; 0: it is not about pc.  room: iot_walking.tables,
   which nobody else uses meanwhile. */
uint32_t iot_cfi(uintptr_t entry, uintptr_t pc, uint64_t *room);

/* unwind-calls.c: whether what lies before ret is a call of the function that pc is in; direct:
   and says which. */
bool iot_calls(uintptr_t ret, uintptr_t pc, bool direct, uint64_t *room);

#pragma GCC visibility pop

#endif
