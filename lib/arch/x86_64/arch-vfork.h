/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-vfork.h - x86-64: vfork's wrapper, which is assembly (lib/wrap/vfork.c says why). */
#ifndef IOT_ARCH_VFORK_H
#define IOT_ARCH_VFORK_H

/* rdi holds the return address and rsi our thread across the system call, which is
   not one for lib/dispatch. */
#define IOT_VFORK(name)                                                                    \
	__asm__(".section iot_kernel,\"ax\",@progbits\n"                                      \
		".globl " name "\n.type " name ",@function\n" name ":\n"                      \
		"	.cfi_startproc\n"                                                  \
		"	pushq %rbp\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	movq %rsp, %rdi\n"                                                 \
		"	call iot_vfork_before\n"                                           \
		"	popq %rbp\n"                                                       \
		"	.cfi_adjust_cfa_offset -8\n"                                       \
		"	popq %rdi\n"                                                       \
		"	.cfi_adjust_cfa_offset -8\n"                                       \
		"	.cfi_register %rip, %rdi\n"                                        \
		"	movq %rax, %rsi\n"                                                 \
		"	movl $58, %eax\n"                                                  \
		"	syscall\n"                                                         \
		"	pushq %rdi\n"                                                      \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	.cfi_offset %rip, -8\n"                                            \
		"	subq $8, %rsp\n"                                                   \
		"	.cfi_adjust_cfa_offset 8\n"                                        \
		"	testq %rax, %rax\n"                                                \
		"	je 1f\n"                                                           \
		"	movq %rsi, %rdi\n"                                                 \
		"	movq %rax, %rsi\n"                                                 \
		"	call iot_vfork_after\n"                                            \
		"	jmp 2f\n"                                                          \
		"1:	call iot_vfork_child\n"                                            \
		"	xorl %eax, %eax\n"                                                 \
		"2:	addq $8, %rsp\n"                                                   \
		"	.cfi_adjust_cfa_offset -8\n"                                       \
		"	ret\n"                                                             \
		"	.cfi_endproc\n"                                                    \
		".size " name ", .-" name "\n.text\n");

#endif
