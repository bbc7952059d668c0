/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-stub.h - x86-64: jumps to functions that are found when the program runs, and to
   wrappers by other names; data that only the loader knows the place of. */
#ifndef IOT_ARCH_STUB_H
#define IOT_ARCH_STUB_H

/* A jump to what NAME means beyond the recorder, or means by an old version: see
   lib/dynamic/stubs.c, whose slots these are.  Stubs stand between IOT_STUBS_BEGIN and
   IOT_STUBS_END, which tell unwinders of all of them at once: each program is linked with
   hundreds. */
#define IOT_STUB_SECTION ".section .text.iot_stubs,\"ax\",@progbits\n"
#define IOT_STUBS_BEGIN	 __asm__(IOT_STUB_SECTION ".cfi_startproc\n.text\n")
#define IOT_STUBS_END	 __asm__(IOT_STUB_SECTION ".cfi_endproc\n.text\n")
#define IOT_STUB(stub, name) IOT_STUB_VERSION(stub, name, "")
#define IOT_STUB_VERSION(stub, name, version)                                              \
	__asm__(".data\n.balign 8\n"                                                       \
		"9:	.quad 0, 0\n	.asciz \"" name "\"\n	.asciz \"" version "\"\n" \
		IOT_STUB_SECTION ".balign 8\n"                                             \
		".globl " stub "\n.hidden " stub "\n.type " stub ",@function\n" stub ":\n" \
		"	leaq 9b(%rip), %r11\n"                                             \
		"	cmpq $0, (%r11)\n"                                                 \
		"	je iot_resolve_stub\n"                                             \
		"	jmp *(%r11)\n"                                                     \
		".size " stub ", .-" stub "\n.text\n");

/* NAME itself, with the slot of the stub in front of it: a jump to our wrapper, or to what the
   program has by that name.  It is weak: what the executable has is what the program wants. */
#define IOT_ENTRY(name)                                                                    \
	__asm__(IOT_STUB_SECTION ".balign 8\n"                                             \
		".hidden __wrap_" #name "\n.weak " #name "\n.type " #name ",@function\n" #name ":\n" \
		"	leaq 9b(%rip), %r11\n"                                             \
		"	leaq 1f(%rip), %r10\n"                                             \
		"	cmpq $1, 8(%r11)\n"                                                \
		"	jne iot_entry_stub\n"                                              \
		"1:	jmp __wrap_" #name "\n"                                            \
		".size " #name ", .-" #name "\n.text\n");

/* r11: the slot.  All that may hold arguments is kept; stubs.c and next.c are compiled to use no
   vector registers.  FIND leaves in r11 where to go on. */
#define IOT_FIND(function)                                                                 \
		"	pushq %rax\n	pushq %rdi\n	pushq %rsi\n	pushq %rdx\n	pushq %rcx\n" \
		"	pushq %r8\n	pushq %r9\n	pushq %r10\n	pushq %r11\n"      \
		"	.cfi_adjust_cfa_offset 72\n"                                       \
		"	movq %r11, %rdi\n"                                                 \
		"	call " function "\n"                                               \
		"	movq %rax, (%rsp)\n"                                               \
		"	popq %r11\n	popq %r10\n	popq %r9\n	popq %r8\n"        \
		"	popq %rcx\n	popq %rdx\n	popq %rsi\n	popq %rdi\n	popq %rax\n" \
		"	.cfi_adjust_cfa_offset -72\n"
#define IOT_STUB_FUNCTION(name, code)                                                      \
	__asm__(IOT_STUB_SECTION ".globl " name "\n.hidden " name "\n.type " name ",@function\n" name ":\n" \
		"	.cfi_startproc\n" code "	.cfi_endproc\n.size " name ", .-" name "\n.text\n")
#define IOT_RESOLVE_STUB                                                                   \
	IOT_STUB_FUNCTION("iot_resolve_stub", IOT_FIND("iot_resolve") "	jmp *%r11\n")

/* r10: the jump to our wrapper.  Another thread may have found the entry since NAME
   looked; what is not 0 stays. */
#define IOT_FIND_ENTRY_STUB                                                                \
	IOT_STUB_FUNCTION("iot_entry_stub",                                                \
		"	cmpq $0, 8(%r11)\n"                                                \
		"	je 2f\n"                                                           \
		"	movq 8(%r11), %r11\n"                                              \
		"	jmp 3f\n"                                                          \
		"2:\n" IOT_FIND("iot_find_entry")                                          \
		"3:	cmpq $1, %r11\n"                                                   \
		"	cmoveq %r10, %r11\n"                                               \
		"	jmp *%r11\n")

/* By an old version's name, the wrapper of what it meant then (lib/dynamic/old.c). */
#define IOT_OLD_NAME(name, version, wrapper)                                               \
	__asm__(".text\n.globl iot_was_" #name "_" #version "\n"                           \
		".type iot_was_" #name "_" #version ",@function\n"                         \
		"iot_was_" #name "_" #version ":\n"                                        \
		"	.cfi_startproc\n	jmp " #wrapper "\n	.cfi_endproc\n"    \
		".symver iot_was_" #name "_" #version "," #name "@" #version ",remove\n");

/* By its name, a function of a library that the program may not have (lib/archive.mk). */
#define IOT_GUEST(name)                                                                    \
	__asm__(".text\n.hidden iot_to_" #name "\n.weak " #name "\n"                        \
		".type " #name ",@function\n" #name ":\n"                                  \
		"	.cfi_startproc\n	jmp iot_to_" #name "\n	.cfi_endproc\n"     \
		".size " #name ", .-" #name "\n")

/* iot_unwind_resume jumps to what iot_unwind_resume_to points to (lib/dynamic/unwind.c). */
#define IOT_RESUME_STUB                                                                    \
	__asm__(".text\n.globl iot_unwind_resume\n.hidden iot_unwind_resume\n"             \
		".type iot_unwind_resume,@function\n"                                      \
		"iot_unwind_resume:\n"                                                     \
		"	.cfi_startproc\n"                                                  \
		"	jmp *iot_unwind_resume_to(%rip)\n"                                 \
		"	.cfi_endproc\n"                                                    \
		".size iot_unwind_resume, .-iot_unwind_resume\n")

/* What the loader has filled in for a name; not what the compiler takes it for. */
#define IOT_SLOT_OF(name, to) __asm__ __volatile__("movq " name "@GOTPCREL(%%rip), %0" : "=r"(to))
/* The same of one that there may not be: NULL. */
#define IOT_WEAK_SLOT_OF(name, to) \
	__asm__ __volatile__(".weak " name "\n\tmovq " name "@GOTPCREL(%%rip), %0" : "=r"(to))

#endif
