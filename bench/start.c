/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c - how long a program takes from its start to its end.
 *
 *	start RUNS PROGRAM
 *
 * prints the median over RUNS runs, in nanoseconds; standard output of PROGRAM
 * goes to /dev/null.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

int main(int argc, char **argv)
{
	int runs = argc == 3 ? atoi(argv[1]) : 0;
	posix_spawn_file_actions_t actions;
	double *ns;

	if (runs < 1) {
		fprintf(stderr, "usage: start RUNS PROGRAM\n");
		return 2;
	}
	ns = calloc((size_t)runs, sizeof(*ns));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	for (int i = 0; ns && i < runs; i++) {
		char *child[] = { argv[2], NULL };
		double start = now();
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[2], &actions, NULL, child, environ) ||
		    waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "start: %s: cannot be run\n", argv[2]);
			return 2;
		}
		ns[i] = now() - start;
	}
	if (!ns)
		return 2;
	qsort(ns, (size_t)runs, sizeof(*ns), by_value);
	printf("%.0f\n", ns[runs / 2]);
	return 0;
}
