/* SPDX-License-Identifier: BSD-3-Clause */
/* left.c - left OPERATIONS: begins to wait so many times for a pipe that nobody writes to. */
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static struct iocb request[500];
	int n = argc == 2 ? atoi(argv[1]) : 0, fd[2];
	aio_context_t context = 0;

	if (n > 500 || pipe(fd))
		return 1;
	if (syscall(SYS_io_setup, n, &context))
		return 77;
	for (int i = 0; i < n; i++) {
		struct iocb *requests[] = { &request[i] };

		request[i] = (struct iocb){
			.aio_fildes = (uint32_t)fd[0],
			.aio_lio_opcode = IOCB_CMD_POLL,
			.aio_buf = POLLIN,
		};
		if (syscall(SYS_io_submit, context, 1, requests) != 1)
			return 1;
	}
	return 0;
}
