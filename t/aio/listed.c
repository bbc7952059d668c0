/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listed.c - requests of two functions to a file, in batches of the kernel's asynchronous I/O and one at a time of
 * POSIX AIO.  Says what iotrace-stat is to list: OPERATION OFFSET BYTES DEPTH FUNCTION.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 6u

static aio_context_t context;
static char data[MOST][8192];
static int fd;

static void say(int writes, unsigned long offset, unsigned long size, unsigned depth, const char *function)
{
	printf("%s %lu %lu %u %s\n", writes ? "pwrite" : "pread", offset, size, depth, function);
}

/* The kernel carries them out within the call, since the file is in memory; they are in flight until they are collected. */
static __attribute__((noinline)) void batch(unsigned n, unsigned long at)
{
	struct iocb block[MOST] = { { 0 } }, *list[MOST];
	struct io_event event[MOST];

	for (unsigned i = 0; i < n; i++) {
		const int writes = i % 2;

		block[i].aio_lio_opcode = writes ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
		block[i].aio_fildes = (unsigned)fd;
		block[i].aio_buf = (uintptr_t)data[i];
		block[i].aio_offset = (long)(at + 10000 * i);
		block[i].aio_nbytes = 100 * (i + 1);
		list[i] = &block[i];
		say(writes, at + 10000 * i, 100 * (i + 1), i + 1, "batch");
	}
	if (syscall(SYS_io_submit, context, (long)n, list) != (long)n)
		exit(2);
	if (syscall(SYS_io_getevents, context, (long)n, (long)n, event, NULL) != (long)n)
		exit(3);
}

static __attribute__((noinline)) void single(unsigned long at, unsigned long size, int writes)
{
	struct aiocb block = { .aio_fildes = fd, .aio_buf = data[0], .aio_offset = (long)at, .aio_nbytes = size };
	const struct aiocb *list[] = { &block };

	say(writes, at, size, 1, "single");
	if (writes ? aio_write(&block) : aio_read(&block))
		exit(4);
	while (aio_suspend(list, 1, NULL))
		;
	if (aio_return(&block) < 0)
		exit(5);
}

int main(void)
{
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, 1 << 20) || syscall(SYS_io_setup, MOST, &context))
		return 77;
	for (unsigned i = 0; i < 10; i++) {
		batch(1 + i % MOST, 1000 * i);
		single(500 * i, 50 + i, i % 2);
	}
	return 0;
}
