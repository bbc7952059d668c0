/* SPDX-License-Identifier: BSD-3-Clause */
/* left.c - left OPERATIONS: begins so many writes of 512 bytes, and asks for the end of none. */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char bytes[512];
	int n = argc == 2 ? atoi(argv[1]) : 0, fd = open("left.out", O_WRONLY | O_CREAT, 0666);
	aio_context_t context = 0;

	if (syscall(SYS_io_setup, n, &context))
		return 77;
	for (int i = 0; i < n; i++) {
		struct iocb request = {
			.aio_fildes = (uint32_t)fd,
			.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_buf = (uintptr_t)bytes,
			.aio_nbytes = sizeof(bytes),
			.aio_offset = i * (long)sizeof(bytes),
		}, *requests[] = { &request };

		if (syscall(SYS_io_submit, context, 1, requests) != 1)
			return 1;
	}
	return 0;
}
