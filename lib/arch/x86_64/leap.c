/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leap.c - x86-64: the instructions that make the program's system calls.
 *
 * A system call leaves all registers as they were but rax, rcx and r11, and so do
 * the leaps.  A child has Syscall User Dispatch off, and the instruction after the
 * leap must not be reached before it is on: prctl's arguments need five registers,
 * whose contents wait meanwhile below the child's stack pointer, or if that stack
 * is its parent's, in thread-local storage, which is its parent's too.  Should
 * prctl fail, the child goes on by itself.
 */
#include "../../dispatch/machine.h"

/* rdi, rsi, rdx, r10, r8; where the child goes on */
__thread uint64_t iot_leap_saved[6];

#define SAVE(at)                                                                           \
	"	movq %rdi, " at(0) "\n	movq %rsi, " at(8) "\n	movq %rdx, " at(16) "\n"   \
	"	movq %r10, " at(24) "\n	movq %r8, " at(32) "\n"
#define RESTORE(at)                                                                        \
	"	movq " at(0) ", %rdi\n	movq " at(8) ", %rsi\n	movq " at(16) ", %rdx\n"   \
	"	movq " at(24) ", %r10\n	movq " at(32) ", %r8\n"
/* prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, start, size, 0) */
#define DISPATCH                                                                           \
	"	movl $59, %edi\n	movl $1, %esi\n"                                   \
	"	leaq __start_iot_kernel(%rip), %rdx\n"                                     \
	"	leaq __stop_iot_kernel(%rip), %r10\n	subq %rdx, %r10\n"                 \
	"	xorl %r8d, %r8d\n	movl $157, %eax\n	syscall\n"
/* rt_sigaction(SIGSYS, &iot_signal_ours, NULL, 8), in a child that has no handlers (CLONE_CLEAR_SIGHAND) */
#define HANDLER                                                                            \
	"	movl $31, %edi\n	leaq iot_signal_ours(%rip), %rsi\n	xorl %edx, %edx\n"   \
	"	movl $8, %r10d\n	movl $13, %eax\n	syscall\n"
/* The call: who made it goes on at iot_land, a child behind this. */
#define CHILD                                                                              \
	"	syscall\n	testq %rax, %rax\n	jnz iot_land\n"
/* THREAD(0) is iot_leap_saved then. */
#define TO_THREAD                                                                          \
	"	movq iot_leap_saved@gottpoff(%rip), %rcx\n	addq %fs:0, %rcx\n"
#define THREAD(n) #n "(%rcx)"
#define STACK(n)  #n "-80(%rsp)"

#define BEGIN(name)                                                                        \
	".globl " name "\n.hidden " name "\n.type " name ",@function\n" name ":\n"
#define END(name) ".size " name ", .-" name "\n"

__asm__(".section iot_kernel,\"ax\",@progbits\n"
	BEGIN("iot_relay")
	"	.cfi_startproc\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %r11\n"
	"	movq (%r11), %rdi\n	movq 8(%r11), %rsi\n	movq 16(%r11), %rdx\n"
	"	movq 24(%r11), %r10\n	movq 32(%r11), %r8\n	movq 40(%r11), %r9\n"
	"	syscall\n"
	"	ret\n"
	"	.cfi_endproc\n"
	END("iot_relay")

	BEGIN("iot_leap_plain")
	"	syscall\n"
	"	jmp iot_land\n"
	END("iot_leap_plain")

	BEGIN("iot_leap_sigreturn")
	"	syscall\n"
	"	ud2\n"
	END("iot_leap_sigreturn")

	BEGIN("iot_leap_same_stack")
	CHILD
	TO_THREAD
	SAVE(THREAD)
	"iot_same_stack_saved:\n"
	DISPATCH
	TO_THREAD
	RESTORE(THREAD)
	"	testq %rax, %rax\n"
	"	jz iot_land\n"
	"	movq 40(%rcx), %rcx\n"
	"	xorl %eax, %eax\n"
	"	jmp *%rcx\n"
	END("iot_leap_same_stack")

	BEGIN("iot_leap_same_stack_cleared")
	CHILD
	TO_THREAD
	SAVE(THREAD)
	HANDLER
	"	jmp iot_same_stack_saved\n"
	END("iot_leap_same_stack_cleared")

	BEGIN("iot_leap_new_stack_cleared")
	CHILD
	SAVE(STACK)
	HANDLER
	"	jmp iot_new_stack_saved\n"
	END("iot_leap_new_stack_cleared")

	BEGIN("iot_leap_no_altstack")
	CHILD
	SAVE(STACK)
	/* sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL) */
	"	movq $0, -112(%rsp)\n	movq $2, -104(%rsp)\n	movq $0, -96(%rsp)\n"
	"	leaq -112(%rsp), %rdi\n	xorl %esi, %esi\n	movl $131, %eax\n	syscall\n"
	"	jmp iot_new_stack_saved\n"
	END("iot_leap_no_altstack")

	BEGIN("iot_leap_new_stack")
	CHILD
	SAVE(STACK)
	"iot_new_stack_saved:\n"
	DISPATCH
	RESTORE(STACK)
	"	testq %rax, %rax\n"
	"	jz iot_land_new_stack\n"
	"	xorl %eax, %eax\n"
	"	jmp *-8(%rsp)\n"
	END("iot_leap_new_stack")

	BEGIN("iot_leap_left_alone")
	CHILD
	"	jmp *-8(%rsp)\n"
	END("iot_leap_left_alone")

	".text\n"
	"iot_land:\n"
	"	syscall\n"
	".globl iot_landed\n.hidden iot_landed\niot_landed:\n"
	"	ud2\n"
	"iot_land_new_stack:\n"
	"	syscall\n"
	".globl iot_landed_new_stack\n.hidden iot_landed_new_stack\niot_landed_new_stack:\n"
	"	ud2\n");
