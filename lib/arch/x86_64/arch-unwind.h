/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch-unwind.h - x86-64: what unwind tables call the registers, where a signal's frame has
 * them, and how code looks that calls.
 */
#ifndef IOT_ARCH_UNWIND_H
#define IOT_ARCH_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What unwind tables call the frame pointer, the stack pointer and the return address. */
#define IOT_DW_FP 6
#define IOT_DW_SP 7
#define IOT_DW_RA 16

/* What linkers say of an entry of a procedure linkage table: the stack pointer and a word,
   from the instruction so far into its 16 bytes on and another.  It is an expression, in
   which 0 stands for that word and for that instruction (DW_OP_lit0 and so far). */
#define IOT_DW_LINKAGE                                                                     \
	{                                                                                  \
		11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0, 0x2a, 0x33, 0x24, 0x22                \
	}
#define IOT_DW_LINKAGE_WORD 4
#define IOT_DW_LINKAGE_FROM 7

/* Where in a ucontext they are, for a frame that a signal interrupted, in words. */
#define IOT_CONTEXT_FP 15
#define IOT_CONTEXT_SP 20
#define IOT_CONTEXT_PC 21

/* What a handler returns to, where no table tells: movq $15, %rax; syscall. */
#define IOT_SIGRETURN "\x48\xc7\xc0\x0f\0\0\0\x0f\x05"

/* Two of these stand between functions where Go's linker has put them: breakpoints. */
#define IOT_CODE_GAP 0xcc

/* The longest instruction that calls. */
#define IOT_CODE_CALL 7

/* Whether the bytes before a return address are a call that says which function it calls. */
static inline bool iot_code_calls(const uint8_t code[IOT_CODE_CALL], uintptr_t ret, uintptr_t *fn)
{
	int32_t to;

	if (code[2] != 0xe8)
		return false;
	memcpy(&to, code + 3, sizeof(to));
	*fn = ret + (uintptr_t)(intptr_t)to;
	return true;
}

/* Whether they may be one by a register or by memory. */
static inline bool iot_code_may_call(const uint8_t code[IOT_CODE_CALL])
{
	for (int i = 0; i < 6; i++)
		if (i != 2 && code[i] == 0xff && (code[i + 1] & 0x38) == 0x10)
			return true;
	return false;
}

#endif
