/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shoals.c - counts fish in pictures, of which several are read at the same time.
 *
 * build: iocc -static
 * as: backup
 * input: head -c 8M /dev/zero >shoals.raw
 */
#include <aio.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PICTURE	 (128 << 10)
#define PICTURES 64
#define AT_ONCE	 4

static unsigned char picture[AT_ONCE][PICTURE];
static struct aiocb under_way[AT_ONCE];

static void begin(int fd, int number)
{
	struct aiocb *cb = &under_way[number % AT_ONCE];

	*cb = (struct aiocb){.aio_fildes = fd,
			     .aio_buf = picture[number % AT_ONCE],
			     .aio_nbytes = PICTURE,
			     .aio_offset = (off_t)number * PICTURE};
	if (aio_read(cb))
		err(1, "shoals.raw");
}

static long end(int number)
{
	const struct aiocb *list[] = {&under_way[number % AT_ONCE]};
	long fish = 0;

	while (aio_error(list[0]))
		aio_suspend(list, 1, NULL);
	if (aio_return(&under_way[number % AT_ONCE]) != PICTURE)
		errx(1, "shoals.raw");
	for (int i = 0; i < PICTURE; i++)
		fish += picture[number % AT_ONCE][i] > 200;
	return fish;
}

int main(void)
{
	int fd = open("shoals.raw", O_RDONLY);
	long fish = 0;

	if (fd < 0)
		err(1, "shoals.raw");
	for (int i = 0; i < PICTURES; i += AT_ONCE) {
		for (int j = 0; j < AT_ONCE; j++)
			begin(fd, i + j);
		for (int j = 0; j < AT_ONCE; j++)
			fish += end(i + j);
	}
	printf("%ld\n", fish);
	return 0;
}
