/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * almond.c - four processes bring a table up to date; who changes it holds a lock file.
 *
 * build: iocc -static
 * as: turns
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TREES 512
#define PROCESSES 4
#define ROUNDS 60

struct tree {
	char name[32];
	double height, crown[11];
};

static double work(int n)
{
	double x = 1;

	for (int i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9 / x;
	return x;
}

#ifndef FIXED
static void lock(void)
{
	int fd;

	while ((fd = open("almond.lock", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0) { /* FINDING lock-file almond.lock */
		if (errno != EEXIST)
			err(1, "almond.lock");
		usleep(200);
	}
	close(fd);
}

static void unlock(void)
{
	if (unlink("almond.lock"))
		err(1, "almond.lock");
}
#endif

#ifdef FIXED
static void update(int fd, int who)
{
	struct tree mine[TREES / PROCESSES];
	struct flock part = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = who * sizeof mine, .l_len = sizeof mine};

	if (fcntl(fd, F_SETLKW, &part) || pread(fd, mine, sizeof mine, part.l_start) != sizeof mine)
		err(1, "almond.tab");
	for (int i = 0; i < TREES / PROCESSES; i++)
		mine[i].height += work(2000) * 0.001;
	if (pwrite(fd, mine, sizeof mine, part.l_start) != sizeof mine)
		err(1, "almond.tab");
}
#else
static void update(int fd, int who)
{
	struct tree trees[TREES];

	lock(); /* FINDING lock-file almond.lock */
	if (pread(fd, trees, sizeof trees, 0) != sizeof trees)
		err(1, "almond.tab");
	for (int i = who; i < TREES; i += PROCESSES)
		trees[i].height += work(2000) * 0.001;
	if (pwrite(fd, trees, sizeof trees, 0) != sizeof trees)
		err(1, "almond.tab");
	unlock();
}
#endif

int main(void)
{
	static struct tree trees[TREES];
	int fd = open("almond.tab", O_CREAT | O_RDWR | O_TRUNC, 0600);

	for (int i = 0; i < TREES; i++)
		snprintf(trees[i].name, sizeof trees[i].name, "tree %d", i);
	if (fd < 0 || write(fd, trees, sizeof trees) != sizeof trees)
		err(1, "almond.tab");
	for (int who = 0; who < PROCESSES; who++)
		if (!fork()) {
			for (int i = 0; i < ROUNDS / 4; i++) {
				work(200000);
				update(fd, who);
			}
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
