/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * osier.c - rods are written behind the program's back, and nobody asks what became of them.
 *
 * build: iocc
 */
#include <aio.h>
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RODS 40
#define SIZE 65536

static char rod[RODS][SIZE];
static struct aiocb request[RODS];

static void begin(int fd, int n)
{
	struct aiocb *r = &request[n];

	memset(rod[n], n, SIZE);
	r->aio_fildes = fd;
	r->aio_buf = rod[n];
	r->aio_nbytes = SIZE;
	r->aio_offset = (off_t)n * SIZE;
	if (aio_write(r)) /* FINDING incomplete rods.dat */
		err(1, "rods.dat");
}

#ifdef FIXED
static void collect(void)
{
	for (int i = 0; i < RODS; i++) {
		const struct aiocb *one = &request[i];

		while (aio_error(one) != 0)
			aio_suspend(&one, 1, NULL);
		if (aio_return(&request[i]) != SIZE)
			err(1, "rods.dat");
	}
}
#else
/* all that it needs is what the last one says */
static void collect(void)
{
	const struct aiocb *last = &request[RODS - 1];

	while (aio_error(last) != 0)
		aio_suspend(&last, 1, NULL);
}
#endif

int main(void)
{
	int fd = open("rods.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);

	for (int i = 0; i < RODS; i++)
		begin(fd, i);
	collect();
	return close(fd);
}
