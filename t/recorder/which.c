/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * which.c - calls of which some are left out: what is recorded of the others has to
 * stay right.  which FILE: 100 bytes are written, 20 are read from 10 on, 5 are written
 * there, 7 by a copy of the descriptor, and a line by a stream.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char text[100];
	FILE *stream;
	int fd, copy;

	memset(text, 'x', sizeof(text));
	fd = open(argc > 1 ? argv[1] : "file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, text, 100) != 100 || lseek(fd, 10, SEEK_SET) != 10 || read(fd, text, 20) != 20 ||
	    write(fd, text, 5) != 5)
		return 1;
	copy = dup(fd);
	if (write(copy, text, 7) != 7 || close(fd) || pwrite(copy, text, 3, 60) != 3 || close(copy))
		return 1;
	stream = fopen("text", "w");
	if (!stream || fprintf(stream, "a line\n") != 7 || fclose(stream))
		return 1;
	puts("done");
	return 0;
}
