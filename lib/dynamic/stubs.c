/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stubs.c - __real_NAME: a jump to libc's definition, which is looked for when it is first
 * called; and NAME, for what a program may define itself: a jump to our wrapper, or to the
 * program's function, whatever its arguments are.  Slots begin as 0 and not as the address of
 * the search: that would have to be relocated, and we may be called before.
 */

#include "arch-stub.h"
#include "libc.h"
#include "next.h"

#pragma GCC visibility push(hidden)
struct iot_slot_next {
	void *to;		/* 0: not known yet */
	void *entry;		/* where a call of NAME goes; 0: not known yet; 1: to our wrapper */
	char name[];		/* and behind it the version; empty: what it means today */
};
void *iot_resolve(struct iot_slot_next *s);
void *iot_find_entry(struct iot_slot_next *s);
#pragma GCC visibility pop

/* The libc that runs has no such function, other than the one that we were built for. */
static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

void *iot_resolve(struct iot_slot_next *s)
{
	const char *version = s->name;
	void *to = NULL;

	while (*version++)
		;
	if (*version)
		to = iot_next(s->name, version);
	if (!to)
		to = iot_next(s->name, NULL);
	if (!to)
		to = (void *)missing;
	__atomic_store_n(&s->to, to, __ATOMIC_RELAXED);
	return to;
}

void *iot_find_entry(struct iot_slot_next *s)
{
	void *entry = iot_programs_own(s->name);

	if (!entry)
		entry = (void *)1;
	__atomic_store_n(&s->entry, entry, __ATOMIC_RELAXED);
	return entry;
}

IOT_RESOLVE_STUB;
IOT_FIND_ENTRY_STUB;

#define IOT_NEXT(name) IOT_STUB("__real_" #name, #name)
#define IOT_OLD(name, version) IOT_STUB_VERSION("__real_old_" #name, #name, #version)
IOT_STUBS_BEGIN;
#include "next-names.h"

/* what execl and execle end in, one of libc's own calls where these are seen */
IOT_STUB("__wrap___execve", "execve")
IOT_STUBS_END;
