/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * soundings.c - adds up soundings, block by block, of which the next one is to be read meanwhile.
 *
 * build: iocc -static
 * input: head -c 10M /dev/zero >soundings.raw
 */
#include <aio.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define BLOCK  (256 << 10)
#define BLOCKS 40

static unsigned char block[2][BLOCK];
static struct aiocb under_way;

static void begin(int fd, int number)
{
	under_way = (struct aiocb){.aio_fildes = fd,
				   .aio_buf = block[number % 2],
				   .aio_nbytes = BLOCK,
				   .aio_offset = (off_t)number * BLOCK};
	if (aio_read(&under_way)) /* FINDING no-overlap soundings.raw */
		err(1, "soundings.raw");
}

static void end(void)
{
	const struct aiocb *list[] = {&under_way};

	aio_suspend(list, 1, NULL);
	if (aio_return(&under_way) != BLOCK)
		errx(1, "soundings.raw");
}

static unsigned long add(const unsigned char *from)
{
	unsigned long sum = 1;

	for (int again = 0; again < 10; again++)
		for (int i = 0; i < BLOCK; i++)
			sum = sum * 31 + from[i];
	return sum;
}

int main(void)
{
	int fd = open("soundings.raw", O_RDONLY);
	unsigned long sum = 0;

	if (fd < 0)
		err(1, "soundings.raw");
#ifdef FIXED
	begin(fd, 0);
	for (int i = 0; i < BLOCKS; i++) {
		end();
		if (i + 1 < BLOCKS)
			begin(fd, i + 1);
		sum += add(block[i % 2]);
	}
#else
	for (int i = 0; i < BLOCKS; i++) {
		begin(fd, i); /* FINDING no-overlap soundings.raw */
		end();
		sum += add(block[i % 2]);
	}
#endif
	printf("%lu\n", sum);
	return 0;
}
