/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task.c - x86-64: iot_task_begin, see lib/core/lend.h.  It lies with the other system calls of the
 * recorder, beside those that lib/dispatch must not be asked about.  The kernel leaves all registers
 * as they are but rax, rcx and r11, and where it gives the task no stack of its own, that is the
 * caller's: the job runs below the caller's frame, of which it changes nothing.
 */
__asm__(".section iot_kernel,\"ax\",@progbits\n"
	".globl iot_task_begin\n"
	".hidden iot_task_begin\n"
	".type iot_task_begin,@function\n"
	"iot_task_begin:\n"
	"	.cfi_startproc\n"
	"	movq %r8, %r9\n"		/* the job */
	"	movq %rcx, %r8\n"
	"	movq %rdx, %r10\n"		/* where the kernel stores its id, and 0 when it is gone */
	"	movl $56, %eax\n"		/* clone */
	"	syscall\n"
	"	testq %rax, %rax\n"
	"	jz 1f\n"
	"	ret\n"
	"1:	.cfi_undefined rip\n"
	"	xorl %ebp, %ebp\n"
	"	andq $-16, %rsp\n"
	"	movq %rdx, %rdi\n"
	"	call *%r9\n"
	"	xorl %edi, %edi\n"
	"	movl $60, %eax\n"		/* exit */
	"	syscall\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size iot_task_begin, .-iot_task_begin\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");
