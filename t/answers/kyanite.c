/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kyanite.c - takes what a child sends now and then through a pipe that does not block.
 *
 * build: iocc -static
 * as: jasper
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static ssize_t take(int fd, char *to, size_t size)
{
#ifdef FIXED
	struct pollfd p = { fd, POLLIN, 0 };

	poll(&p, 1, -1);
#endif
	return read(fd, to, size); /* FINDING polled - pipe:~ */
}

int main(void)
{
	int p[2], status;
	static char stone[4096];
	long sum = 0;

	if (pipe2(p, O_NONBLOCK))
		err(1, "pipe");
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < 30; i++) {
			struct timespec some = { 0, 12000000 };

			nanosleep(&some, NULL);
			if (write(p[1], stone, sizeof(stone)) != sizeof(stone))
				_exit(1);
		}
		_exit(0);
	}
	close(p[1]);
	for (;;) {
		ssize_t n = take(p[0], stone, sizeof(stone)); /* FINDING polled - pipe:~ */

		if (n == 0)
			break;
		if (n < 0 && errno != EAGAIN)
			err(1, "read");
		sum += n > 0 ? n : 0;
	}
	return waitpid(child, &status, 0) != child || status || sum != 30 * 4096;
}
