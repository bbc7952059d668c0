/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inherited.c - a forked child and its own child use what their parents have mapped: each call is
 * about the file that lay there when they were forked, whatever their parents did since.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096L

static char *one, *two, *three;

static char *map(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *p = ftruncate(fd, 4 * PAGE) ? MAP_FAILED : mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	close(fd);
	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static void wait_for(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child || status)
		exit(3);
}

static void grandchild(void)
{
	msync(two, PAGE, MS_SYNC);
	/* its parent's no more, nor its own */
	munmap(one, 4 * PAGE);
	munmap(two, 4 * PAGE);
	munmap(three + 2 * PAGE, 2 * PAGE);
	_exit(0);
}

static void child(int from)
{
	pid_t pid;
	char c;

	/* by now its parent has unmapped what it still has */
	if (read(from, &c, 1) != 1)
		_exit(4);
	msync(three, PAGE, MS_SYNC);
	munmap(three, 2 * PAGE);
	msync(one, PAGE, MS_SYNC);
	munmap(one, 4 * PAGE);
	pid = fork();
	if (!pid)
		grandchild();
	wait_for(pid);
	/* a new one in its parent's place is none of the parent's */
	if (mmap(two, 4 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		_exit(5);
	munmap(two, 4 * PAGE);
	_exit(0);
}

int main(void)
{
	int to[2];
	pid_t pid;

	one = map("one");
	two = map("two");
	three = map("three");
	if (pipe(to))
		return 1;
	pid = fork();
	if (!pid)
		child(to[0]);
	munmap(three, 4 * PAGE);
	/* and this the child does not have */
	three = map("four");
	if (write(to[1], "", 1) != 1)
		return 1;
	wait_for(pid);
	msync(one, PAGE, MS_SYNC);
	msync(three, PAGE, MS_SYNC);
	return 0;
}
