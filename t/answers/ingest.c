/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ingest.c - takes a file in, transforms it, stores the result, and verifies what was stored.
 *
 * build: iocc -static
 * as: clay
 * input: head -c 8M /dev/urandom >raw.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE   (8 << 20)
#define BLOCK  (1 << 20)
#define RECORD 256

static void transfer(ssize_t n, size_t size)
{
	if (n != (ssize_t)size)
		err(1, "transfer");
}

static void fetch(int fd, void *to, size_t size)
{
	ssize_t n = read(fd, to, size);

	transfer(n, size);
}

static void import(unsigned char *data)
{
	int fd = open("raw.bin", O_RDONLY);

	for (int at = 0; at < SIZE; at += BLOCK)
		fetch(fd, data + at, BLOCK);
	close(fd);
}

static void transform(unsigned char *data)
{
	for (int i = 1; i < SIZE; i++)
		data[i] ^= data[i - 1] >> 1;
}

static void export(const unsigned char *data)
{
	int fd = open("clean.bin", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	for (int at = 0; at < SIZE; at += BLOCK)
		transfer(write(fd, data + at, BLOCK), BLOCK);
	close(fd);
}

static int verify(const unsigned char *data)
{
	static unsigned char record[BLOCK];
	int fd = open("clean.bin", O_RDONLY), wrong = 0;
#ifdef FIXED
	size_t step = BLOCK;
#else
	size_t step = RECORD;
#endif

	for (size_t at = 0; at < SIZE; at += step) {
		fetch(fd, record, step); /* FINDING small-reads clean.bin */
		for (size_t i = 0; i < step; i++)
			wrong += record[i] != data[at + i];
	}
	close(fd);
	return wrong;
}

int main(void)
{
	unsigned char *data = malloc(SIZE);

	if (!data)
		err(1, "memory");
	import(data);
	transform(data);
	export(data);
	printf("%d wrong\n", verify(data));
	free(data);
	return 0;
}
