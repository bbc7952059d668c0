/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smew.c - shows pictures, of which it keeps small ones.  Those that are older than their pictures are made again; but
 * who finds that out leaves them open, until the process has no more descriptors and opens none.
 *
 * build: iocc
 * input: mkdir small; for i in $(seq 600); do head -c 64K /dev/zero >small/$i; done
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define PICTURES 600
#define SIZE	 65536

static unsigned char pixels[SIZE];

static int kept(int picture)
{
	char path[32];
	unsigned sum = 0;
	int fd;

	snprintf(path, sizeof(path), "small/%d", picture);
	fd = open(path, O_RDONLY); /* FINDING exhausted small small/~ */
	if (fd < 0)
		return 0;
	if (read(fd, pixels, SIZE) != SIZE)
		exit(1);
	for (int i = 0; i < SIZE; i++)
		sum += pixels[i];
	if (sum == 0) {
#ifdef FIXED
		close(fd);
#endif
		return 0;
	}
	close(fd);
	return 1;
}

static void make(int picture)
{
	for (int i = 0; i < SIZE; i++)
		pixels[i] = (unsigned char)(picture * i >> 3);
}

int main(void)
{
	struct rlimit few = {256, 256};
	unsigned shown = 0;

	setrlimit(RLIMIT_NOFILE, &few);
	for (int i = 1; i <= PICTURES; i++) {
		if (!kept(i))
			make(i);
		shown += pixels[i % SIZE];
	}
	printf("%u\n", shown);
	return 0;
}
