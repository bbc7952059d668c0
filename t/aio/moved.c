/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moved.c moved|unmapped - the ring of the kernel's asynchronous I/O goes to another address, as when a
 * program is restored from a checkpoint, with one request in flight; or it is unmapped.
 * Exits with 0 if that works.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACES 8

static int read_one(aio_context_t context, int fd)
{
	static char to[512];
	struct iocb block = { .aio_fildes = (uint32_t)fd, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)to,
			      .aio_nbytes = sizeof(to) };
	struct iocb *list[] = { &block };
	struct io_event event;

	return syscall(SYS_io_submit, context, 1L, list) == 1 &&
	       syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) == 1 && event.res == sizeof(to);
}

/* As the kernel lists it. */
static size_t size_of(uintptr_t ring)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from = 0, to = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && from == ring)
			break;
	if (maps)
		fclose(maps);
	return from == ring ? to - from : 0;
}

int main(int argc, char **argv)
{
	int data = open("data", O_RDWR | O_CREAT, 0600), pipes[2];
	aio_context_t context = 0;
	struct iocb block = { .aio_lio_opcode = IOCB_CMD_POLL, .aio_buf = POLLIN };
	struct iocb *list[] = { &block };
	struct io_event event;
	void *place;
	size_t size;

	if (argc != 2 || data < 0 || ftruncate(data, 512) || pipe(pipes))
		return 1;
	if (syscall(SYS_io_setup, (long)PLACES, &context))
		return 77;
	if (!read_one(context, data))
		return 2;
	size = size_of(context);
	if (!strcmp(argv[1], "unmapped"))
		return munmap((void *)context, size) ? 3 : 0;
	block.aio_fildes = (uint32_t)pipes[0];
	if (syscall(SYS_io_submit, context, 1L, list) != 1)
		return 4;
	place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place == MAP_FAILED ||
	    mremap((void *)context, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) != place)
		return 5;
	context = (aio_context_t)place;
	if (!read_one(context, data) || write(pipes[1], "x", 1) != 1 ||
	    syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) != 1 || !(event.res & POLLIN))
		return 6;
	return 0;
}
