/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lend-stack.c - x86-64: iot_lend_stack(flags, job, arg), for lib/core/lend.c.  The new task goes
 * on below the caller's frame, of which it changes nothing.  The kernel leaves all registers as
 * they are but rax, rcx and r11.  It lies with the other system calls of the recorder.
 */
__asm__(".section iot_kernel,\"ax\",@progbits\n"
	".globl iot_lend_stack\n"
	".hidden iot_lend_stack\n"
	".type iot_lend_stack,@function\n"
	"iot_lend_stack:\n"
	"	.cfi_startproc\n"
	"	movq %rsi, %r8\n"
	"	movq %rdx, %r9\n"
	"	leaq -8(%rsp), %rsi\n"
	"	xorl %edx, %edx\n"
	"	xorl %r10d, %r10d\n"
	"	movl $56, %eax\n"		/* clone */
	"	syscall\n"
	"	testq %rax, %rax\n"
	"	jz 1f\n"
	"	ret\n"
	"1:	.cfi_undefined rip\n"
	"	movq %r9, %rdi\n"
	"	call *%r8\n"
	"	xorl %edi, %edi\n"
	"	movl $60, %eax\n"		/* exit */
	"	syscall\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size iot_lend_stack, .-iot_lend_stack\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");
