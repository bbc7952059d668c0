/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-return.h - x86-64: a function is called so that it returns elsewhere (lib/wrap/caller.c). */
#ifndef IOT_ARCH_RETURN_H
#define IOT_ARCH_RETURN_H

/* The instruction that returns: one byte. */
#define IOT_CODE_RET 0xc3

/* iot_call_returning_to(fn, to, a, b, c).  Unwinders look before the address that is returned
   to: hence the nop. */
#define IOT_CALL_RETURNING_TO                                                              \
	__asm__(".text\n.globl iot_call_returning_to\n.type iot_call_returning_to,@function\n" \
		"iot_call_returning_to:\n"                                                 \
		"	.cfi_startproc\n"                                                  \
		"	movq %rdi, %rax\n"                                                 \
		"	movq %rsi, %r11\n"                                                 \
		"	movq %rdx, %rdi\n"                                                 \
		"	movq %rcx, %rsi\n"                                                 \
		"	movq %r8, %rdx\n"                                                  \
		"	leaq 1f(%rip), %r10\n"                                             \
		"	pushq %r10\n"                                                      \
		"	pushq %r11\n"                                                      \
		"	.cfi_adjust_cfa_offset 16\n"                                       \
		"	jmp *%rax\n"                                                       \
		"	.cfi_adjust_cfa_offset -16\n"                                      \
		"	nop\n"                                                             \
		".globl iot_came_back\n.hidden iot_came_back\niot_came_back:\n"            \
		"1:	ret\n"                                                             \
		"	.cfi_endproc\n"                                                    \
		".size iot_call_returning_to, .-iot_call_returning_to\n")

#endif
