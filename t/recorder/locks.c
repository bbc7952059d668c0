/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks.c - locks of the executable and libc survive what it does, and an exec.
 *
 *	locks DLOPEN	says which are lost; DLOPEN: a library to load, or - for none
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int to;

/* Asks by another process, which has none of them. */
static void check(const char *when)
{
	static const char *const names[] = { "executable", "libc" };

	for (int i = 0; i < 2; i++) {
		int status;
		pid_t child = fork();

		if (!child) {
			struct flock l = { .l_type = F_WRLCK };

			_exit(fcntl(10 + i, F_GETLK, &l) < 0 || l.l_type == F_UNLCK);
		}
		if (waitpid(child, &status, 0) != child || status)
			printf("%s: the lock of %s is lost\n", when, names[i]);
	}
}

static void lock(int fd, const char *path)
{
	struct flock l = { .l_type = F_RDLCK };
	int got = open(path, O_RDONLY);

	if (got < 0 || dup2(got, fd) != fd || close(got) || fcntl(fd, F_SETLK, &l) < 0)
		exit(2);
}

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	if (write(to, "x", 1) != 1)
		exit(3);
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	char *const again[] = { argv[0], argv[1], "again", NULL };
	int numbers[] = { 3, 1, 2 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	to = open("/dev/null", O_WRONLY);
	if (argc == 3) {
		check("exec");
		qsort(numbers, 3, sizeof(*numbers), compare);
		check("qsort, after exec");
		return 0;
	}
	lock(10, "/proc/self/exe");
	lock(11, argv[1]);
	check("at first");
	qsort(numbers, 3, sizeof(*numbers), compare);
	check("qsort");
#ifdef DYNAMIC
	if (!dlopen("libm.so.6", RTLD_NOW))
		return 4;
	check("dlopen");
#endif
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, 10, 0) == MAP_FAILED)
		return 5;
	check("mmap");
	execv("/proc/self/exe", again);
	return 6;
}
