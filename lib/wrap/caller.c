/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - dlopen looks at its return address: what the calling library was
 * linked with (RUNPATH, namespace) tells where to search.  So it is made to
 * return by way of its caller's code, to any ret instruction there, which then
 * comes back to us.
 */
#include "unwind.h"
#include "wrap.h"

#pragma GCC visibility push(hidden)
long iot_call_returning_to(void *fn, const void *to, uintptr_t a, uintptr_t b, uintptr_t c);
#pragma GCC visibility pop

#if defined(__x86_64__)
#define RET 0xc3

__asm__(".text\n.globl iot_call_returning_to\n.type iot_call_returning_to,@function\n"
	"iot_call_returning_to:\n"
	"	.cfi_startproc\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %r11\n"
	"	movq %rdx, %rdi\n"
	"	movq %rcx, %rsi\n"
	"	movq %r8, %rdx\n"
	"	leaq 1f(%rip), %r10\n"
	"	pushq %r10\n"
	"	pushq %r11\n"
	"	.cfi_adjust_cfa_offset 16\n"
	"	jmp *%rax\n"
	"	.cfi_adjust_cfa_offset -16\n"
	/* unwinders look before the address that is returned to */
	"	nop\n"
	".globl iot_came_back\n.hidden iot_came_back\niot_came_back:\n"
	"1:	ret\n"
	"	.cfi_endproc\n"
	".size iot_call_returning_to, .-iot_call_returning_to\n");
#else
#error "how is a function called so that it returns elsewhere?"
#endif

/* Whether unwinders, who take the byte before for a call, would go on from there to where
   it returns. */
static bool is_plain(const uint8_t *ret)
{
	uint64_t room[sizeof(((struct iot_walking *)0)->tables) / sizeof(uint64_t)];

	return (iot_rule((uintptr_t)ret, room) & ((1u << IOT_RULE_BITS) - 1)) ==
	       IOT_RULE(IOT_BY_SP, IOT_SLOT_KEPT, 1);
}

/* One in the page of the return address, which must be there; NULL if there is none. */
static const void *find_ret(const void *pc)
{
	const uint8_t *page = (const uint8_t *)((uintptr_t)pc & ~4095UL), *any = NULL;

	for (const uint8_t *p = page + 1; p < page + 4096; p++) {
		if (*p != RET)
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
