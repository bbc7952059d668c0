/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h - a system call, by libc's syscall() or, with -DINSTRUCTION, by the instruction. */
#include <sys/syscall.h>
#include <unistd.h>

static long call(long number, long a, long b, long c, long d)
{
#ifdef INSTRUCTION
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = 0, r9 __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#else
	return syscall(number, a, b, c, d, 0L, 0L);
#endif
}
