/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feldspar.c - adds up the first number of each page of a rock.
 *
 * build: iocc -static
 * input: head -c 12288000 /dev/zero >rock.dat
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 3000L

static int rock;

static int layer(long i)
{
#ifdef FIXED
	static char *all;

	if (!all)
		all = mmap(NULL, PAGES << 12, PROT_READ, MAP_SHARED, rock, 0);
	return all[i << 12];
#else
	char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, rock, i << 12); /* FINDING remapped rock.dat */
	int x = *p;
	munmap(p, 4096);
	return x;
#endif
}

int main(void)
{
	long sum = 0;

	rock = open("rock.dat", O_RDONLY);
	if (rock < 0)
		err(1, "rock.dat");
	for (long i = 0; i < PAGES; i++)
		sum += layer(i); /* FINDING remapped rock.dat */
	printf("%ld\n", sum);
	return 0;
}
