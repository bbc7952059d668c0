/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malachite.c - adds up a file that it reads by io_uring.
 *
 * build: iocc
 * package: liburing
 * input: head -c 12288000 /dev/zero >malachite.dat
 */
#include <err.h>
#include <fcntl.h>
#include <liburing.h>
#include <unistd.h>

#define SIZE 12288000L

static struct io_uring ring;

#ifdef FIXED
#define BLOCK 1024000L
#define DEPTH 4
#else
#define BLOCK 4096L
#define DEPTH 1
#endif
static char blocks[DEPTH][BLOCK];

static void ask(int fd, long at, int slot)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	io_uring_prep_read(sqe, fd, blocks[slot], BLOCK, at); /* FINDING one-at-a-time malachite.dat */
	sqe->user_data = slot;
	if (io_uring_submit(&ring) != 1) /* FINDING one-at-a-time malachite.dat */
		errx(1, "submit");
}

static int got(void)
{
	struct io_uring_cqe *cqe;

	if (io_uring_wait_cqe(&ring, &cqe) || cqe->res != BLOCK) /* FINDING one-at-a-time malachite.dat */
		errx(1, "wait");
	int slot = cqe->user_data;
	io_uring_cqe_seen(&ring, cqe);
	return slot;
}

static long sum(int slot)
{
	long s = 0;

	for (long i = 0; i < BLOCK; i++)
		s += blocks[slot][i];
	return s;
}

int main(void)
{
	int fd = open("malachite.dat", O_RDONLY);
	long all = 0, asked = 0;

	if (fd < 0 || io_uring_queue_init(16, &ring, 0))
		err(1, "malachite.dat");
	for (; asked < DEPTH; asked++)
		ask(fd, asked * BLOCK, asked); /* FINDING one-at-a-time malachite.dat */
	for (long done = 0; done < SIZE / BLOCK; done++) {
		int slot = got(); /* FINDING one-at-a-time malachite.dat */

		all += sum(slot);
		if (asked < SIZE / BLOCK)
			ask(fd, asked++ * BLOCK, slot); /* FINDING one-at-a-time malachite.dat */
	}
	io_uring_queue_exit(&ring);
	return all != 0;
}
