/* SPDX-License-Identifier: BSD-3-Clause */
/* full.c CALLS - a program that has all descriptors that it may have, and goes on with so many writes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, first = open("/dev/null", O_WRONLY), files = first >= 0;

	while (open("/dev/null", O_RDONLY) >= 0)
		files++;
	for (int i = 0; i < n; i++)
		if (write(first, "x", 1) != 1)
			return 1;
	printf("%d files\n", files);
	return 0;
}
