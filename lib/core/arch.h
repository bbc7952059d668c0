/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch.h - what the recorder needs to know of the processor: how to read the
 * timebase and how to enter the kernel without libc.
 */
#ifndef IOT_ARCH_H
#define IOT_ARCH_H

#include <stdint.h>

#if defined(__x86_64__)

#define IOT_TIMEBASE   "rdtsc"
#define IOT_VDSO_CLOCK "__vdso_clock_gettime"
#define IOT_AUDIT_ARCH AUDIT_ARCH_X86_64

static inline uint64_t iot_ticks(void)
{
	uint32_t lo, hi;

	__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

/* The address that TLS offsets count from: in threads it lies above the stack. */
static inline uintptr_t iot_thread_pointer(void)
{
	uintptr_t tp;

	__asm__("movq %%fs:0, %0" : "=r"(tp));
	return tp;
}

/* What unwind tables call the frame pointer, the stack pointer and the return address. */
#define IOT_DW_FP 6
#define IOT_DW_SP 7
#define IOT_DW_RA 16

/* Where in a ucontext they are, for a frame that a signal interrupted, in words. */
#define IOT_CONTEXT_FP 15
#define IOT_CONTEXT_SP 20
#define IOT_CONTEXT_PC 21

/* What a handler returns to, where no table tells: movq $15, %rax; syscall. */
#define IOT_SIGRETURN "\x48\xc7\xc0\x0f\0\0\0\x0f\x05"

#else
#error "no timebase for this processor yet"
#endif

/*
 * The recorder's only way into the kernel: one instruction in one function, so
 * that its own calls can be told from the program's by their address.  Returns
 * the kernel's value: -errno on failure; errno itself is the application's.
 * -EPERM without asking the kernel, if a filter of the program's might not let
 * the call pass (seccomp.c) and IOT_ALWAYS is not added to its number.
 */
#define IOT_ALWAYS 0x10000
long iot_syscall(long nr, ...) __attribute__((visibility("hidden")));
void iot_sigreturn(void) __attribute__((visibility("hidden")));
/* behind its instruction, where seccomp sees it */
extern const char iot_sigreturned[] __attribute__((visibility("hidden")));

#endif
