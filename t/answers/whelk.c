/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whelk.c - shells that were measured again: each has a file of its own, which is written anew as a whole.  It ends
 * within a block, but there is nothing behind it.
 *
 * build: iocc
 * input: mkdir shells && for i in $(seq 0 399); do head -c 5000 /dev/zero >shells/$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define SHELLS 400
#define SHELL  5000

static char shell[SHELL];

int main(void)
{
	char name[32];

	for (int i = 0; i < SHELLS; i++) {
		int fd;

		snprintf(name, sizeof name, "shells/%d", i);
		fd = open(name, O_RDWR);
		if (fd < 0 || pread(fd, shell, 16, 0) != 16)
			err(1, "%s", name);
		shell[0]++;
		for (int k = 16; k < SHELL; k++)
			shell[k] = (char)(shell[k % 16] * k);
		if (pwrite(fd, shell, SHELL, 0) != SHELL || close(fd))
			err(1, "%s", name);
	}
	return 0;
}
