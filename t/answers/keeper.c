/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keeper.c - computes, and now and then replaces its state by a new one, so that there always
 * is a whole one.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define STATE (1 << 20)
#define TIMES 6

static char state[STATE];

static void keep(void)
{
	int fd = open("state.new", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, state, STATE) != STATE || fsync(fd) || close(fd) || rename("state.new", "state"))
		err(1, "state.new");
}

int main(void)
{
	for (int time = 0; time < TIMES; time++) {
		for (int i = 0; i < STATE; i++)
			state[i] = (char)(state[i] * 3 + i);
		keep();
	}
	return 0;
}
