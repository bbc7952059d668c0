/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.c - turns CALLERS ROUNDS: in each round a write from each of the callers, whose code
 * is the same, 256 bytes further on.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int null;

#define CALLER(n) static __attribute__((noinline, aligned(256))) long caller##n(void) \
{ \
	return write(null, "x", 1) + (n); \
}
CALLER(1)
CALLER(2)
CALLER(3)
CALLER(4)
CALLER(5)

static long (*const caller[])(void) = { caller1, caller2, caller3, caller4, caller5 };

int main(int argc, char **argv)
{
	int callers = argc > 2 ? atoi(argv[1]) : 0;

	null = open("/dev/null", O_WRONLY);
	for (int i = argc > 2 ? atoi(argv[2]) : 0; i; i--)
		for (int k = 0; k < callers; k++)
			if (caller[k]() != k + 2)
				return 1;
	return 0;
}
