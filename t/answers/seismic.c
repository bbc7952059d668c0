/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seismic.c - looks for the strongest shock in what seismometers have written.
 *
 * build: iocc
 * input: head -c 16M /dev/zero >shocks.raw
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define BLOCK 16384

static int open_for(int advice)
{
	int fd = open("shocks.raw", O_RDONLY);

	if (fd < 0)
		err(1, "shocks.raw");
	posix_fadvise(fd, 0, 0, advice);
	return fd;
}

static int strongest(int fd)
{
	static unsigned char block[BLOCK];
	int most = 0;
	ssize_t n;

	while ((n = read(fd, block, BLOCK)) > 0) /* FINDING no-readahead shocks.raw */
		for (ssize_t i = 0; i < n; i++)
			most = block[i] > most ? block[i] : most;
	return most;
}

int main(void)
{
#ifdef FIXED
	int fd = open_for(POSIX_FADV_SEQUENTIAL);
#else
	int fd = open_for(POSIX_FADV_RANDOM);
#endif

	printf("%d\n", strongest(fd)); /* FINDING no-readahead shocks.raw */
	return 0;
}
