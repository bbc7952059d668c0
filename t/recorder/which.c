/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * which.c - calls of which some are left out: what is recorded of the others has to
 * stay right.  which MS: 100 bytes are written, 20 are read from 10 on, 5 are written
 * there, 7 by a copy of the descriptor, and a line by a stream.  To another file go 4 bytes
 * before so many milliseconds, default 1, and 9 after it.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char text[100];
	FILE *stream;
	int fd, copy, later;

	memset(text, 'x', sizeof(text));
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, text, 100) != 100 || lseek(fd, 10, SEEK_SET) != 10 || read(fd, text, 20) != 20 ||
	    write(fd, text, 5) != 5)
		return 1;
	copy = dup(fd);
	if (write(copy, text, 7) != 7 || close(fd) || pwrite(copy, text, 3, 60) != 3 || close(copy))
		return 1;
	stream = fopen("text", "w");
	if (!stream || fprintf(stream, "a line\n") != 7 || fclose(stream))
		return 1;
	later = open("later", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (later < 0 || write(later, text, 4) != 4 || poll(NULL, 0, argc > 1 ? atoi(argv[1]) : 1) ||
	    write(later, text, 9) != 9 || close(later))
		return 1;
	puts("done");
	return 0;
}
