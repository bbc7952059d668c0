/* SPDX-License-Identifier: BSD-3-Clause */
/* bypass.c - a write that no wrapper can see. */
#include <unistd.h>

int main(void)
{
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "0"(1L), "D"(1L), "S"("bypass\n"), "d"(7L) : "rcx", "r11", "memory");
	return write(1, "seen\n", 5) != 5 || ret != 7;
}
