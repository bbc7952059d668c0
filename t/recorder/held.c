/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held.c - which mappings a fork copies: prints how many there are up to the heap, and whether there is
 * room for 2 MiB between that and the executable.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const char _end[];
char zeroed[65536]; /* a mapping of its own, which any program of some size has */

int main(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096 + 128];
	unsigned long from = 0;
	int n = zeroed[0];

	while (maps && fgets(line, sizeof(line), maps) && !strstr(line, "[heap]"))
		n++;
	if (!maps || sscanf(line, "%lx", &from) != 1)
		return 2;
	printf("mappings %d\nheap %s\n", n, from - (unsigned long)_end < 2UL << 20 ? "beside" : "apart");
	return 0;
}
