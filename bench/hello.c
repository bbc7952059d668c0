/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.c - the least that a program can do. */
#include <stdio.h>

int main(void)
{
	puts("hello, world");
	return 0;
}
