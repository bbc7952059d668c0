/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.h - what the compiler is told of branches, of seldom used code, of stores and of what
   runs first. */
#ifndef IOT_COMPILER_H
#define IOT_COMPILER_H

#define iot_likely(x)	__builtin_expect(!!(x), 1)
#define iot_unlikely(x) __builtin_expect(!!(x), 0)
#define IOT_COLD	__attribute__((cold, noinline))
#define IOT_FAST	static inline __attribute__((always_inline))
/* The compiler must not move stores across: a handler on this thread, or a
   reader after our death, sees them in program order. */
#define iot_barrier()	__asm__ __volatile__("" ::: "memory")
/* What each forked child runs lies together (archive.mk). */
#ifdef IOT_DYNAMIC
#define IOT_EACH
#else
#define IOT_EACH __attribute__((section(".text.hot")))
#endif
/* An executable calls the function before any library's constructor.  musl knows no
   .preinit_array. */
#ifdef IOT_MUSL
#define IOT_FIRST_SECTION ".init_array.00000"
#else
#define IOT_FIRST_SECTION ".preinit_array"
#endif
#define IOT_RUN_FIRST(function) \
	__attribute__((section(IOT_FIRST_SECTION), used)) static void (*const at_start)(void) = (function)

#endif
