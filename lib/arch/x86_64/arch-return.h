/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-return.h - x86-64: a function is called so that it returns elsewhere (lib/wrap/caller.c). */
#ifndef IOT_ARCH_RETURN_H
#define IOT_ARCH_RETURN_H

/* The instruction that returns: one byte. */
#define IOT_CODE_RET 0xc3

/* How a frame of code that keeps a frame pointer ends, before that instruction: unwind.h. */
#define IOT_RULE_KEPT_FP IOT_RULE(IOT_BY_FP, 2, 2)

/* The code at iot_came_back: its parts, and what lies behind it, are returned to by nothing else. */
#define IOT_CAME_BACK_SIZE 8

/* iot_call_returning_to(fn, to, a, b, c).  Who unwinds comes from the code at `to', by the stack
   pointer to iot_came_back, by the frame pointer to behind it, and from there to the caller.
   Unwinders look before the address that is returned to: hence the nops. */
#define IOT_CALL_RETURNING_TO                                                              \
	__asm__(".text\n.globl iot_call_returning_to\n.type iot_call_returning_to,@function\n" \
		"iot_call_returning_to:\n"                                                 \
		"	.cfi_startproc\n"                                                  \
		"	movq %rdi, %rax\n"                                                 \
		"	movq %rsi, %r11\n"                                                 \
		"	movq %rdx, %rdi\n"                                                 \
		"	movq %rcx, %rsi\n"                                                 \
		"	movq %r8, %rdx\n"                                                  \
		"	leaq 2f(%rip), %r10\n"                                             \
		"	pushq %r10\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	pushq %rbp\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	.cfi_rel_offset %rbp, 0\n"                                         \
		"	movq %rsp, %rbp\n"                                                 \
		"	leaq 1f(%rip), %r10\n"                                             \
		"	pushq %r10\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	pushq %r11\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	jmp *%rax\n"                                                       \
		"	.cfi_adjust_cfa_offset -16\n"                                      \
		"	nop\n"                                                             \
		".globl iot_came_back\n.hidden iot_came_back\niot_came_back:\n"            \
		"1:	popq %rbp\n"                                                       \
		"	.cfi_adjust_cfa_offset -8\n"                                       \
		"	.cfi_restore %rbp\n"                                               \
		"	leaq 8(%rsp), %rsp\n"                                              \
		"	.cfi_adjust_cfa_offset -8\n"                                       \
		"	ret\n"                                                             \
		"	nop\n"                                                             \
		"2:	.cfi_endproc\n"                                                    \
		"	ud2\n"                                                             \
		".size iot_call_returning_to, .-iot_call_returning_to\n")

#endif
