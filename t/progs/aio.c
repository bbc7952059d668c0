/* SPDX-License-Identifier: BSD-3-Clause */
/* aio.c - POSIX asynchronous I/O: helper threads of libc do the work. */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "show.h"

#define N 4
static char data[N][1000];
static struct aiocb cb[N];
static const struct aiocb *list[N];

static void prepare(int fd, int op)
{
	int i;

	memset(cb, 0, sizeof(cb));
	for (i = 0; i < N; i++) {
		cb[i].aio_fildes = fd;
		cb[i].aio_buf = data[i];
		cb[i].aio_nbytes = sizeof(data[i]) - i;
		cb[i].aio_offset = i * 1000;
		cb[i].aio_lio_opcode = op;
		cb[i].aio_sigevent.sigev_notify = SIGEV_NONE;
		list[i] = &cb[i];
	}
}

static void finish(struct aiocb *c)
{
	const struct aiocb *one[1] = { c };

	/* how often aio_error() has to be asked is another matter each time */
	while (aio_suspend(one, 1, NULL))
		;
	CODE(aio_error(c));
	SHOW(aio_return(c));
}

/*
 * Writes more than the pipe takes: once a byte of it can be read, the helper thread is
 * at it, and remains so until the pipe is read.  Which thread comes first must not
 * decide what aio_cancel() says.
 */
static void cancel(int from, int to)
{
	struct timespec ts = { .tv_nsec = 1000 };
	int size = fcntl(to, F_GETPIPE_SZ);
	char *big = calloc(2, size);

	prepare(to, LIO_WRITE);
	cb[0].aio_buf = big;
	cb[0].aio_nbytes = size + 1000;
	SHOW(aio_write(&cb[0]));
	SHOW(read(from, big + size, 1));
	SHOW(aio_suspend(list, 1, &ts));
	/* one that waits for the first: musl would wait for itself */
	GNU(SHOW(aio_write(&cb[1])));
	GNU(SHOW(aio_cancel(to, &cb[1])));
	GNU(finish(&cb[1]));
	/* musl interrupts what is written, glibc does not */
	OK(aio_cancel(to, &cb[0]));
	SHOW(read(from, big + size, size - 1));
	finish(&cb[0]);
	free(big);
}

int main(void)
{
	struct timespec ts = { .tv_nsec = 1000 };
	struct aiocb bad = { .aio_fildes = -1, .aio_nbytes = 1 };
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int i, p[2];

	prepare(fd, LIO_WRITE);
	SHOW(aio_write(&cb[0]));
	finish(&cb[0]);
	SHOW(aio_write64((struct aiocb64 *)&cb[1]));
	finish(&cb[1]);
	SHOW(aio_fsync(O_SYNC, &cb[2]));
	finish(&cb[2]);
	SHOW(aio_fsync(O_DSYNC, &cb[2]));
	finish(&cb[2]);
	SHOW(aio_fsync(12345, &cb[2]));
	prepare(fd, LIO_READ);
	SHOW(aio_read(&cb[0]));
	finish(&cb[0]);
	SHOW(aio_read(&bad));
	finish(&bad);
	prepare(fd, LIO_WRITE);
	SHOW(lio_listio(LIO_WAIT, (struct aiocb **)list, N, NULL));
	for (i = 0; i < N; i++)
		finish(&cb[i]);
	prepare(fd, LIO_READ);
	SHOW(lio_listio64(LIO_NOWAIT, (struct aiocb64 **)list, N, NULL));
	for (i = 0; i < N; i++)
		finish(&cb[i]);
	/* musl takes it for LIO_NOWAIT */
	GNU(SHOW(lio_listio(99, (struct aiocb **)list, N, NULL)));
	(void)!pipe(p);
	prepare(p[0], LIO_READ);
	cb[0].aio_offset = 0;
	cb[0].aio_nbytes = 4;
	SHOW(aio_read(&cb[0]));
	SHOW(aio_suspend(list, 1, &ts));
	SHOW(write(p[1], "done", 4));
	finish(&cb[0]);
	cancel(p[0], p[1]);
	SHOW(aio_cancel(-1, NULL));
	SHOW(close(fd));
	return 0;
}
