/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * join.c - a file has keys in its first half and values in its second; both are gone through
 * side by side.
 *
 * build: iocc
 * input: head -c 32M /dev/zero >pairs.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define HALF (16 << 20)
#ifdef FIXED
#define PAGE (1 << 20)
#else
#define PAGE 4096
#endif

static unsigned char keys[PAGE], values[PAGE];

static void place(int fd, off_t at)
{
	if (lseek(fd, at, SEEK_SET) != at)
		err(1, "pairs.bin");
}

static unsigned sum(void)
{
	unsigned s = 0;

	for (int i = 0; i < PAGE; i += 8)
		s += keys[i] ? values[i] : 1;
	return s;
}

int main(void)
{
	int fd = open("pairs.bin", O_RDONLY);
	unsigned s = 0;

	if (fd < 0)
		err(1, "pairs.bin");
	for (off_t at = 0; at < HALF; at += PAGE) {
		place(fd, at);
		if (read(fd, keys, PAGE) != PAGE) /* FINDING interleaved|scattered pairs.bin */
			err(1, "pairs.bin");
		place(fd, HALF + at);
		if (read(fd, values, PAGE) != PAGE) /* FINDING interleaved|scattered pairs.bin */
			err(1, "pairs.bin");
		s += sum();
	}
	close(fd);
	printf("%u\n", s);
	return 0;
}
