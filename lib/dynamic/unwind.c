/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.c - what the compiler refers to for wrappers that clean up when an
 * exception or cancellation passes.  To link it would make every C program need
 * libgcc_s.so.  When it is called there is an unwinder, and it is the one that
 * calls: what belongs to it is asked of it.  One that does not have it (linked
 * into the executable, or another's) gets by without: the calls that were left
 * are noticed at the thread's next call.
 *
 * archive.mk renames __gcc_personality_v0 and _Unwind_Resume to these.
 */
#include <stddef.h>
#include <stdint.h>

#include "arch-stub.h"
#include "next.h"

#define CONTINUE_UNWIND 8

typedef int personality_fn(int, int, uint64_t, void *, void *);

#pragma GCC visibility push(hidden)
int iot_personality(int version, int actions, uint64_t class, void *exception, void *context);
void *iot_unwind_resume_to;
#pragma GCC visibility pop

/* The object that this code is in. */
const struct link_map *iot_object_of(uintptr_t pc)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;
	uintptr_t low, high;

	if (!iot_module_of(pc, &low, &high))
		return NULL;
	while (map && (uintptr_t)map->l_ld - low >= high - low)
		map = map->l_next;
	return map;
}

int iot_personality(int version, int actions, uint64_t class, void *exception, void *context)
{
	const struct link_map *map = iot_object_of((uintptr_t)__builtin_return_address(0));
	void *resume = map ? iot_symbol_in(map, "_Unwind_Resume", NULL) : NULL;
	personality_fn *fn = map ? (personality_fn *)iot_symbol_in(map, "__gcc_personality_v0", NULL) : NULL;

	if (!fn || !resume)
		return CONTINUE_UNWIND;
	iot_unwind_resume_to = resume;
	return fn(version, actions, class, exception, context);
}

IOT_RESUME_STUB;
