/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookout.c - receives messages that begin with their length, and looks at all there is for it.
 *
 * build: iocc
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESSAGES 30000
#define LONGEST	 60

static void all(int fd, const char *p, size_t n)
{
	ssize_t k;

	for (; n; p += k, n -= (size_t)k)
		if ((k = write(fd, p, n)) <= 0)
			_exit(1);
}

static void sender(int fd)
{
	static char out[MESSAGES * LONGEST];
	size_t n = 0;

	for (int i = 0; i < MESSAGES; i++) {
		out[n] = (char)(20 + i % 40);
		memset(out + n + 1, 'a' + i % 26, (size_t)out[n] - 1);
		n += (size_t)out[n];
	}
	all(fd, out, n);
	_exit(0);
}

static char seen[1 << 16];
static size_t from, to;

/* The next message, of that length; 0: there is none */
static size_t next(int fd, char *message)
{
	size_t n;
#ifdef FIXED
	if (from == to || from + (size_t)seen[from] > to) {
		ssize_t k;

		memmove(seen, seen + from, to - from);
		to -= from;
		from = 0;
		k = recv(fd, seen + to, sizeof(seen) - to, 0);
		to += k > 0 ? (size_t)k : 0;
	}
	if (from == to)
		return 0;
	n = (size_t)seen[from];
	memcpy(message, seen + from, n);
	from += n;
#else
	struct iovec all_there = {seen, sizeof(seen)};
	struct msghdr what = {.msg_iov = &all_there, .msg_iovlen = 1};

	(void)from;
	(void)to;
	if (recvmsg(fd, &what, MSG_PEEK) <= 0) /* FINDING peeked socket:~ */
		return 0;
	n = (size_t)seen[0];
	if (recv(fd, message, n, MSG_WAITALL) != (ssize_t)n)
		err(1, "message");
#endif
	return n;
}

int main(void)
{
	char message[256];
	uint64_t sum = 0;
	size_t n;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		err(1, "socketpair");
	if (fork() == 0) {
		close(fd[0]);
		sender(fd[1]);
	}
	close(fd[1]);
	while ((n = next(fd[0], message)))
		sum += n * (unsigned char)message[1];
	wait(NULL);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
