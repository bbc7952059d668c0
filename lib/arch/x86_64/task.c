/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task.c - x86-64: the instruction that begins a task of the recorder's own, on a stack of its
 * own.  It lies beside those that lib/dispatch must not be asked about.
 */
/* long iot_task_clone(uint64_t flags, uintptr_t stack, uint32_t *tid, uintptr_t tp, void (*run)(void)) */
__asm__(".section iot_kernel,\"ax\",@progbits\n"
	".globl iot_task_clone\n"
	".hidden iot_task_clone\n"
	".type iot_task_clone,@function\n"
	"iot_task_clone:\n"
	"	.cfi_startproc\n"
	"	movq %r8, %r9\n"
	"	movq %rcx, %r8\n"
	"	movq %rdx, %r10\n"		/* where the kernel stores its id, and 0 when it is gone */
	"	movl $56, %eax\n"
	"	syscall\n"
	"	testq %rax, %rax\n"
	"	jz 1f\n"
	"	ret\n"
	"1:	.cfi_undefined %rip\n"
	"	xorl %ebp, %ebp\n"
	"	call *%r9\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size iot_task_clone, .-iot_task_clone\n"
	".text\n");
