/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.h - longjmp and its kin leave calls without returning from them.  The
 * jump is not recorded; the calls that it leaves are, as abandoned.
 */
#ifndef IOT_JUMP_H
#define IOT_JUMP_H

#include "wrap.h"

#if defined(__x86_64__) && defined(__GLIBC__)
/* glibc keeps the stack pointer in the seventh word, rotated and xored with the
   thread's pointer guard. */
static inline uintptr_t iot_jump_target(const void *env)
{
	uintptr_t sp = ((const uintptr_t *)env)[6], guard;

	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	return (sp >> 17 | sp << 47) ^ guard;
}
#elif defined(__x86_64__) && defined(IOT_MUSL)
/* musl/inside.c, if the program has it */
void iot_inside_left(uintptr_t sp) __attribute__((weak, visibility("hidden")));
static inline uintptr_t iot_jump_target(const void *env)
{
	return ((const uintptr_t *)env)[6];
}
#else
#error "where is the stack pointer in a jmp_buf?"
#endif

#ifdef IOT_MUSL
#define IOT_LEAVE_INSIDE(sp) (iot_inside_left ? iot_inside_left(sp) : (void)0)
#else
#define IOT_LEAVE_INSIDE(sp) ((void)0)
#endif

#define IOT_JUMP(name)                                                                     \
	IOT_EXPORT(name)                                                                   \
	extern void real(void *, int) __asm__("__real_" #name) __attribute__((noreturn));  \
	void wrap(void *, int) __asm__("__wrap_" #name) __attribute__((noreturn));         \
	void wrap(void *env, int val)                                                      \
	{                                                                                  \
		IOT_LEAVE_INSIDE(iot_jump_target(env));                                    \
		iot_abandon_below(iot_jump_target(env));                                   \
		real(env, val);                                                            \
	}

#endif
