/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rush.c - samples are handed to a keeper by TCP, the name and then the sample, and the keeper says when it has it.
 *
 * build: iocc
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLES 16
#define NAME	24
#define SIZE	1000

static char name[NAME], sample[SIZE];

static void keep(int listening)
{
	int s = accept(listening, NULL, NULL);
	char part[NAME + SIZE];

	for (int i = 0; i < SAMPLES; i++) {
		for (size_t n = 0; n < sizeof(part);) {
			ssize_t got = read(s, part + n, sizeof(part) - n);

			if (got <= 0)
				_exit(1);
			n += (size_t)got;
		}
		if (write(s, "k", 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void hand_over(int s, int i)
{
	char kept;

	memset(name, 'a' + i % 26, sizeof(name));
	memset(sample, i, sizeof(sample));
#ifdef FIXED
	struct iovec both[2] = { { name, sizeof(name) }, { sample, sizeof(sample) } };

	if (writev(s, both, 2) != NAME + SIZE)
		err(1, "writev");
#else
	if (write(s, name, sizeof(name)) != NAME)
		err(1, "write");
	if (write(s, sample, sizeof(sample)) != SIZE) /* FINDING held-back ~socket~ - */
		err(1, "write");
#endif
	if (read(s, &kept, 1) != 1)
		err(1, "read");
}

int main(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);
	int listening = socket(AF_INET, SOCK_STREAM, 0), s, status;
	pid_t keeper;

	if (bind(listening, (struct sockaddr *)&at, sizeof(at)) || listen(listening, 1) ||
	    getsockname(listening, (struct sockaddr *)&at, &size))
		err(1, "socket");
	keeper = fork();
	if (keeper == 0)
		keep(listening);
	s = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(s, (struct sockaddr *)&at, sizeof(at)))
		err(1, "connect");
	for (int i = 0; i < SAMPLES; i++)
		hand_over(s, i); /* FINDING held-back ~socket~ - */
	return waitpid(keeper, &status, 0) != keeper || status;
}
