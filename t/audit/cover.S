/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that make system calls, and the ways in which code can get to them.
 * Each is named after the call that it makes where a wrapper wraps it, and else
 * after the way.  Without HOLES all that matters is behind wrappers.  Nothing
 * here is run.
 */
#define FUNCTION(name) .globl name; .type name, @function; name
#define LOCAL(name) .type name, @function; name
#define END(name) .size name, . - name
#define WRAPPER(name) FUNCTION(WRAP(name)): call iot_enter; jmp REAL(name); END(WRAP(name))
#define CALL(number) mov $number, %eax; syscall; ret

/* As the linker's --wrap has it, or as where libc's own names are changed. */
#ifdef DIRECT
# define WRAP(name) name
# define REAL(name) iot_real_##name
#else
# define WRAP(name) __wrap_##name
# define REAL(name) name
#endif

	.text
FUNCTION(_start):
	call	WRAP(read)
	call	WRAP(write)
	call	WRAP(fcntl)
	call	WRAP(ioctl)
	call	WRAP(flock)
	call	WRAP(fsync)
	call	__wrap_malloc
	call	WRAP(close)
	call	WRAP(dup)
	call	WRAP(vfork)
	call	iot_enter
	mov	$60, %eax		/* exit: no I/O */
	syscall
#ifdef HOLES
	call	REAL(write)		/* past its wrapper */
	call	REAL(flock)
	lea	by_lea(%rip), %rdi
	test	%edi, %edi
	jne	by_branch
	push	by_slot@GOTPCREL(%rip)
	call	no_symbol
	call	fdatasync
	call	code_as_data
	lea	table_in_code(%rip), %rsi
	mov	$231, %eax		/* exit_group */
	syscall
	jmp	by_jump
#endif
	hlt
END(_start)

WRAPPER(read)
WRAPPER(write)
WRAPPER(fcntl)
WRAPPER(ioctl)
WRAPPER(flock)
WRAPPER(fsync)
WRAPPER(close)
FUNCTION(WRAP(dup)):			/* the address of what it wraps, by the GOT */
	call	iot_enter
	push	REAL(dup)@GOTPCREL(%rip)
	ret
END(WRAP(dup))
FUNCTION(__wrap_malloc):		/* the program's own wrapper, not one of ours */
#ifdef HOLES
	call	by_other_wrapper
#endif
	ret
END(__wrap_malloc)

FUNCTION(REAL(read)): CALL(0)			/* only its wrapper leads here */
END(REAL(read))
FUNCTION(REAL(write)): CALL(1)		/* _start too */
END(REAL(write))
FUNCTION(REAL(dup)): CALL(32)
END(REAL(dup))

/* One hop: what works for fcntl, and makes its call. */
FUNCTION(REAL(fcntl)):
	call	hop
	ret
END(REAL(fcntl))
LOCAL(hop): CALL(72)
END(hop)

/* Not so: a record of ioctl says nothing of a close. */
FUNCTION(REAL(ioctl)):
#ifdef HOLES
	call	hop_to_other_call
#endif
	ret
END(REAL(ioctl))
LOCAL(hop_to_other_call): CALL(3)
END(hop_to_other_call)

/* Nor so: flock can be reached without its wrapper. */
FUNCTION(REAL(flock)):
	call	hop_behind_hole
	ret
END(REAL(flock))
LOCAL(hop_behind_hole): CALL(73)
END(hop_behind_hole)

/* The compiler has moved a part of fsync elsewhere. */
FUNCTION(REAL(fsync)):
	test	%edi, %edi
	js	fsync.cold
fsync_rest:
	CALL(74)
END(REAL(fsync))
LOCAL(fsync.cold):
	mov	$74, %eax
	syscall
	jmp	fsync_rest
END(fsync.cold)

/* The program's own function of a name that is wrapped elsewhere is no wrapper. */
FUNCTION(fdatasync): CALL(75)
END(fdatasync)
#ifdef DIRECT
FUNCTION(iot_real_fdatasync): ret
END(iot_real_fdatasync)
#endif

/* Another name, and one that enters in the middle. */
FUNCTION(REAL(close)):
	nop
FUNCTION(__close_nocancel):
	CALL(3)
END(__close_nocancel)
END(REAL(close))

FUNCTION(by_lea): CALL(4)
END(by_lea)
FUNCTION(by_branch): CALL(5)
END(by_branch)
FUNCTION(by_jump): CALL(6)
END(by_jump)
FUNCTION(by_slot): CALL(7)
END(by_slot)
FUNCTION(by_pointer): CALL(8)
END(by_pointer)
FUNCTION(by_other_wrapper): CALL(9)
END(by_other_wrapper)

/* Next to what is reached, but no reference leads there. */
FUNCTION(unused): CALL(16)
END(unused)
FUNCTION(used_by_unused): CALL(17)
END(used_by_unused)
FUNCTION(unused_too):
	call	used_by_unused
	ret
END(unused_too)

FUNCTION(falls):
	nop
END(falls)
FUNCTION(by_falling): CALL(19)
END(by_falling)

/* A wrapper that makes the call itself: nothing of libc's is behind it. */
FUNCTION(WRAP(vfork)):
	call	iot_enter
	CALL(58)
END(WRAP(vfork))

/* The recorder, with a static function that has a static function. */
FUNCTION(iot_enter):
	mov	$18, %eax
	syscall
	call	recorder_local
	ret
END(iot_enter)
LOCAL(recorder_local):
	call	recorder_deeper
	CALL(18)
END(recorder_local)
LOCAL(recorder_deeper): CALL(9)
END(recorder_deeper)

/* A table that would look like a system call, and one that is code. */
	.globl table_in_code
	.type table_in_code, @object
table_in_code:
	.byte 0xb8, 1, 0, 0, 0, 0x0f, 5, 0xc3
	.size table_in_code, . - table_in_code
	.globl code_as_data
	.type code_as_data, @object
code_as_data: CALL(21)
	.size code_as_data, . - code_as_data

	.p2align 4, 0xcc
no_symbol:				/* a label only */
	CALL(20)

	.data
	.p2align 3
	.globl table
	.type table, @object
table:	.quad 0
#ifdef HOLES
	.quad by_pointer, falls
#endif
	.size table, . - table
	.section .note.GNU-stack, "", @progbits
