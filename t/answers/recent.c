/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recent.c - finds the last event of each kind in a log.
 *
 * build: iocc
 * input: seq -f %063.0f 1 300000 >events.log
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE  64
#define KINDS 100
#define BLOCK 4096
#define LARGE (1 << 20)

static int last[KINDS];

static void get(int fd, char *to, off_t at, size_t size)
{
	if (pread(fd, to, size, at) != (ssize_t)size)
		err(1, "events.log");
}

static void look(const char *line, int number)
{
	int kind = atoi(line + LINE - 3) % KINDS;

	if (last[kind] < number)
		last[kind] = number;
}

int main(void)
{
	static char buf[LARGE];
	int fd = open("events.log", O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		err(1, "events.log");
#ifdef FIXED
	for (off_t at = 0; at < st.st_size;) {
		size_t size = st.st_size - at < LARGE ? (size_t)(st.st_size - at) : LARGE;

		get(fd, buf, at, size);
		for (size_t i = 0; i < size; i += LINE)
			look(buf + i, (int)((at + (off_t)i) / LINE));
		at += (off_t)size;
	}
#else
	for (off_t at = st.st_size / BLOCK * BLOCK; at >= 0; at -= BLOCK) {
		size_t size = st.st_size - at < BLOCK ? (size_t)(st.st_size - at) : BLOCK;

		get(fd, buf, at, size); /* FINDING backwards events.log */
		for (size_t i = 0; i < size; i += LINE)
			look(buf + i, (int)((at + (off_t)i) / LINE));
	}
#endif
	close(fd);
	printf("%d %d\n", last[0], last[KINDS - 1]);
	return 0;
}
