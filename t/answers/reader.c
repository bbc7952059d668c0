/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.c - looks a few thousand words up in a mapped dictionary.  It asks for all pages that it
 * will need first, so that the disk may read them in any order, and at the same time.
 *
 * build: iocc -static
 * input: head -c 64M /dev/zero >dictionary
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE (64ul << 20)
#define PAGE 4096
#define WORDS 3000

int main(void)
{
	int fd = open("dictionary", O_RDONLY);
	unsigned long sum = 0, at[WORDS];
	unsigned char *text;

	text = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (text == MAP_FAILED)
		err(1, "dictionary");
	close(fd);
	srand(3);
	for (int i = 0; i < WORDS; i++) {
		at[i] = (unsigned long)rand() % (SIZE / PAGE) * PAGE;
		madvise(text + at[i], PAGE, MADV_WILLNEED);
	}
	for (int i = 0; i < WORDS; i++)
		sum += text[at[i]];
	printf("%lu\n", sum);
	return 0;
}
