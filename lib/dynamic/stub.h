/* SPDX-License-Identifier: BSD-3-Clause */
/* stub.h - a jump to what NAME means beyond the recorder, or means by an old version:
   see stubs.c. */
#ifndef IOT_STUB_H
#define IOT_STUB_H

#if defined(__x86_64__)
#define IOT_STUB(stub, name) IOT_STUB_VERSION(stub, name, "")
#define IOT_STUB_VERSION(stub, name, version)                                              \
	__asm__(".data\n.balign 8\n"                                                       \
		"9:	.quad 0\n	.asciz \"" name "\"\n	.asciz \"" version "\"\n"  \
		".text\n.balign 16\n"                                                      \
		".globl " stub "\n.hidden " stub "\n.type " stub ",@function\n" stub ":\n" \
		"	.cfi_startproc\n"                                                  \
		"	movq 9b(%rip), %r11\n"                                             \
		"	testq %r11, %r11\n"                                                \
		"	je 1f\n"                                                           \
		"	jmp *%r11\n"                                                       \
		"1:	leaq 9b(%rip), %r11\n"                                             \
		"	jmp iot_resolve_stub\n"                                            \
		"	.cfi_endproc\n.size " stub ", .-" stub "\n");
#else
#error "no jump to libc's functions for this processor yet"
#endif

#endif
