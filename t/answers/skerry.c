/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * skerry.c - counts seals' names that a library reads, byte by byte, by a function that it has for
 * this.
 *
 * build: iocc
 * library: skerry-lib.c
 * input: seq 1 90000 >names.txt
 * as: samples
 */
#include <fcntl.h>
#include <stdio.h>

int read_name(int fd, char *name, int size);
int main(void)
{
	char name[64];
	long n = 0;
	int fd = open("names.txt", O_RDONLY);

	while (read_name(fd, name, sizeof(name)) >= 0)
		n++;
	printf("%ld\n", n);
	return 0;
}
