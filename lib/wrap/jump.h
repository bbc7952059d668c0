/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.h - longjmp and its kin leave calls without returning from them.  The
 * jump is not recorded; the calls that it leaves are, as abandoned.
 */
#ifndef IOT_JUMP_H
#define IOT_JUMP_H

#include "arch-jump.h"
#include "wrap.h"

#ifdef IOT_MUSL
/* musl/inside.c, if the program has it */
void iot_inside_left(uintptr_t sp) __attribute__((weak, visibility("hidden")));
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
