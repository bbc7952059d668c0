/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - calls that say when they are made: the offset of each pwrite is the
 * time in ns since the one that was printed first.  times CALLS NAP END: naps of
 * so many us after every tenth; END is exit or kill.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY), n = argc > 3 ? atoi(argv[1]) : 0;
	uint64_t first = now();

	if (fd < 0 || !n)
		return 99;
	printf("%llu\n", (unsigned long long)first);
	fflush(stdout);
	for (int i = 0; i < n; i++) {
		if (pwrite(fd, "x", 1, (off_t)(now() - first)) != 1)
			return 98;
		if (i % 10 == 9)
			usleep((useconds_t)atoi(argv[2]));
	}
	if (!strcmp(argv[3], "kill"))
		kill(getpid(), SIGKILL);
	return 0;
}
