/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - dlopen looks at its return address: what the calling library was
 * linked with (RUNPATH, namespace) tells where to search.  So it is made to
 * return by way of its caller's code, to any ret instruction there, which then
 * comes back to us.
 */
#include "arch-return.h"
#include "unwind.h"
#include "wrap.h"

#pragma GCC visibility push(hidden)
long iot_call_returning_to(void *fn, const void *to, uintptr_t a, uintptr_t b, uintptr_t c);
#pragma GCC visibility pop

IOT_CALL_RETURNING_TO;

/* A process that is not recorded has nowhere to remember rules: it looks them up. */
static uint32_t rule_of(uintptr_t pc, uint64_t *room)
{
	uintptr_t entry;

	if (iot_share)
		return iot_rule(pc, room);
	entry = iot_host_entry(pc - 1);
	return entry ? iot_cfi(entry, pc - 1, room) : 0;
}

/* Whether unwinders, who take the byte before for a call, would go on from there to where
   it returns. */
static bool is_plain(const uint8_t *ret)
{
	uint64_t room[sizeof(((struct iot_walking *)0)->tables) / sizeof(uint64_t)];

	return (rule_of((uintptr_t)ret, room) & ((1u << IOT_RULE_BITS) - 1)) ==
	       IOT_RULE(IOT_BY_SP, IOT_SLOT_KEPT, 1);
}

/* One in the page of the return address, which must be there; NULL if there is none. */
static const void *find_ret(const void *pc)
{
	const uint8_t *page = (const uint8_t *)((uintptr_t)pc & -IOT_PAGE), *any = NULL;

	for (const uint8_t *p = page + 1; p < page + IOT_PAGE; p++) {
		if (*p != IOT_CODE_RET)
			continue;
		if (is_plain(p))
			return p;
		any = p;
	}
	return any;
}

long iot_as_caller(void *fn, const void *caller, uintptr_t a, uintptr_t b, uintptr_t c)
{
	const void *ret = find_ret(caller);

	if (!ret)
		return ((long (*)(uintptr_t, uintptr_t, uintptr_t))fn)(a, b, c);
	return iot_call_returning_to(fn, ret, a, b, c);
}
