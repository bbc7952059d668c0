/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.c - asks a helper process, through pipes, what some numbers are mapped to.
 *
 * build: iocc -static
 * as: magpie
 */
#include <err.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBERS 20000
#ifdef FIXED
#define BATCH 1000
#else
#define BATCH 1
#endif

static int get(int fd, void *to, size_t size)
{
	char *at = to;

	while (size) {
		ssize_t n = read(fd, at, size); /* FINDING piped ~pipe~ - */

		if (n < 0)
			err(1, "pipe");
		if (n == 0)
			return 0;
		at += n;
		size -= (size_t)n;
	}
	return 1;
}

static void put(int fd, const void *from, size_t size)
{
	if (write(fd, from, size) != (ssize_t)size)
		err(1, "pipe");
}

static void help(int from, int to)
{
	int n[BATCH];

	while (get(from, n, sizeof(n))) { /* FINDING piped ~pipe~ - */
		for (int i = 0; i < BATCH; i++)
			n[i] = n[i] * 7 % 1001;
		put(to, n, sizeof(n));
	}
}

int main(void)
{
	int question[2], answer[2], n[BATCH];
	long sum = 0;

	if (pipe(question) || pipe(answer))
		err(1, "pipe");
	if (fork() == 0) {
		close(question[1]);
		help(question[0], answer[1]);
		_exit(0);
	}
	close(question[0]);
	close(answer[1]);
	for (int i = 0; i < NUMBERS; i += BATCH) {
		for (int k = 0; k < BATCH; k++)
			n[k] = i + k;
		put(question[1], n, sizeof(n));
		if (!get(answer[0], n, sizeof(n))) /* FINDING piped ~pipe~ - */
			errx(1, "the helper is gone");
		for (int k = 0; k < BATCH; k++)
			sum += n[k];
	}
	close(question[1]);
	wait(NULL);
	printf("%ld\n", sum);
	return 0;
}
