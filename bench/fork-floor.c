/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork-floor.c - the least that a recorder costs a program that forks: no recorder, but the
 * mappings, pages and system calls that a child has by one.
 *
 *	fork-floor ROUNDS CHILDREN
 *
 * Each form runs in a process of its own, all in turn.  A line for each: microseconds of
 * a child, the least and the median of all rounds, and the ratio of the medians to that of
 * a program with none of it.  Each form has what those before it have, but for "apart":
 * that has all, in memory that lies far from the program's data.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096UL
#define EACH (32 * PAGE) /* a mapping of the recorder's */
#define MAPPINGS 6
#define PAGES 24 /* that the parent has, in the first mapping */
#define CALLS 8
#define FAR (256UL << 30)

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { NOTHING, MAPPED, FILLED, STORED, LOGGED, CALLED, APART, FORMS };
static const char *const names[FORMS] = {
	"nothing",
	"6 mappings, none touched",
	"and 24 pages that the parent has",
	"and a page that is zeroed, a page that is copied",
	"and a page of a mapped file",
	"and 8 system calls",
	"apart: the same, far from the program's data",
};
static char beside[MAPPINGS * EACH] __attribute__((aligned(4096)));
static char *kept, *wiped, *window;
static int null, file = -1;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static char *map(char *at, int prot, int flags, int fd)
{
	char *p = mmap(at, EACH, prot, flags | MAP_FIXED, fd, 0);

	if (p == MAP_FAILED)
		fail("mmap");
	return p;
}

/* What the parent has: mappings that differ, so that the kernel keeps them apart. */
static void prepare(int form)
{
	char *at = beside;

	if (form == APART) {
		at = mmap(NULL, MAPPINGS * EACH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			fail("mmap");
		at -= FAR;
	}
	if (form >= MAPPED) {
		map(at, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		window = map(at + EACH, PROT_READ | PROT_WRITE, MAP_SHARED, file);
		madvise(window + EACH - PAGE, PAGE, MADV_GUARD_INSTALL);
		map(at + 2 * EACH, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
		wiped = map(at + 3 * EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		madvise(wiped, EACH, MADV_WIPEONFORK);
		kept = map(at + 4 * EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		map(at + 5 * EACH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	}
	for (unsigned long i = 0; form >= FILLED && i < PAGES; i++)
		kept[i * PAGE] = 1;
	if (form >= STORED)
		*wiped = 1;
	if (form >= LOGGED)
		*window = 1;
}

static void child(int form)
{
	if (form >= STORED)
		*kept = *wiped = 2;
	if (form >= LOGGED)
		*window = 2;
	if (write(null, "x", 1) != 1)
		_exit(1);
	for (int i = 0; form >= CALLED && i < CALLS; i++)
		syscall(SYS_getppid);
	_exit(0);
}

static double measure(int form, int n)
{
	struct timespec from, to;
	int status = 0;

	prepare(form);
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			child(form);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			fail("fork");
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / n /
	       1e3;
}

static double in_process(int form, int n)
{
	double us = 0;
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		fail("pipe");
	pid = fork();
	if (!pid) {
		us = measure(form, n);
		_exit(write(ends[1], &us, sizeof(us)) != sizeof(us));
	}
	close(ends[1]);
	if (pid < 0 || read(ends[0], &us, sizeof(us)) != sizeof(us) ||
	    waitpid(pid, &status, 0) != pid || status)
		fail("fork");
	close(ends[0]);
	return us;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	int rounds = argc == 3 ? atoi(argv[1]) : 0, n = argc == 3 ? atoi(argv[2]) : 0;
	double *us = calloc((size_t)(rounds > 0 ? rounds : 1) * FORMS, sizeof(*us)), bare = 0;
	char name[] = "fork-floor.XXXXXX";

	if (rounds < 1 || n < 1 || !us) {
		fprintf(stderr, "usage: fork-floor ROUNDS CHILDREN\n");
		return 2;
	}
	null = open("/dev/null", O_WRONLY);
	file = mkstemp(name);
	if (null < 0 || file < 0 || unlink(name) || posix_fallocate(file, 0, EACH))
		fail(name);
	for (int i = 0; i < rounds; i++)
		for (int form = 0; form < FORMS; form++)
			us[form * rounds + i] = in_process(form, n);
	printf("%-50s %10s %10s %6s\n", "a child has", "least us", "median us", "ratio");
	for (int form = 0; form < FORMS; form++) {
		double *of = us + form * rounds;

		qsort(of, (size_t)rounds, sizeof(*of), compare);
		if (!form)
			bare = of[rounds / 2];
		printf("%-50s %10.1f %10.1f %6.2f\n", names[form], of[0], of[rounds / 2],
		       of[rounds / 2] / bare);
	}
	return 0;
}
