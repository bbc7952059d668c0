/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - four processes take tasks from a file that they share, and do them.
 *
 * build: iocc
 * as: inventory
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define TASKS	160

static volatile uint64_t sink;

static void lock(int fd, short type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET};

	if (fcntl(fd, F_SETLKW, &l)) /* FINDING locked tasks */
		err(1, "tasks");
}

static void perform(int task)
{
	uint64_t x = (uint64_t)task;

	for (int i = 0; i < 2000000; i++)
		x = x * 6364136223846793005u + 1;
	sink = x;
}

static void work(int fd)
{
	int task = 0;

	while (task < TASKS) {
		int next;

		lock(fd, F_WRLCK); /* FINDING locked tasks */
		if (pread(fd, &task, sizeof(task), 0) != sizeof(task))
			err(1, "tasks");
		next = task + 1;
		if (pwrite(fd, &next, sizeof(next), 0) != sizeof(next))
			err(1, "tasks");
#ifdef FIXED
		lock(fd, F_UNLCK);
		perform(task);
#else
		perform(task);
		lock(fd, F_UNLCK);
#endif
	}
}

int main(void)
{
	int fd = open("tasks", O_RDWR | O_CREAT, 0666), none = 0;

	if (fd < 0 || pwrite(fd, &none, sizeof(none), 0) != sizeof(none))
		err(1, "tasks");
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0) {
			work(fd);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	close(fd);
	return 0;
}
