/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind-rules.c - the rule for an address, which is looked up once and kept.
 *
 * Where in a module's tables an address is, is found by host.c's kin: in a static
 * executable by an index (unwind-static.c), otherwise by what linkers have sorted
 * (lib/dynamic/modules.c).  Nothing is read there before a stack needs it: a rule takes a
 * dozen reads, once.
 *
 * Any thread may come here at any time, a handler on it too, and none waits for another:
 * what is found is stored with one store, and of two that find the same one was in vain.
 */
#include <string.h>

#include "arch-unwind.h"
#include "compiler.h"
#include "fetch.h"
#include "unwind.h"

#ifdef IOT_DYNAMIC
iot_rule_sets iot_rules __attribute__((aligned(64)));
#endif
uint32_t iot_rules_turn;

void iot_rules_forget(void)
{
	for (uint64_t *word = *IOT_RULES; word < *IOT_RULES + sizeof(IOT_RULES) / sizeof(*word); word++)
		__atomic_store_n(word, 0, __ATOMIC_RELAXED);
	__atomic_add_fetch(&iot_rules_turn, 1, __ATOMIC_RELEASE);
}

/* pc is in the call's instruction. */
static uint32_t look_up(uintptr_t pc, uint64_t *room)
{
	uintptr_t entry = iot_host_entry(pc);
	char code[sizeof(IOT_SIGRETURN)];
	uint32_t rule = entry ? iot_cfi(entry, pc, room) : 0;

	if (rule)
		return rule;
	if (iot_fetch(code, (const void *)(pc + 1), sizeof(code) - 1) && !memcmp(code, IOT_SIGRETURN, sizeof(code) - 1))
		return IOT_RULE(IOT_BY_SIGNAL, 0, 0);
	return IOT_RULE(IOT_BY_CHAIN, 0, 0);
}

IOT_COLD uint32_t iot_rule_slow(uintptr_t pc, uint64_t *room)
{
	uint64_t *set = iot_rule_set(pc), word = pc >> IOT_SET_BITS << IOT_RULE_BITS;
	uint32_t rule, i = 0;

	/* no address of the program's */
	if (pc >> 47)
		return IOT_RULE(IOT_AT_END, 0, 0);
	rule = look_up(pc - 1, room);
	while (i < IOT_WAYS && __atomic_load_n(&set[i], __ATOMIC_RELAXED))
		i++;
	__atomic_store_n(&set[i < IOT_WAYS ? i : pc >> 3 & (IOT_WAYS - 1)], word | rule, __ATOMIC_RELAXED);
	return rule;
}
