/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sedge.c - stages that processes of their own compute, each of which says by a file that it is done.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STAGES 40

static void compute(const char *done)
{
	volatile double x = 0;
	int fd;

	for (int i = 0; i < 100000; i++)
		x = x + 1.0 / (i + 1);
	fd = open(done, O_WRONLY | O_CREAT, 0644);
	if (fd < 0 || write(fd, "done\n", 5) != 5 || close(fd))
		_exit(1);
	_exit(0);
}

#ifndef FIXED
static void nap(void)
{
	struct timespec ten_ms = { 0, 10000000 };

	nanosleep(&ten_ms, NULL);
}

static int is_done(const char *done)
{
	return access(done, F_OK) == 0; /* FINDING awaited stage.~ in */
}

static void await(const char *done)
{
	while (!is_done(done)) /* FINDING awaited stage.~ in */
		nap();
}
#endif

int main(void)
{
	char done[32];
	int status;

	for (int i = 0; i < STAGES; i++) {
		pid_t p;

		snprintf(done, sizeof(done), "stage.%d", i);
		p = fork();
		if (p == 0)
			compute(done);
#ifndef FIXED
		await(done);
#endif
		if (waitpid(p, &status, 0) != p || status)
			errx(1, "stage %d", i);
	}
	return 0;
}
