/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rare.c N - writes N lines, some by calls within others, and syncs once in between: calls of
 * which most blocks of the log have none.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100000, fd = open("out", O_CREAT | O_RDWR, 0600);
	FILE *f = fopen("lines", "w");

	if (fd < 0 || !f)
		return 1;
	setvbuf(f, NULL, _IOFBF, 512);
	for (int i = 0; i < n; i++) {
		if (pwrite(fd, &i, sizeof(i), (off_t)(i * 7919L % 100000)) != sizeof(i) ||
		    fprintf(f, "line %d\n", i) < 0)
			return 1;
		if (i == n / 2 && (fflush(f) || fsync(fd)))
			return 1;
	}
	return fclose(f) || close(fd);
}
