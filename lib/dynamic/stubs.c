/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stubs.c - __real_NAME: a jump to libc's definition, which is looked for when
 * it is first called.  Slots begin as 0 and not as the address of the search:
 * that would have to be relocated, and we may be called before.
 */

#include "arch-stub.h"
#include "libc.h"
#include "next.h"

#pragma GCC visibility push(hidden)
struct iot_slot_next {
	void *to;		/* 0: not known yet */
	char name[];		/* and behind it the version; empty: what it means today */
};
void *iot_resolve(struct iot_slot_next *s);
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

IOT_RESOLVE_STUB;

#define IOT_NEXT(name) IOT_STUB("__real_" #name, #name)
#define IOT_OLD(name, version) IOT_STUB_VERSION("__real_old_" #name, #name, #version)
IOT_STUBS_BEGIN;
#include "next-names.h"

/* what execl and execle end in, one of libc's own calls where these are seen */
IOT_STUB("__wrap___execve", "execve")
IOT_STUBS_END;
