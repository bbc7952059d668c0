/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * destroy.c - reads by the kernel's asynchronous I/O, and two polls, that are in flight when their
 * context is destroyed: io_destroy(2) waits for the reads and gives up the polls.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READS 18
#define SIZE (1 << 20)

int main(void)
{
	static struct iocb block[READS + 2];
	struct iocb *list[READS + 2];
	aio_context_t context = 0;
	int fd, p[2];
	char *data;

	/* where O_DIRECT can't be, reads are over when they have been submitted */
	fd = open("data", O_RDWR | O_DIRECT);
	if (fd < 0)
		fd = open("data", O_RDWR);
	if (fd < 0 || pipe(p) || posix_memalign((void **)&data, 4096, SIZE))
		return 1;
	if (syscall(SYS_io_setup, READS + 2, &context))
		return 77;
	for (int i = 0; i < READS + 2; i++) {
		list[i] = &block[i];
		block[i] = (struct iocb){ .aio_fildes = (uint32_t)fd, .aio_lio_opcode = IOCB_CMD_PREAD,
					  .aio_buf = (uintptr_t)data, .aio_nbytes = SIZE, .aio_offset = (int64_t)i * SIZE };
		if (i >= READS)
			block[i] = (struct iocb){ .aio_fildes = (uint32_t)p[0], .aio_lio_opcode = IOCB_CMD_POLL,
						  .aio_buf = POLLIN };
	}
	if (syscall(SYS_io_submit, context, (long)(READS + 2), list) != READS + 2)
		return 1;
	return (int)syscall(SYS_io_destroy, context);
}
