/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind-calls.c - code that no unwind table knows: Go's, a JIT compiler's, assembler's.  Where it
 * keeps frame pointers these lead from caller to caller, but not every function does.  One
 * that calls nothing need not, and then its frame pointer is its caller's, whose frame would
 * be left out.  So an address counts as a caller's if what lies before it calls the function
 * that the frame is in.
 *
 * Where a function ends nobody says.  Go's linker puts breakpoints between them.
 */
#include "arch-unwind.h"
#include "fetch.h"
#include "unwind.h"

#define MAX_FUNCTION (1u << 16)

/* What was found to be so: a word that stands for both addresses. */
#define N_CALLS 256u
static uint64_t calls[N_CALLS];

static uint64_t mixed(uintptr_t ret, uintptr_t pc)
{
	uint64_t x = (ret ^ (uint64_t)iot_rules_are() << 48) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 29 ^ pc) * 0xff51afd7ed558ccdULL;
	return (x ^ x >> 32) | 1;
}

/* Whether no function ends between the two addresses. */
static bool is_one_function(uintptr_t from, uintptr_t to, uint8_t *room, uint32_t size)
{
	uint8_t last = 0;

	if (from >= to || to - from > MAX_FUNCTION)
		return false;
	while (from < to) {
		uint32_t n = to - from < size ? (uint32_t)(to - from) : size;

		if (!iot_fetch(room, (const void *)from, n))
			return false;
		for (uint32_t i = 0; i < n; last = room[i++])
			if (room[i] == IOT_CODE_GAP && last == IOT_CODE_GAP)
				return false;
		from += n;
	}
	return true;
}

static bool look(uintptr_t ret, uintptr_t pc, bool direct, uint64_t *room)
{
	uint8_t code[IOT_CODE_CALL];
	uintptr_t fn;

	if (!iot_fetch(code, (const void *)(ret - sizeof(code)), sizeof(code)))
		return false;
	/* a function that has tables is not the one that has none */
	if (iot_code_calls(code, ret, &fn))
		return IOT_RULE_WAY(iot_rule(fn + 1, room)) == IOT_BY_CHAIN &&
		       is_one_function(fn, pc, (uint8_t *)room, sizeof(((struct iot_walking *)0)->tables));
	return !direct && iot_code_may_call(code);
}

bool iot_calls(uintptr_t ret, uintptr_t pc, bool direct, uint64_t *room)
{
	uint64_t word = mixed(ret, pc), *known = &calls[word >> 32 & (N_CALLS - 1)];

	if (__atomic_load_n(known, __ATOMIC_RELAXED) == word)
		return true;
	if (!look(ret, pc, direct, room))
		return false;
	__atomic_store_n(known, word, __ATOMIC_RELAXED);
	return true;
}
