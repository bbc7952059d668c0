/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscall.c - x86-64: the recorder's system call instruction.  It lies in a section of its
 * own, with all others that lib/dispatch must not be asked about.
 */
/* In an unwind table: the register was stored so far from rsp. */
#define SAVED(reg, at) "	.cfi_escape 0x10, " #reg ", 3, 0x77, " #at " & 127 | 128, " #at " >> 7\n"

__asm__(".section iot_kernel,\"ax\",@progbits\n"
	".globl iot_syscall\n"
	".hidden iot_syscall\n"
	".type iot_syscall,@function\n"
	"iot_syscall:\n"
	"	.cfi_startproc\n"
	"	cmpb $0, iot_filtered(%rip)\n"
	"	jne 2f\n"
	"1:	movzwl %di, %eax\n"
	"	movq %rsi, %rdi\n"
	"	movq %rdx, %rsi\n"
	"	movq %rcx, %rdx\n"
	"	movq %r8, %r10\n"
	"	movq %r9, %r8\n"
	"	movq 8(%rsp), %r9\n"
	"	syscall\n"
	"	ret\n"
	"2:	testl $0x10000, %edi\n"	/* IOT_ALWAYS */
	"	jnz 1b\n"
	"	movzwl %di, %eax\n"
	"	btq %rax, iot_allowed(%rip)\n"
	"	jc 1b\n"
	"	movq $-1, %rax\n"		/* -EPERM */
	"	ret\n"
	"	.cfi_endproc\n"
	".size iot_syscall, .-iot_syscall\n"
	/* where the kernel returns to from a handler of ours; the registers of what it
	   interrupted lie where the stack pointer points to */
	".globl iot_sigreturn\n"
	".hidden iot_sigreturn\n"
	".type iot_sigreturn,@function\n"
	"	.cfi_startproc simple\n"
	"	.cfi_signal_frame\n"
	"	.cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 0x06\n"	/* the CFA is the word at rsp + 160 */
	/* rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip, as unwind tables count them */
	SAVED(0, 144) SAVED(1, 136) SAVED(2, 152) SAVED(3, 128) SAVED(4, 112) SAVED(5, 104)
	SAVED(6, 120) SAVED(7, 160) SAVED(8, 40) SAVED(9, 48) SAVED(10, 56) SAVED(11, 64)
	SAVED(12, 72) SAVED(13, 80) SAVED(14, 88) SAVED(15, 96) SAVED(16, 168)
	"	nop\n"
	"iot_sigreturn:\n"
	"	movq $15, %rax\n"		/* some unwinders know it by these bytes */
	"	syscall\n"
	".globl iot_sigreturned\n"
	".hidden iot_sigreturned\n"
	"iot_sigreturned:\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size iot_sigreturn, .-iot_sigreturn\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");
