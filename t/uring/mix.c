/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mix.c - SEED COUNT FLAGS THREADS: random requests to one ring, of liburing.  Says what it
 * asks for, in the order of submission, and what came of it:
 *	r NUMBER OPCODE OFFSET SIZE FILE
 *	c NUMBER RESULT
 * OFFSET and FILE are - where there is none, RESULT is an error's name if it is one.
 * Exit status 77: the kernel has no such ring.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 8192
#define SLOT 1
#define AT_ONCE 24			/* in flight: fewer than there are completions in the queue */

static struct io_uring ring;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static char data[2][SIZE];
static struct iovec fixed = { data[1], SIZE }, vectors[2] = { { data[0], 1000 }, { data[0] + 1000, 234 } };
static struct __kernel_timespec soon = { .tv_nsec = 1 };
static struct statx stx;
static int fd, opened = -1;
static unsigned long long submitted, collected, wanted;
static unsigned threaded;
static char *opens;			/* requests, by number, whose result is a descriptor */
static unsigned long state;
static FILE *said;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(state >> 33) % n;
}

/* The next entry; what is in the queue is submitted if there is none. */
static struct io_uring_sqe *get(void)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(&ring)))
		if (io_uring_submit(&ring) < 0)
			exit(3);
	return sqe;
}

static void say(struct io_uring_sqe *sqe, const char *opcode, long long offset, unsigned size, const char *file)
{
	sqe->user_data = ++submitted;
	if (offset < 0)
		fprintf(said, "r %llu %s - %u %s\n", submitted, opcode, size, file);
	else
		fprintf(said, "r %llu %s %lld %u %s\n", submitted, opcode, offset, size, file);
}

static void moves(unsigned kind, struct io_uring_sqe *sqe)
{
	unsigned size = draw(SIZE) + 1, offset = draw(100000);

	switch (kind) {
	case 0:
		io_uring_prep_write(sqe, fd, data[0], size, offset);
		say(sqe, "WRITE", offset, size, "out");
		break;
	case 1:
		io_uring_prep_read(sqe, fd, data[0], size, offset);
		say(sqe, "READ", offset, size, "out");
		break;
	case 2:
		io_uring_prep_writev(sqe, fd, vectors, 2, offset);
		say(sqe, "WRITEV", offset, 1234, "out");
		break;
	case 3:
		io_uring_prep_readv(sqe, fd, vectors, 1, offset);
		say(sqe, "READV", offset, 1000, "out");
		break;
	case 4:
		io_uring_prep_write_fixed(sqe, fd, data[1], size, offset, 0);
		say(sqe, "WRITE_FIXED", offset, size, "out");
		break;
	case 5:
		io_uring_prep_read_fixed(sqe, fd, data[1], size, offset, 0);
		say(sqe, "READ_FIXED", offset, size, "out");
		break;
	case 6:
		io_uring_prep_write(sqe, 0, data[0], size, offset);
		sqe->flags |= IOSQE_FIXED_FILE;
		say(sqe, "WRITE", offset, size, "out");
		break;
	case 7:
		io_uring_prep_write(sqe, fd, data[0], size, -1);
		say(sqe, "WRITE", -1, size, "out");
		break;
	case 8:
		io_uring_prep_write(sqe, fd, NULL, size, offset);
		say(sqe, "WRITE", offset, size, "out");
		break;
	case 9:
		io_uring_prep_readv(sqe, fd, (void *)8, 3, offset);
		say(sqe, "READV", offset, 0, "out");
		break;
	}
}

/* A file that is opened, read and closed without a descriptor. */
static void chain(struct io_uring_sqe *sqe)
{
	while (io_uring_sq_space_left(&ring) < 2) {
		io_uring_prep_nop(sqe);
		say(sqe, "NOP", -1, 0, "-");
		io_uring_submit(&ring);
		sqe = get();
	}
	io_uring_prep_openat_direct(sqe, AT_FDCWD, "in", O_RDONLY, 0, SLOT);
	sqe->flags |= IOSQE_IO_LINK;
	say(sqe, "OPENAT", -1, 0, "in");
	sqe = get();
	io_uring_prep_read(sqe, SLOT, data[0], 5, 1);
	sqe->flags |= IOSQE_FIXED_FILE | IOSQE_IO_LINK;
	say(sqe, "READ", 1, 5, "in");
	sqe = get();
	io_uring_prep_close_direct(sqe, SLOT);
	say(sqe, "CLOSE", -1, 0, "in");
}

