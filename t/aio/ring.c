/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c own|both ROUNDS - reads of a file by the kernel's asynchronous I/O, 32 at a time, of which
 * an eventfd tells when they are over.
 *
 * own: the program takes completions from the ring in its memory itself, as QEMU does.  both:
 * another thread collects them by io_getevents(2) meanwhile.  Control blocks are used again in each
 * round.  Prints how many requests there were.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AT_ONCE 32

struct ring {
	unsigned int id, places, head, tail, magic, compat, incompat, header;
	struct io_event event[];
};

static aio_context_t context;
static int over;
static long collected;

static void *collect(void *unused)
{
	struct timespec soon = { .tv_nsec = 200000 };
	struct io_event events[8];

	(void)unused;
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		long n = syscall(SYS_io_getevents, context, 1L, 8L, events, &soon);

		if (n > 0)
			collected += n;
	}
	return NULL;
}

static void take_all(void)
{
	struct ring *r = (struct ring *)context;
	unsigned int tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);

	while (r->head != tail) {
		collected++;
		__atomic_store_n(&r->head, (r->head + 1) % r->places, __ATOMIC_RELEASE);
	}
}

int main(int argc, char **argv)
{
	static struct iocb block[AT_ONCE];
	static char data[AT_ONCE][512];
	struct iocb *list[AT_ONCE];
	int fd, event = eventfd(0, 0), rounds = argc == 3 ? atoi(argv[2]) : 0;
	int own = argc == 3 && !strcmp(argv[1], "own");
	pthread_t thread;

	fd = open("data", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, AT_ONCE * 512))
		return 1;
	if (syscall(SYS_io_setup, AT_ONCE, &context))
		return 77;
	if (!own && pthread_create(&thread, NULL, collect, NULL))
		return 1;
	for (int i = 0; i < rounds; i++) {
		uint64_t n, sum = 0;

		for (int j = 0; j < AT_ONCE; j++) {
			list[j] = &block[j];
			block[j] = (struct iocb){ .aio_fildes = (uint32_t)fd, .aio_lio_opcode = IOCB_CMD_PREAD,
						  .aio_buf = (uintptr_t)data[j], .aio_nbytes = 512,
						  .aio_offset = j * 512, .aio_flags = IOCB_FLAG_RESFD,
						  .aio_resfd = (uint32_t)event };
		}
		for (int done = 0; done < AT_ONCE;) {
			long ret = syscall(SYS_io_submit, context, (long)(AT_ONCE - done), list + done);

			/* nobody has collected yet what is over */
			done += ret > 0 ? (int)ret : 0;
		}
		for (; sum < AT_ONCE; sum += n)
			if (read(event, &n, sizeof(n)) != sizeof(n))
				return 1;
		if (own)
			take_all();
	}
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	if (!own)
		pthread_join(thread, NULL);
	else if (collected != rounds * AT_ONCE)
		return 1;
	printf("%d\n", rounds * AT_ONCE);
	return 0;
}
