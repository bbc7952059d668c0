/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sextant.c - asks an instrument for angles, and takes what comes until nothing has come for a while.
 *
 * build: iocc
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define STARS 24

static void instrument(int fd)
{
	char request[64], answer[64];
	ssize_t n;

	while ((n = read(fd, request, sizeof(request) - 1)) > 0) {
		request[n] = 0;
		n = snprintf(answer, sizeof(answer), "%ld deg\n", 17 * strtol(request + 5, NULL, 10) % 90);
		if (write(fd, answer, (size_t)n) != n)
			_exit(1);
	}
	_exit(0);
}

static size_t get(int fd, char *to, size_t room)
{
	size_t have = 0;
	ssize_t n;

	for (;;) {
#ifdef FIXED
		if (have && to[have - 1] == '\n')
			return have;
#endif
		n = recv(fd, to + have, room - have, 0); /* FINDING expired - socket:~ */
		if (n <= 0)
			return have;
		have += (size_t)n;
	}
}

int main(void)
{
	const struct timeval patience = {.tv_usec = 20000};
	char request[64], answer[256];
	long sum = 0;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		err(1, "socketpair");
	if (fork() == 0) {
		close(fd[0]);
		instrument(fd[1]);
	}
	close(fd[1]);
	if (setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		err(1, "setsockopt");
	for (int star = 0; star < STARS; star++) {
		int n = snprintf(request, sizeof(request), "star %d\n", star);
		size_t have;

		if (write(fd[0], request, (size_t)n) != n)
			err(1, "request");
		have = get(fd[0], answer, sizeof(answer) - 1);
		answer[have] = 0;
		sum += strtol(answer, NULL, 10);
	}
	close(fd[0]);
	wait(NULL);
	printf("%ld\n", sum);
	return 0;
}
