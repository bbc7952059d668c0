/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stubs.c - __real_NAME: a jump to libc's definition, which is looked for when
 * it is first called.  Slots begin as 0 and not as the address of the search:
 * that would have to be relocated, and we may be called before.
 */

#include "iot.h"
#include "next.h"
#include "stub.h"

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

#if defined(__x86_64__)

/* r11: the slot.  All that may hold arguments is kept; this file and next.c are
   compiled to use no vector registers. */
__asm__(IOT_STUB_SECTION ".globl iot_resolve_stub\n.hidden iot_resolve_stub\n.type iot_resolve_stub,@function\niot_resolve_stub:\n"
	"	.cfi_startproc\n"
	"	pushq %rax\n	pushq %rdi\n	pushq %rsi\n	pushq %rdx\n	pushq %rcx\n"
	"	pushq %r8\n	pushq %r9\n	pushq %r10\n	pushq %r11\n"
	"	.cfi_adjust_cfa_offset 72\n"
	"	movq %r11, %rdi\n"
	"	call iot_resolve\n"
	"	movq %rax, (%rsp)\n"
	"	popq %r11\n	popq %r10\n	popq %r9\n	popq %r8\n"
	"	popq %rcx\n	popq %rdx\n	popq %rsi\n	popq %rdi\n	popq %rax\n"
	"	.cfi_adjust_cfa_offset -72\n"
	"	jmp *%r11\n"
	"	.cfi_endproc\n.size iot_resolve_stub, .-iot_resolve_stub\n.text\n");

#else
#error "no jump to libc's functions for this processor yet"
#endif

#define IOT_NEXT(name) IOT_STUB("__real_" #name, #name)
#define IOT_OLD(name, version) IOT_STUB_VERSION("__real_old_" #name, #name, #version)
IOT_STUBS_BEGIN;
#include "next-names.h"

/* what execl and execle end in, one of libc's own calls where these are seen */
IOT_STUB("__wrap___execve", "execve")
IOT_STUBS_END;
