/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * magpie.c - a process sends what it finds to another through a pipe, number by number.
 *
 * build: iocc
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FINDS	300000

/* send_all - however many bytes */
static void send_all(int fd, const void *p, size_t n)
{
	if (write(fd, p, n) != (ssize_t)n)
		err(1, "pipe");
}

static void collect(int fd)
{
#ifdef FIXED
	static long batch[8192];
	int n = 0;

	for (long i = 0; i < FINDS; i++) {
		batch[n++] = i * i;
		if (n == 8192) {
			send_all(fd, batch, sizeof(batch));
			n = 0;
		}
	}
	send_all(fd, batch, n * sizeof(long));
#else
	for (long i = 0; i < FINDS; i++) {
		long find = i * i;

		send_all(fd, &find, sizeof(find)); /* FINDING piped ~pipe~ - */
	}
#endif
}

int main(void)
{
	static char block[65536];
	long sum = 0;
	int fds[2];
	ssize_t n;

	if (pipe(fds))
		err(1, "pipe");
	if (fork() == 0) {
		close(fds[0]);
		collect(fds[1]);
		_exit(0);
	}
	close(fds[1]);
	while ((n = read(fds[0], block, sizeof(block))) > 0)
		for (ssize_t i = 0; i < n; i++)
			sum += block[i];
	wait(NULL);
	printf("%ld\n", sum);
	return 0;
}
