/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.c - four processes take turns at a machine that only one can use at a time.
 *
 * build: iocc
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define TURNS	10

#ifdef FIXED
/* All turns of a process in one. */
static int enter(void)
{
	static int fd = -1;

	if (fd >= 0)
		return fd;
	fd = open("machine.lock", O_WRONLY | O_CREAT, 0666);
	if (fd < 0 || lockf(fd, F_LOCK, 0))
		err(1, "machine.lock");
	return fd;
}

static void leave(int fd)
{
	(void)fd;
}
#else
static int enter(void)
{
	int fd;

	while ((fd = open("machine.lock", O_WRONLY | O_CREAT | O_EXCL, 0666)) < 0) { /* FINDING lock-file|locked machine.lock */
		if (errno != EEXIST)
			err(1, "machine.lock");
		usleep(100);
	}
	return fd;
}

static void leave(int fd)
{
	close(fd);
	unlink("machine.lock");
}
#endif

int main(void)
{
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0) {
			for (int turn = 0; turn < TURNS; turn++) {
				int fd = enter(); /* FINDING lock-file|locked machine.lock */

				usleep(5000);
				leave(fd);
			}
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
