/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * old.c - in libiotrace.so, the names that programs linked with an older libc call
 * functions by that have changed since: each goes to the wrapper of what it meant then.
 */

#if defined(__x86_64__)
#define IOT_OLD_NAME(name, version, wrapper)                                               \
	__asm__(".text\n.globl iot_was_" #name "_" #version "\n"                           \
		".type iot_was_" #name "_" #version ",@function\n"                         \
		"iot_was_" #name "_" #version ":\n"                                        \
		"	.cfi_startproc\n	jmp " #wrapper "\n	.cfi_endproc\n"             \
		".symver iot_was_" #name "_" #version "," #name "@" #version ",remove\n");
#include "old-names.h"
#else
#error "no jump to a wrapper for this processor yet"
#endif
