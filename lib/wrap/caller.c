/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - dlopen looks at its return address: what the calling library was
 * linked with (RUNPATH, namespace) tells where to search.  So it is made to
 * return by way of its caller's code, to any ret instruction there, which then
 * comes back to us.
 */
#include "fetch.h"
#include "unwind.h"
#include "wrap.h"

#include <string.h>

/* Where one is looked for. */
#define REACH (64UL * IOT_PAGE)

#pragma GCC visibility push(hidden)
long iot_call_returning_to(void *fn, const void *to, uintptr_t a, uintptr_t b, uintptr_t c);
#pragma GCC visibility pop

IOT_CALL_RETURNING_TO;

/* A process that is not recorded has nowhere to remember rules: it looks them up. */
static uint32_t rule_of(uintptr_t pc)
{
	uint64_t room[sizeof(((struct iot_walking *)0)->tables) / sizeof(uint64_t)];
	uintptr_t entry;

	if (iot_share)
		return iot_rule(pc, room) & ((1u << IOT_RULE_BITS) - 1);
	entry = iot_host_entry(pc - 1);
	return entry ? iot_cfi(entry, pc - 1, room) : 0;
}

/* Whether unwinders, who take the byte before for a call, would go on from there to where
   it returns. */
static bool leads_back(uint32_t rule)
{
	return rule == IOT_RULE(IOT_BY_SP, IOT_SLOT_KEPT, 1) || rule == IOT_RULE_KEPT_FP;
}

/* One that leads back, in a page; else any that tables know, or NULL. */
static const uint8_t *find_in(const uint8_t *page, bool *leads)
{
	const uint8_t *any = NULL;

	for (const uint8_t *p = page + 1; p < page + IOT_PAGE && !*leads; p++) {
		uint32_t rule = *p == IOT_CODE_RET ? rule_of((uintptr_t)p) : 0;

		*leads = leads_back(rule);
		if (rule && IOT_RULE_WAY(rule) != IOT_BY_CHAIN)
			any = p;
	}
	return any;
}

/* The next page of code, before or behind. */
static const uint8_t *find_beside(const uint8_t *page, bool *goes_on, bool *leads)
{
	const uint8_t *found = NULL;

	if (*goes_on && iot_fetch(&(char){ 0 }, page, 1))
		found = find_in(page, leads);
	*goes_on = found;
	return *leads ? found : NULL;
}

/* One in the page of the return address, which must be there, or in those around that have code
   of the same module, too: where that ends tables know no code.  NULL if there is none. */
static const void *find_ret(const void *pc)
{
	const uint8_t *page = (const uint8_t *)((uintptr_t)pc & -IOT_PAGE), *any, *found = NULL;
	bool leads = false, behind = true, before = true;

	any = find_in(page, &leads);
	if (leads)
		return any;
	for (uintptr_t far = IOT_PAGE; far <= REACH && (behind || before) && !found; far += IOT_PAGE) {
		found = find_beside(page + far, &behind, &leads);
		if (!found)
			found = find_beside(page - far, &before, &leads);
	}
	if (found)
		return found;
	return any ? any : memchr(page, IOT_CODE_RET, IOT_PAGE);
}

long iot_as_caller(void *fn, const void *caller, uintptr_t a, uintptr_t b, uintptr_t c)
{
	const void *ret = find_ret(caller);

	if (!ret)
		return ((long (*)(uintptr_t, uintptr_t, uintptr_t))fn)(a, b, c);
	return iot_call_returning_to(fn, ret, a, b, c);
}
