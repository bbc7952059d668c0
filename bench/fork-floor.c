/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork-floor.c - the least that a recorder costs a program that forks: no recorder, but the
 * mappings, pages and system calls that a child can't do without, and then what ours has
 * beyond them.
 *
 *	fork-floor ROUNDS CHILDREN
 *
 * Each form runs in a process of its own, all in turn.  A line for each: microseconds of
 * processor time of a child and its parent, the least and the median of all rounds, and the
 * median of what the rounds say of its ratio to a program with none of it.  Each form has what
 * those before it have.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	 4096UL
#define CODE	 (64UL << 10) /* that the kernel maps at a time */
#define LOG	 (57 * PAGE)
#define SHARED	 (29 * PAGE)
#define WIPED	 (8 * PAGE)
#define RECORDS	 512UL /* bytes of them in a child's window */
#define TOGETHER 7     /* children whose records are written together */

/* Of pages in place: what a child needs, and what ours has. */
#define LEAST_LOG    2 /* header and window */
#define OURS_LOG     11
#define LEAST_SHARED 1
#define OURS_SHARED  10
#define OURS_PLAIN   24

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { NOTHING, LOGGED, COUNTED, KNOWN, STORED, RUN, CALLED, GROWN, FILLED, RUN_MORE, DEEP, FORMS };
static const char *const names[FORMS] = {
	"nothing",
	"its window in a file that is mapped",
	"and numbers that processes share",
	"and a page that a fork wipes, by which it is known",
	"and a page of variables, which it stores to",
	"and code, in one piece that the kernel maps",
	"and system calls that tell what may be done",
	"and a file that grows by records: the least",
	"and as many pages as ours has",
	"and another piece of code",
	"and another page of the stack",
};
static const char code[2 * CODE] __attribute__((aligned(CODE))) = { 1 };
static char plain[(OURS_PLAIN + 1) * PAGE] __attribute__((aligned(4096)));
static char *log_at, *shared, *wiped;
static int null, file = -1;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static char *map(char *at, size_t size, int flags, int fd)
{
	char *p = mmap(at, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);

	if (p == MAP_FAILED)
		fail("mmap");
	return p;
}

/* The kernel copies the page tables of shared memory where a guard was asked for. */
static void inherit(char *at, size_t size)
{
	madvise(at + size - PAGE, PAGE, MADV_GUARD_INSTALL);
}

static void touch(char *at, int pages)
{
	for (int i = 0; i < pages; i++)
		((volatile char *)at)[i * PAGE] = 1;
}

/* What the parent has, behind its data as ours: a page of page tables has all of it. */
static void prepare(int form)
{
	extern char _end[];
	char *at = (char *)(((unsigned long)_end + PAGE - 1) & -PAGE);

	if (form == NOTHING)
		return;
	if ((char *)sbrk(0) < at + LOG + SHARED + WIPED) {
		fprintf(stderr, "fork-floor: no room in front of the heap\n");
		exit(2);
	}
	log_at = map(at, LOG, MAP_SHARED, file);
	inherit(log_at, LOG);
	touch(log_at, form >= FILLED ? OURS_LOG : LEAST_LOG);
	if (form >= COUNTED) {
		shared = map(at + LOG, SHARED, MAP_SHARED | MAP_ANONYMOUS, -1);
		inherit(shared, SHARED);
		touch(shared, form >= FILLED ? OURS_SHARED : LEAST_SHARED);
	}
	if (form >= KNOWN) {
		wiped = map(at + LOG + SHARED, WIPED, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		madvise(wiped, WIPED, MADV_WIPEONFORK);
		touch(wiped, 1);
	}
	if (form >= STORED)
		touch(plain, form >= FILLED ? 1 + OURS_PLAIN : 1);
}

static void ask(void)
{
	struct rusage used;
	sigset_t all, was;

	sigfillset(&all);
	syscall(SYS_getpid);
	syscall(SYS_getppid);
	sigprocmask(SIG_SETMASK, &all, &was);
	kill(getppid(), 0);
	sigprocmask(SIG_SETMASK, &was, NULL);
	getrusage(RUSAGE_SELF, &used);
}

static void grow(void)
{
	struct rlimit limit;
	struct stat st;

	getrlimit(RLIMIT_FSIZE, &limit);
	if (fstat(file, &st) || pwrite(file, log_at, TOGETHER * RECORDS, st.st_size) < 0)
		_exit(1);
}

static __attribute__((noinline)) void deepen(void)
{
	volatile char deep[PAGE];

	deep[0] = 1;
	(void)deep[0];
}

static void child(int form, int i)
{
	volatile const char *runs = code;

	if (form >= LOGGED)
		memset(log_at + PAGE, i, RECORDS);
	if (form >= COUNTED)
		__atomic_fetch_add((int *)(void *)shared, 1, __ATOMIC_RELAXED);
	if (form >= KNOWN)
		*wiped = 1;
	if (form >= STORED)
		*plain = 2;
	if (form >= RUN)
		(void)runs[0];
	if (form >= RUN_MORE)
		(void)runs[CODE];
	if (form >= DEEP)
		deepen();
	if (form >= CALLED)
		ask();
	if (form >= GROWN && i % TOGETHER == 0)
		grow();
	_exit(write(null, "x", 1) != 1);
}

static double processor_time(int who)
{
	struct rusage used;

	getrusage(who, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static double measure(int form, int n)
{
	double from;
	int status = 0;

	prepare(form);
	from = processor_time(RUSAGE_SELF) + processor_time(RUSAGE_CHILDREN);
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			child(form, i);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			fail("fork");
		if (form >= DEEP)
			deepen();
	}
	return (processor_time(RUSAGE_SELF) + processor_time(RUSAGE_CHILDREN) - from) / n;
}

static double in_process(int form, int n)
{
	double us = 0;
	int ends[2], status;
	pid_t pid;

	if (pipe(ends) || ftruncate(file, LOG) || posix_fallocate(file, 0, LOG))
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

static double median(double *of, int n)
{
	qsort(of, (size_t)n, sizeof(*of), compare);
	return of[n / 2];
}

int main(int argc, char **argv)
{
	int rounds = argc == 3 ? atoi(argv[1]) : 0, n = argc == 3 ? atoi(argv[2]) : 0;
	double *us = calloc((size_t)(rounds > 0 ? rounds : 1) * 2 * FORMS, sizeof(*us)), *ratios;
	char name[] = "fork-floor.XXXXXX";

	if (rounds < 1 || n < 1 || !us) {
		fprintf(stderr, "usage: fork-floor ROUNDS CHILDREN\n");
		return 2;
	}
	null = open("/dev/null", O_WRONLY);
	file = mkstemp(name);
	if (null < 0 || file < 0 || unlink(name))
		fail(name);
	ratios = us + rounds * FORMS;
	for (int i = 0; i < rounds; i++)
		for (int form = 0; form < FORMS; form++) {
			us[form * rounds + i] = in_process(form, n);
			ratios[form * rounds + i] = us[form * rounds + i] / us[i];
		}
	printf("%-54s %10s %10s %6s\n", "a child has", "least us", "median us", "ratio");
	for (int form = 0; form < FORMS; form++) {
		double middle = median(us + form * rounds, rounds);

		printf("%-54s %10.1f %10.1f %6.2f\n", names[form], us[form * rounds], middle,
		       median(ratios + form * rounds, rounds));
	}
	return 0;
}
