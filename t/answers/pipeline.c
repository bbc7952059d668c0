/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipeline.c - a process reads blocks and sends them through a pipe to another, which stores
 * what it computes of them.
 *
 * build: iocc -static
 * input: head -c 8M /dev/zero >signal.raw
 */
#include <err.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 65536

static unsigned char block[BLOCK];

static size_t get(int fd)
{
	size_t have = 0;

	while (have < BLOCK) {
		ssize_t n = read(fd, block + have, BLOCK - have);

		if (n < 0)
			err(1, "read");
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return have;
}

static void put(int fd, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = write(fd, block + done, size - done);

		if (n < 0)
			err(1, "write");
		done += (size_t)n;
	}
}

static void filter(int from)
{
	int to = open("signal.out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	size_t n;

	if (to < 0)
		err(1, "signal.out");
	while ((n = get(from)) > 0) {
		for (size_t i = 1; i < n; i++)
			block[i] = (unsigned char)((block[i] + block[i - 1]) / 2);
		put(to, n);
	}
	close(to);
}

int main(void)
{
	int fd = open("signal.raw", O_RDONLY), p[2];
	size_t n;

	if (fd < 0 || pipe(p))
		err(1, "signal.raw");
	if (fork() == 0) {
		close(p[1]);
		filter(p[0]);
		_exit(0);
	}
	close(p[0]);
	while ((n = get(fd)) > 0)
		put(p[1], n);
	close(p[1]);
	close(fd);
	wait(NULL);
	return 0;
}
