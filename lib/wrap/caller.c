/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - dlopen looks at its return address: what the calling library was
 * linked with (RUNPATH, namespace) tells where to search.  So it is made to
 * return by way of its caller's code, to any ret instruction there, which then
 * comes back to us.
 */
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
	"1:	ret\n"
	"	.cfi_endproc\n"
	".size iot_call_returning_to, .-iot_call_returning_to\n");
#else
#error "how is a function called so that it returns elsewhere?"
#endif

/* One near the return address, in a page that must be there; NULL if there is none. */
static const void *find_ret(const void *pc)
{
	const uint8_t *page = (const uint8_t *)((uintptr_t)pc & ~4095UL), *p;

	for (p = pc; p < page + 4096; p++)
		if (*p == RET)
			return p;
	for (p = pc; p > page; p--)
		if (p[-1] == RET)
			return p - 1;
	return NULL;
}

long iot_as_caller(void *fn, const void *caller, uintptr_t a, uintptr_t b, uintptr_t c)
{
	const void *ret = find_ret(caller);

	if (!ret)
		return ((long (*)(uintptr_t, uintptr_t, uintptr_t))fn)(a, b, c);
	return iot_call_returning_to(fn, ret, a, b, c);
}
