/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jasper.c - one process finds stones, another follows the file in which it notes them.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STONES 20

static void find(void)
{
	int fd = open("stones.log", O_WRONLY | O_APPEND);
	static char note[65536];

	for (int i = 0; i < STONES; i++) {
		struct timespec ten_ms = { 0, 10000000 };

		nanosleep(&ten_ms, NULL);
		if (write(fd, note, sizeof(note)) != sizeof(note))
			_exit(1);
	}
	_exit(0);
}

static long follow(int fd, int changes)
{
	static char note[65536];
	long sum = 0;

	while (sum < STONES * 65536L) {
		ssize_t n = read(fd, note, sizeof(note)); /* FINDING polled stones.log */

		sum += n;
		if (n == 0 && changes >= 0) {
			char event[512];

			if (read(changes, event, sizeof(event)) <= 0)
				err(1, "inotify");
		}
	}
	return sum;
}

int main(void)
{
	int fd = open("stones.log", O_RDONLY | O_CREAT | O_TRUNC, 0644), changes = -1, status;

	if (fd < 0)
		err(1, "stones.log");
#ifdef FIXED
	changes = inotify_init();
	inotify_add_watch(changes, "stones.log", IN_MODIFY);
#endif
	pid_t p = fork();
	if (p == 0)
		find();
	follow(fd, changes); /* FINDING polled stones.log */
	return waitpid(p, &status, 0) != p || status;
}
