/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * silt.c - moves what a river has carried to where it is kept.
 *
 * build: iocc
 * as: clay
 * input: head -c 6M /dev/zero >silt.in
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <unistd.h>

#ifdef FIXED
#define PART (4 << 20)
#else
#define PART 512
#endif

static long move(int to, int from, long n)
{
	long done = 0;

	while (done < n) {
		long part = n - done < PART ? n - done : PART;
		long got = sendfile(to, from, NULL, (size_t)part); /* FINDING small-writes|small-copies silt.out silt.in */

		if (got <= 0)
			break;
		done += got;
	}
	return done;
}

int main(void)
{
	int in = open("silt.in", O_RDONLY), out = open("silt.out", O_WRONLY | O_CREAT, 0644);

	printf("%ld\n", move(out, in, 6 << 20)); /* FINDING small-writes|small-copies silt.out silt.in */
	return 0;
}
