/* SPDX-License-Identifier: BSD-3-Clause */
/* board.c - where results go: lines in a file that is mapped, shared by all children. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BOARD_SIZE (1 << 20)

static struct board {
	_Atomic unsigned used;
	char text[];
} *board;

/* Again: by what was executed in the program's place. */
void board_open(const char *path, bool again)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | (again ? 0 : O_CREAT | O_TRUNC), 0666);

	if (fd < 0 || (!again && ftruncate(fd, BOARD_SIZE)) ||
	    (board = mmap(NULL, BOARD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED) {
		dprintf(2, "storm: %s: %s\n", path, strerror(errno));
		exit(99);
	}
	close(fd);
}

void board_line(const char *text)
{
	unsigned n = strlen(text);
	unsigned at = atomic_fetch_add(&board->used, n);

	if (at < BOARD_SIZE && n < BOARD_SIZE - sizeof(*board) - at)
		memcpy(board->text + at, text, n);
}

void say(const struct op *op, const char *format, ...)
{
	int error = errno;
	char line[600];
	int n = snprintf(line, sizeof(line) - 1, "%d ", op->index);
	va_list ap;

	va_start(ap, format);
	n += vsnprintf(line + n, sizeof(line) - 1 - n, format, ap);
	va_end(ap);
	if (n > (int)sizeof(line) - 2)
		n = sizeof(line) - 2;
	line[n] = '\n';
	line[n + 1] = 0;
	board_line(line);
	errno = error;
}

const char *error_name(int error)
{
	static __thread char number[16];
	const char *name = error == 0 ? "0" : strerrorname_np(error);

	if (name)
		return name;
	snprintf(number, sizeof(number), "%d", error);
	return number;
}
