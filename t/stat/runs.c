/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.c - writes or reads a file, some times, each time in a child or by itself.
 *
 *	runs write|read TIMES [fork|exec]
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int once(int writes)
{
	char piece[2000];
	int fd = open("file", writes ? O_WRONLY | O_CREAT : O_RDONLY, 0644), i;

	memset(piece, 'x', sizeof(piece));
	for (i = 0; i < 20000; i++)
		if ((writes ? write(fd, piece, sizeof(piece)) : read(fd, piece, sizeof(piece))) != sizeof(piece))
			return 1;
	return close(fd);
}

int main(int argc, char **argv)
{
	int writes = argc > 2 && !strcmp(argv[1], "write"), times = argc > 2 ? atoi(argv[2]) : 0, status;
	const char *how = argc > 3 ? argv[3] : "";

	if (!strcmp(how, "exec")) {
		char left[] = {(char)('0' + times - 1), '\0'};

		if (once(writes))
			return 1;
		return times > 1 ? execl("/proc/self/exe", argv[0], argv[1], left, how, (char *)NULL) : 0;
	}
	for (; times > 0; times--) {
		if (!*how && once(writes))
			return 1;
		if (*how && !fork())
			_exit(once(writes));
		if (*how && (wait(&status) < 0 || status))
			return 1;
	}
	return 0;
}
