/* SPDX-License-Identifier: BSD-3-Clause */
/* appended.c - asynchronous writes, of POSIX and the kernel, to a file's end and to an offset. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char data[4096];

static int posix(int fd, int (*does)(struct aiocb *), size_t size)
{
	struct aiocb cb = { .aio_fildes = fd, .aio_buf = data, .aio_nbytes = size, .aio_offset = 5 };
	const struct aiocb *list[] = { &cb };

	if (does(&cb))
		return 1;
	while (aio_error(&cb) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return aio_return(&cb) != (ssize_t)size;
}

int main(void)
{
	int end = open("end", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600), at = open("at", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct iovec vector = { data, 30 };
	struct iocb block[] = {
		{ .aio_fildes = end, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t)data, .aio_nbytes = 20, .aio_offset = 7 },
		{ .aio_fildes = end, .aio_lio_opcode = IOCB_CMD_PWRITEV, .aio_buf = (uintptr_t)&vector, .aio_nbytes = 1, .aio_offset = 7 },
		{ .aio_fildes = at, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t)data, .aio_nbytes = 40, .aio_offset = 7 },
		{ .aio_fildes = at, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t)data, .aio_nbytes = 50, .aio_offset = 7,
		  .aio_rw_flags = RWF_APPEND },
	}, *list[] = { &block[0], &block[1], &block[2], &block[3] };
	struct io_event events[4];
	aio_context_t context = 0;

	if (write(end, data, 100) != 100 || posix(end, aio_write, 10) || posix(end, aio_read, 60) || posix(at, aio_write, 70))
		return 1;
	if (syscall(SYS_io_setup, 4, &context))
		return 77;
	return syscall(SYS_io_submit, context, 4, list) != 4 || syscall(SYS_io_getevents, context, 4, 4, events, NULL) != 4 ||
	       lseek(end, 0, SEEK_END) != 160 || lseek(at, 0, SEEK_END) != 125;
}
