/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux.c - random operations of the kernel's asynchronous I/O, through libaio, syscall(2)
 * (-DBY=BY_SYSCALL) or instructions of its own (-DBY=BY_INSTRUCTION); prints what it has
 * submitted and collected itself.
 *
 *	linux SEED OPERATIONS [threads|masked]
 *
 * threads: one submits, another collects.
 * masked: signals are pending when it collects, and the call lets them through; a file `masked' says how
 * many there were, and how many calls ended by them alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define BY_LIBAIO 1
#define BY_SYSCALL 2
#define BY_INSTRUCTION 3
#ifndef BY
#define BY BY_LIBAIO
#endif

#if BY == BY_LIBAIO
/* libaio.h has a struct iocb of its own */
int io_setup(int, aio_context_t *);
int io_destroy(aio_context_t);
int io_submit(aio_context_t, long, struct iocb **);
int io_getevents(aio_context_t, long, long, struct io_event *, struct timespec *);
int io_pgetevents(aio_context_t, long, long, struct io_event *, struct timespec *, void *);
int io_cancel(aio_context_t, struct iocb *, struct io_event *);
#else
static long make(long number, long a, long b, long c, long d, long e, long f)
{
#if BY == BY_SYSCALL
	long ret = syscall(number, a, b, c, d, e, f);

	return ret < 0 ? -errno : ret;
#else
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;

	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return number;
#endif
}
#define io_setup(n, to)		     make(SYS_io_setup, n, (long)(to), 0, 0, 0, 0)
#define io_destroy(ctx)		     make(SYS_io_destroy, (long)(ctx), 0, 0, 0, 0, 0)
#define io_submit(ctx, n, list)	     make(SYS_io_submit, (long)(ctx), n, (long)(list), 0, 0, 0)
#define io_getevents(ctx, a, b, e, t) make(SYS_io_getevents, (long)(ctx), a, b, (long)(e), (long)(t), 0)
#define io_pgetevents(ctx, a, b, e, t, s) make(SYS_io_pgetevents, (long)(ctx), a, b, (long)(e), (long)(t), (long)(s))
#define io_cancel(ctx, cb, e)	     make(SYS_io_cancel, (long)(ctx), (long)(cb), (long)(e), 0, 0, 0)
#endif

#define DEPTH 24
#define LARGEST 9000
static aio_context_t ctx;
static struct iocb block[DEPTH];
static struct iovec vec[DEPTH][3];
static char data[DEPTH][LARGEST];
static int busy[DEPTH + 1];		/* in flight; the collector's to clear */
static int fd[3], efd;
static uint64_t submitted, collected, bytes_read, bytes_written, failed;
static uint64_t state;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(state >> 33) % n;
}

static void fill(int i)
{
	static const int opcodes[] = { IOCB_CMD_PREAD,	IOCB_CMD_PWRITE, IOCB_CMD_PREADV,
				       IOCB_CMD_PWRITEV, IOCB_CMD_FSYNC, IOCB_CMD_FDSYNC };
	struct iocb *b = &block[i];
	int n;

	memset(b, 0, sizeof(*b));
	b->aio_lio_opcode = opcodes[draw(draw(4) ? 4 : 6)];
	b->aio_fildes = fd[draw(3)];
	b->aio_data = i;
	if (!draw(3)) {
		b->aio_flags = IOCB_FLAG_RESFD;
		b->aio_resfd = efd;
	}
	if (b->aio_lio_opcode == IOCB_CMD_FSYNC || b->aio_lio_opcode == IOCB_CMD_FDSYNC)
		return;
	b->aio_offset = draw(100000);
	b->aio_buf = (uintptr_t)data[i];
	b->aio_nbytes = draw(LARGEST);
	if (b->aio_lio_opcode == IOCB_CMD_PREAD || b->aio_lio_opcode == IOCB_CMD_PWRITE)
		return;
	n = draw(4);
	b->aio_buf = (uintptr_t)vec[i];
	b->aio_nbytes = n;
	while (n--)
		vec[i][n] = (struct iovec){ data[i], draw(LARGEST) };
}

/* Some are refused: a bad opcode, a closed descriptor, a bad address. */
static void submit(int most)
{
	struct iocb *list[DEPTH], bad;
	int n = 0, i, ret;

	for (i = 0; i < DEPTH && n < most; i++) {
		if (__atomic_load_n(&busy[i], __ATOMIC_ACQUIRE))
			continue;
		fill(i);
		list[n++] = &block[i];
	}
	if (n && !draw(5)) {
		bad = *list[n - 1];
		if (draw(2))
			bad.aio_lio_opcode = 77;
		else
			bad.aio_fildes = 1000;
		list[n - 1] = draw(4) ? &bad : (struct iocb *)8;
	}
	for (i = 0; i < n; i++)
		if (list[i] >= block && list[i] < block + DEPTH)
			__atomic_store_n(&busy[list[i] - block], 1, __ATOMIC_RELEASE);
	ret = (int)io_submit(ctx, n, list);
	for (i = ret < 0 ? 0 : ret; i < n; i++)
		if (list[i] >= block && list[i] < block + DEPTH)
			__atomic_store_n(&busy[list[i] - block], 0, __ATOMIC_RELEASE);
	if (ret > 0)
		__atomic_add_fetch(&submitted, ret, __ATOMIC_ACQ_REL);
}

static void count(const struct io_event *event, int ret)
{
	int i;

	for (i = 0; i < ret; i++) {
		const struct iocb *b = (const struct iocb *)(uintptr_t)event[i].obj;

		if (event[i].res < 0)
			failed++;
		else if (b->aio_lio_opcode == IOCB_CMD_PREAD || b->aio_lio_opcode == IOCB_CMD_PREADV)
			bytes_read += event[i].res;
		else if (b->aio_lio_opcode == IOCB_CMD_PWRITE || b->aio_lio_opcode == IOCB_CMD_PWRITEV)
			bytes_written += event[i].res;
		__atomic_store_n(&busy[event[i].data], 0, __ATOMIC_RELEASE);
	}
	if (ret > 0)
		collected += ret;
}

static void collect(int least)
{
	struct timespec none = { 0, 0 };
	struct io_event event[DEPTH];
	int ret;

	if (draw(2))
		ret = (int)io_getevents(ctx, least, 1 + draw(DEPTH), event, least ? NULL : &none);
	else
		ret = (int)io_pgetevents(ctx, least, 1 + draw(DEPTH), event, least ? NULL : &none, NULL);
	count(event, ret);
}

static uint64_t wanted;

static void *collector(void *arg)
{
	while (collected < wanted)
		if (__atomic_load_n(&submitted, __ATOMIC_ACQUIRE) > collected)
			collect(1);
		else
			sched_yield();
	return arg;
}

static void poll_and_cancel(void)
{
	static struct iocb one;
	struct io_event event;
	int p[2];

	if (pipe(p))
		return;
	one.aio_lio_opcode = IOCB_CMD_POLL;
	one.aio_fildes = p[0];
	one.aio_buf = POLLIN;
	one.aio_data = DEPTH;
	submitted += io_submit(ctx, 1, (struct iocb *[]){ &one }) == 1;
	/* it is reported like any other, but by old kernels */
	if (io_cancel(ctx, &one, &event) == 0)
		collected++;
	else
		collect(1);
}

static int handled_in;
static volatile unsigned handled;

static void handler(int signal)
{
	handled += write(handled_in, &signal, 1) == 1;
}

/* The signal is blocked, but while the call waits. */
static int wait_unmasked(struct io_event *event, int least)
{
	sigset_t all_through;
	void *mask = &all_through;
#if BY != BY_LIBAIO
	/* as the kernel wants it */
	struct {
		void *set;
		size_t size;
	} pair = { mask, 8 };

	mask = &pair;
#endif
	sigemptyset(&all_through);
	return (int)io_pgetevents(ctx, least, DEPTH, event, NULL, mask);
}

/* The call would wait for one more than there are, if no signal came. */
static void masked(void)
{
	unsigned interrupted = 0, sent = 0;
	struct io_event event[DEPTH];
	sigset_t usr1, is;
	bool signals;
	int n, ret;

	handled_in = open("d", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	signal(SIGUSR1, handler);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	while (submitted < wanted) {
		if (draw(3))
			submit(1 + draw(8));
		n = (int)(submitted - collected);
		signals = !n || draw(2);
		sent += signals && !raise(SIGUSR1);
		ret = wait_unmasked(event, n + signals);
		count(event, ret);
		interrupted += ret == -EINTR;
		sigprocmask(SIG_BLOCK, NULL, &is);
		if (handled != sent || !sigismember(&is, SIGUSR1) || (ret < 0 && ret != -EINTR))
			exit(4);
	}
	dprintf(open("masked", O_WRONLY | O_CREAT | O_TRUNC, 0600), "handled %u interrupted %u\n", handled, interrupted);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	unsigned i;

	state = strtoul(argv[1], NULL, 10);
	wanted = strtoul(argv[2], NULL, 10);
	fd[0] = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
	fd[1] = open("b", O_RDWR | O_CREAT | O_TRUNC, 0600);
	fd[2] = open("c", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	efd = eventfd(0, EFD_NONBLOCK);
	if (io_setup(DEPTH, &ctx))
		return 77;
	io_submit(ctx, 1, (struct iocb **)8);
	if (argc > 3 && !strcmp(argv[3], "masked")) {
		masked();
		while (collected < submitted)
			collect(1);
	} else if (argc > 3) {
		pthread_create(&thread, NULL, collector, NULL);
		while (submitted < wanted) {
			i = 1 + draw(8);
			submit(wanted - submitted < i ? (int)(wanted - submitted) : (int)i);
		}
		pthread_join(thread, NULL);
	} else {
		while (submitted < wanted) {
			submit(1 + draw(8));
			collect(submitted > collected ? draw(3) > 0 : 0);
		}
		poll_and_cancel();
		while (collected < submitted)
			collect(1);
		collect(0);
	}
	io_destroy(ctx);
	printf("requests %llu completions %llu failed %llu read %llu written %llu\n", (unsigned long long)submitted,
	       (unsigned long long)collected, (unsigned long long)failed, (unsigned long long)bytes_read,
	       (unsigned long long)bytes_written);
	return 0;
}
