/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-jump.h - x86-64: where a jmp_buf has the stack pointer. */
#ifndef IOT_ARCH_JUMP_H
#define IOT_ARCH_JUMP_H

#include <stdint.h>

/* In the seventh word.  glibc's is rotated and xored with the thread's pointer guard. */
static inline uintptr_t iot_jump_target(const void *env)
{
	uintptr_t sp = ((const uintptr_t *)env)[6];
#ifdef __GLIBC__
	uintptr_t guard;

	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	sp = (sp >> 17 | sp << 47) ^ guard;
#endif
	return sp;
}

#endif
