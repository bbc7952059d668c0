/* SPDX-License-Identifier: BSD-3-Clause */
/* stub.h - a jump to what NAME means beyond the recorder, or means by an old version:
   see stubs.c.  Stubs stand between IOT_STUBS_BEGIN and IOT_STUBS_END, which tell
   unwinders of all of them at once: each program is linked with hundreds. */
#ifndef IOT_STUB_H
#define IOT_STUB_H

#if defined(__x86_64__)
#define IOT_STUB_SECTION ".section .text.iot_stubs,\"ax\",@progbits\n"
#define IOT_STUBS_BEGIN	 __asm__(IOT_STUB_SECTION ".cfi_startproc\n.text\n")
#define IOT_STUBS_END	 __asm__(IOT_STUB_SECTION ".cfi_endproc\n.text\n")
#define IOT_STUB(stub, name) IOT_STUB_VERSION(stub, name, "")
#define IOT_STUB_VERSION(stub, name, version)                                              \
	__asm__(".data\n.balign 8\n"                                                       \
		"9:	.quad 0\n	.asciz \"" name "\"\n	.asciz \"" version "\"\n"  \
		IOT_STUB_SECTION ".balign 8\n"                                             \
		".globl " stub "\n.hidden " stub "\n.type " stub ",@function\n" stub ":\n" \
		"	leaq 9b(%rip), %r11\n"                                             \
		"	cmpq $0, (%r11)\n"                                                 \
		"	je iot_resolve_stub\n"                                             \
		"	jmp *(%r11)\n"                                                     \
		".size " stub ", .-" stub "\n.text\n");
#else
#error "no jump to libc's functions for this processor yet"
#endif

#endif
