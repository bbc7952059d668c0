/* SPDX-License-Identifier: BSD-3-Clause */
/* sys.c - the recorder's system call instruction. */
#include "arch.h"

#if defined(__x86_64__)
__asm__(".text\n"
	".globl iot_syscall\n"
	".hidden iot_syscall\n"
	".type iot_syscall,@function\n"
	"iot_syscall:\n"
	"	.cfi_startproc\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %rdi\n"
	"	movq %rdx, %rsi\n"
	"	movq %rcx, %rdx\n"
	"	movq %r8, %r10\n"
	"	movq %r9, %r8\n"
	"	movq 8(%rsp), %r9\n"
	"	syscall\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size iot_syscall, .-iot_syscall\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");
#endif
