/* SPDX-License-Identifier: BSD-3-Clause */
/* arch-cpu.h - x86-64: the timebase, the thread pointer, pages and addresses. */
#ifndef IOT_ARCH_CPU_H
#define IOT_ARCH_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define IOT_TIMEBASE   "rdtsc"
#define IOT_VDSO_CLOCK "__vdso_clock_gettime"
#define IOT_AUDIT_ARCH AUDIT_ARCH_X86_64

/* Pages are so large.  (Of the log's parts that are mapped, IOT_ALIGN.) */
#define IOT_PAGE 4096UL
/* A program's addresses lie below. */
#define IOT_ADDRESS_END (1UL << 47)

static inline uint64_t iot_ticks(void)
{
	uint32_t lo, hi;

	__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}

/* Compare-and-swap, and addition, in one instruction, which no handler interrupts.  Other threads
   have to keep off: without them it takes a third of the time. */
static inline bool iot_swap_alone(uint64_t *p, uint64_t is, uint64_t to)
{
	bool done;

	__asm__ __volatile__("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*p), "+a"(is) : "r"(to) : "memory");
	return done;
}

static inline bool iot_swap_alone32(uint32_t *p, uint32_t is, uint32_t to)
{
	bool done;

	__asm__ __volatile__("cmpxchgl %3, %1" : "=@ccz"(done), "+m"(*p), "+a"(is) : "r"(to) : "memory");
	return done;
}

static inline uint64_t iot_add_alone(uint64_t *p, uint64_t n)
{
	uint64_t was = n;

	__asm__ __volatile__("xaddq %0, %1" : "+r"(was), "+m"(*p) : : "memory");
	return was + n;
}

/* The address that TLS offsets count from: in threads it lies above the stack. */
static inline uintptr_t iot_thread_pointer(void)
{
	uintptr_t tp;

	__asm__("movq %%fs:0, %0" : "=r"(tp));
	return tp;
}

/* Whether valgrind executes us, and not the processor.  Valgrind takes these instructions, which
   change nothing, for a question, the first word that rax points to. */
static inline bool iot_is_valgrind(void)
{
	static const uint64_t question[6] = { 0x1001 };
	uint64_t answer = 0;

	__asm__ __volatile__("rolq $3, %%rdi\n	rolq $13, %%rdi\n	rolq $61, %%rdi\n	rolq $51, %%rdi\n"
			     "	xchgq %%rbx, %%rbx"
			     : "+d"(answer) : "a"(question) : "cc", "memory");
	return answer;
}

#endif
