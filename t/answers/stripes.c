/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stripes.c - four processes compute the lines of a picture and store them in one file.
 *
 * build: iocc -static
 * as: join
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define LINES	4096
#define LINE	4096
#define AT_ONCE 64

static unsigned char buf[AT_ONCE][LINE];

static void compute(int line, unsigned char *to)
{
	memset(to, line % 251, LINE);
}

static void store(int fd, int line, int lines)
{
	size_t size = (size_t)lines * LINE;

	if (pwrite(fd, buf, size, (off_t)line * LINE) != (ssize_t)size) /* FINDING interleaved|strided picture.raw */
		err(1, "picture.raw");
}

static void work(int fd, int number)
{
#ifdef FIXED
	for (int line = number * (LINES / WORKERS); line < (number + 1) * (LINES / WORKERS); line += AT_ONCE) {
		for (int i = 0; i < AT_ONCE; i++)
			compute(line + i, buf[i]);
		store(fd, line, AT_ONCE);
	}
#else
	for (int line = number; line < LINES; line += WORKERS) {
		compute(line, buf[0]);
		store(fd, line, 1); /* FINDING interleaved|strided picture.raw */
	}
#endif
}

int main(void)
{
	int fd = open("picture.raw", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		err(1, "picture.raw");
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0) {
			work(fd, i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	close(fd);
	return 0;
}
