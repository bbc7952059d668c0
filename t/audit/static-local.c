/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call within one object file: the linker's --wrap redirects references to
 * symbols of other files only, so this fsync is called past its wrapper.
 */
#include <stdio.h>

__attribute__((noinline, noclone)) int fsync(int fd)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(74L), "D"(fd) : "rcx", "r11", "memory");
	return (int)r;
}

int main(void)
{
	puts("x");
	return fsync(1) == 1;
}
