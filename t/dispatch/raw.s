# SPDX-License-Identifier: BSD-3-Clause
# raw.s - a program without libc, but for the loader: all its system calls are
# its own, and so are its process, its vfork child and its thread.
	.set SYS_read, 0
	.set SYS_write, 1
	.set SYS_close, 3
	.set SYS_lseek, 8
	.set SYS_clone, 56
	.set SYS_fork, 57
	.set SYS_vfork, 58
	.set SYS_exit, 60
	.set SYS_wait4, 61
	.set SYS_unlink, 87
	.set SYS_futex, 202
	.set SYS_exit_group, 231
	.set SYS_openat, 257
	.set SYS_pread64, 17

	.macro call number, a=$0, b=$0, c=$0, d=$0, e=$0, f=$0
	movq \a, %rdi
	movq \b, %rsi
	movq \c, %rdx
	movq \d, %r10
	movq \e, %r8
	movq \f, %r9
	movl $\number, %eax
	syscall
	.endm

	.section .rodata
file:	.asciz "raw.out"
none:	.asciz "no/such/file"
text:	.ascii "by hand\n"
	.set size, . - text
	.bss
	.align 64
buffer:	.skip 4096
stack:	.skip 16384
top:	.skip 8
done:	.skip 4

	.text
	.globl _start
_start:
	xorl %ebp, %ebp
	leaq file(%rip), %r12
	leaq text(%rip), %r13
	leaq buffer(%rip), %r14
	call SYS_openat, $-100, %r12, $0102, $0600
	movq %rax, %rbx
	movl $100, %r15d
1:	call SYS_write, %rbx, %r13, $size
	decl %r15d
	jnz 1b
	call SYS_lseek, %rbx, $3, $0
	call SYS_read, %rbx, %r14, $64
	call SYS_pread64, %rbx, %r14, $64, $8
	leaq none(%rip), %rsi
	call SYS_openat, $-100, %rsi, $0
	call SYS_read, $77, %r14, $1
	call SYS_fork
	testq %rax, %rax
	jz child
	call SYS_wait4, $-1
	call SYS_vfork
	testq %rax, %rax
	jz child
	call SYS_wait4, $-1
	# a thread: VM, FS, FILES, SIGHAND, THREAD
	leaq top(%rip), %rsi
	call SYS_clone, $0x10f00, %rsi
	testq %rax, %rax
	jz thread
2:	leaq done(%rip), %rdi
	call SYS_futex, %rdi, $0, $0
	cmpl $0, done(%rip)
	je 2b
	call SYS_close, %rbx
	call SYS_unlink, %r12
	call SYS_write, $1, %r13, $size
	call SYS_exit_group, $42
child:
	call SYS_write, %rbx, %r13, $size
	call SYS_exit, $0
thread:
	movl $50, %r15d
3:	call SYS_write, %rbx, %r13, $size
	decl %r15d
	jnz 3b
	movl $1, done(%rip)
	leaq done(%rip), %rdi
	call SYS_futex, %rdi, $1, $1
	call SYS_exit, $0

	.section .note.GNU-stack,"",@progbits
