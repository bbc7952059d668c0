/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways in which compilers put a number into rax, one function each.  The
 * comment says what iotrace-audit must find; nothing: the call is no I/O.
 */
#define FUNCTION(name) .globl name; .type name, @function; name
#define END(name) .size name, . - name

	.text
FUNCTION(_start):
	call	plain
	call	zero
	call	copied
	call	loaded
	call	pushed
	call	merged
	call	conditional
	call	looped
	call	clobbered
	call	passed
	call	memory
	call	switched
	call	padded
	call	harmless
	call	newer
	call	old_way
	call	__wrap_write
	hlt
END(_start)

FUNCTION(plain):		/* write */
	mov	$1, %eax
	syscall
	ret
END(plain)

FUNCTION(zero):			/* read */
	xor	%eax, %eax
	syscall
	ret
END(zero)

FUNCTION(copied):		/* pwrite64 */
	mov	$18, %r9d
	nop
	mov	%r9d, %eax
	syscall
	ret
END(copied)

FUNCTION(loaded):		/* fsync: 70 + 4 */
	mov	$70, %ecx
	lea	4(%rcx), %eax
	syscall
	ret
END(loaded)

FUNCTION(pushed):		/* close */
	push	$3
	xor	%edi, %edi
	pop	%rax
	syscall
	ret
END(pushed)

FUNCTION(merged):		/* mkdir, rmdir */
	mov	$83, %eax
	test	%edi, %edi
	je	1f
	mov	$84, %eax
1:	syscall
	ret
END(merged)

FUNCTION(conditional):		/* link, unlink */
	mov	$86, %eax
	mov	$87, %edx
	test	%edi, %edi
	cmovne	%edx, %eax
	syscall
	ret
END(conditional)

FUNCTION(looped):		/* ftruncate: rdx survives the call, rax does not */
	mov	$77, %edx
1:	mov	%edx, %eax
	syscall
	test	%eax, %eax
	jne	1b
	ret
END(looped)

FUNCTION(clobbered):		/* unknown number: r9 does not survive a function */
	mov	$39, %r9d
	call	harmless
	mov	%r9d, %eax
	syscall
	ret
END(clobbered)

FUNCTION(passed):		/* unknown number */
	mov	%edi, %eax
	syscall
	ret
END(passed)

FUNCTION(memory):		/* unknown number: getpid is stored, but who knows */
	movl	$39, -8(%rsp)
	mov	-8(%rsp), %eax
	syscall
	ret
END(memory)

FUNCTION(switched):		/* unlink; rename from above, getpid by the table */
	mov	$82, %eax
	cmp	$1, %edi
	ja	3f
	lea	table(%rip), %rdx
	movslq	(%rdx, %rdi, 4), %rcx
	add	%rdx, %rcx
	jmp	*%rcx
case_0:	mov	$87, %eax
	syscall
	ret
case_1:	mov	$39, %eax
3:	syscall
	ret
END(switched)

FUNCTION(padded):		/* sync: nobody comes through the padding */
	mov	$162, %edx
	jmp	1f
	.p2align 4
	nop
1:	mov	%edx, %eax
	syscall
	ret
END(padded)

FUNCTION(harmless):
	mov	$39, %eax	/* getpid */
	syscall
	mov	$202, %eax	/* futex */
	syscall
	ret
END(harmless)

FUNCTION(newer):		/* number 9999 */
	mov	$9999, %eax
	syscall
	ret
END(newer)

FUNCTION(old_way):		/* int 0x80, sysenter */
	mov	$20, %eax
	int	$0x80
	int3
	sysenter
	ret
END(old_way)

/* Something must look as if it came from iocc. */
FUNCTION(__wrap_write):
	mov	$1, %eax
	syscall
	ret
END(__wrap_write)

	.section .rodata
	.p2align 2
table:	.long	case_0 - table, case_1 - table
	.section .note.GNU-stack, "", @progbits
