/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closes.c - a program that closes what it may have, as daemons do, and has none of it.
 *
 *	closes N
 *
 * closes N descriptors that are not open.
 */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, failed = 0;

	for (int i = 0; i < n; i++)
		failed += close(500 + i) < 0;
	return failed != n;
}