static void other(unsigned kind, struct io_uring_sqe *sqe)
{
	switch (kind) {
	case 0:
		io_uring_prep_nop(sqe);
		say(sqe, "NOP", -1, 0, "-");
		break;
	case 1:
		io_uring_prep_fsync(sqe, fd, draw(2) ? IORING_FSYNC_DATASYNC : 0);
		say(sqe, "FSYNC", -1, 0, "out");
		break;
	case 2:
		io_uring_prep_fallocate(sqe, fd, 0, 4096, 8192);
		say(sqe, "FALLOCATE", 4096, 8192, "out");
		break;
	case 3:
		io_uring_prep_statx(sqe, AT_FDCWD, "in", 0, STATX_SIZE, &stx);
		say(sqe, "STATX", -1, 0, "in");
		break;
	case 4:
		io_uring_prep_timeout(sqe, &soon, 0, 0);
		say(sqe, "TIMEOUT", -1, 0, "-");
		break;
	case 5:
		io_uring_prep_cancel64(sqe, 1ULL << 60, 0);
		say(sqe, "ASYNC_CANCEL", -1, 0, "-");
		break;
	case 6:
		io_uring_prep_openat(sqe, AT_FDCWD, draw(2) ? "in" : "none", O_RDONLY, 0);
		say(sqe, "OPENAT", -1, 0, sqe->addr && *(char *)sqe->addr == 'i' ? "in" : "none");
		opens[submitted] = 1;
		break;
	case 7:
		chain(sqe);
		break;
	}
}

/* Several at once. */
static int submit(int waits)
{
	unsigned n = draw(8) + 1;
	int ret;

	pthread_mutex_lock(&lock);
	/* the others are collected at the end */
	while (threaded && submitted < wanted && submitted - collected > AT_ONCE - 12)
		pthread_cond_wait(&fewer, &lock);
	if (opened >= 0) {
		struct io_uring_sqe *sqe = get();

		io_uring_prep_close(sqe, opened);
		say(sqe, "CLOSE", -1, 0, "in");
		opened = -1;
	}
	while (n--) {
		struct io_uring_sqe *sqe = get();

		if (draw(3))
			moves(draw(10), sqe);
		else
			other(draw(8), sqe);
	}
	ret = waits ? io_uring_submit_and_wait(&ring, 1) : io_uring_submit(&ring);
	/* the kernel stops behind one that it turns down */
	while (ret >= 0 && !(ring.flags & IORING_SETUP_SQPOLL) && io_uring_sq_ready(&ring))
		ret = io_uring_submit(&ring);
	pthread_mutex_unlock(&lock);
	return ret;
}

static void take(struct io_uring_cqe *cqe)
{
	pthread_mutex_lock(&lock);
	if (cqe->res < 0)
		fprintf(said, "c %llu %s\n", cqe->user_data, strerrorname_np(-cqe->res));
	else
		fprintf(said, "c %llu %d\n", cqe->user_data, cqe->res);
	if (cqe->res >= 0 && opens[cqe->user_data]) {
		if (opened >= 0)
			close(cqe->res);
		else
			opened = cqe->res;
	}
	io_uring_cqe_seen(&ring, cqe);
	collected++;
	pthread_cond_broadcast(&fewer);
	pthread_mutex_unlock(&lock);
}

/* What has ended, in one of the ways to learn of that. */
static int collect(void)
{
	struct __kernel_timespec ts = { .tv_nsec = 1000000 };
	struct io_uring_cqe *cqe[4];
	unsigned n;

	switch (draw(4)) {
	case 0:
		if (io_uring_wait_cqe(&ring, cqe))
			return 0;
		take(*cqe);
		return 1;
	case 1:
		if (io_uring_wait_cqes(&ring, cqe, 1, &ts, NULL))
			return 0;
		take(*cqe);
		return 1;
	case 2:
		n = io_uring_peek_batch_cqe(&ring, cqe, 4);
		for (unsigned i = 0; i < n; i++)
			take(cqe[i]);
		return n > 0;
	default:
		if (io_uring_peek_cqe(&ring, cqe))
			return 0;
		take(*cqe);
		return 1;
	}
}

static void *thread(void *arg)
{
	while (submitted < wanted)
		if (submit(0) < 0)
			exit(3);
	return arg;
}

/* They submit, and this one collects. */
static void all_threads(unsigned n)
{
	pthread_t threads[8];
	struct io_uring_cqe *cqe;

	for (unsigned i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	while (collected < wanted)
		if (!io_uring_wait_cqe(&ring, &cqe))
			take(cqe);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	unsigned flags = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
	int files[3];

	state = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	threaded = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
	wanted = argc > 2 ? strtoul(argv[2], NULL, 0) : 100;
	/* each round submits some more than are wanted */
	opens = calloc(wanted + 1000, 1);
	said = fopen("said", "w");
	if (io_uring_queue_init(16, &ring, flags))
		return 77;
	fd = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
	files[0] = fd;
	files[1] = files[2] = -1;
	if (io_uring_register_files(&ring, files, 3) || io_uring_register_buffers(&ring, &fixed, 1))
		return 77;
	if (threaded)
		all_threads(threaded);
	while (submitted < wanted) {
		if (submit(draw(3) == 0) < 0)
			return 3;
		while (collected < submitted && (submitted - collected > AT_ONCE - 12 || draw(4)))
			collect();
	}
	while (collected < submitted)
		collect();
	io_uring_queue_exit(&ring);
	return fclose(said) != 0;
}
