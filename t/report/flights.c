/* SPDX-License-Identifier: BSD-3-Clause */
/* flights.c - requests of POSIX AIO, several in flight. */
#include <aio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define REQUESTS 24
#define IN_FLIGHT 4
#define SIZE 512

int main(void)
{
	static char buf[IN_FLIGHT][SIZE];
	struct aiocb cb[IN_FLIGHT] = {0};
	int fd = open("requests.data", O_RDWR | O_CREAT | O_TRUNC, 0644), i;

	for (i = 0; i < REQUESTS + IN_FLIGHT; i++) {
		struct aiocb *c = &cb[i % IN_FLIGHT];
		const struct aiocb *list[] = {c};

		if (i >= IN_FLIGHT) {
			while (aio_suspend(list, 1, NULL))
				;
			if (aio_return(c) != SIZE)
				exit(1);
		}
		if (i >= REQUESTS)
			continue;
		*c = (struct aiocb){.aio_fildes = fd, .aio_buf = buf[i % IN_FLIGHT], .aio_nbytes = SIZE, .aio_offset = i * SIZE};
		if (aio_write(c))
			exit(1);
	}
	return close(fd);
}
