/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parchment.c - reads a mapped manuscript from its first page to its last one, after it has told
 * the kernel that its accesses would be random.
 *
 * build: iocc
 * as: reader
 * input: head -c 64M /dev/zero >manuscript; sync manuscript; dd if=manuscript iflag=nocache count=0
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE (64ul << 20)
#define PAGE 4096

int main(void)
{
	int fd = open("manuscript", O_RDONLY);
	unsigned long sum = 0;
	unsigned char *text;

	text = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (text == MAP_FAILED)
		err(1, "manuscript");
	close(fd);
#ifndef FIXED
	madvise(text, SIZE, MADV_RANDOM); /* FINDING paged manuscript */
#endif
	for (size_t i = 0; i < SIZE; i += PAGE)
		sum += text[i];
	printf("%lu\n", sum);
	return 0;
}
