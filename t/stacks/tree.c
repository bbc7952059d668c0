/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.c - makes calls from many different stacks, and knows each of them.
 *
 *	tree HOW CALLS [ROUNDS]
 *
 * Call number N is a pwrite at offset N, DEPTH functions deep; which functions these are
 * follows from N.  HOW inner: only innermost ones differ; outer: those around them do.
 * threads: the calls of inner, by four threads, each of which makes all of them;
 * turns: by four such threads, one after another;
 * forks: by four children, one after another, each of which makes a quarter.
 * Standard output gets a line for each N: which functions, the innermost first.
 *
 *	tree alike
 *
 * makes two calls from stacks whose hash was the same, as the recorder computed it when it
 * told stacks by that, and prints their return addresses beyond the first.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEPTH  60
#define DIGITS 10		/* so many of them differ, */
#define KINDS  4			/* by so many functions */

static int fd;
static unsigned from;			/* the outermost level that differs */

typedef void down(unsigned n, unsigned level);
static down f0, f1, f2, f3;
static down *const kind[KINDS] = { f0, f1, f2, f3 };

/* Which function is at a level, 0 the outermost. */
static unsigned kind_at(unsigned n, unsigned level)
{
	if (level < from || level >= from + DIGITS)
		return 0;
	for (level = from + DIGITS - 1 - level; level; level--)
		n /= KINDS;
	return n % KINDS;
}

static inline __attribute__((always_inline)) void go(unsigned n, unsigned level)
{
	if (level + 1 < DEPTH)
		kind[kind_at(n, level + 1)](n, level + 1);
	else if (pwrite(fd, "x", 1, n) != 1)
		perror("pwrite");
	__asm__ __volatile__("" ::: "memory");	/* no jump instead of the call */
}

static __attribute__((noinline)) void f0(unsigned n, unsigned level) { go(n, level); }
static __attribute__((noinline)) void f1(unsigned n, unsigned level) { go(n, level); }
static __attribute__((noinline)) void f2(unsigned n, unsigned level) { go(n, level); }
static __attribute__((noinline)) void f3(unsigned n, unsigned level) { go(n, level); }

static unsigned calls;

static void *all(void *arg)
{
	for (unsigned n = 0; n < calls; n++)
		kind[kind_at(n, 0)](n, 0);
	return arg;
}

static void threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, all, NULL))
			exit(2);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void turns(void)
{
	pthread_t t;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t, NULL, all, NULL) || pthread_join(t, NULL))
			exit(2);
}

static void forks(void)
{
	for (unsigned i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (!pid) {
			for (unsigned n = i; n < calls; n += 4)
				kind[kind_at(n, 0)](n, 0);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void say(void)
{
	static char line[DEPTH * 2 + 20];

	for (unsigned n = 0; n < calls; n++) {
		int len = sprintf(line, "%u:", n);

		for (unsigned level = DEPTH; level--;)
			len += sprintf(line + len, " %u", kind_at(n, level));
		puts(line);
	}
}

#if defined(__x86_64__)
extern const char tree_return[] __attribute__((visibility("hidden")));

/* A call whose caller has these callers, as frame pointers tell. */
static __attribute__((noinline, noclone)) void from_there(unsigned n, uint64_t a, uint64_t b)
{
	uint64_t frame[4] = { (uintptr_t)&frame[2], a, 0, b }, *fp = frame;
	void *to = (void *)pwrite;

	__asm__ __volatile__("mov %%rsp, %%r12\n\tsub $128, %%rsp\n\tand $-16, %%rsp\n\t"
			     "xchg %%rbx, %%rbp\n\tcall *%%rax\ntree_return:\n\txchg %%rbx, %%rbp\n\tmov %%r12, %%rsp"
			     : "+b"(fp), "+a"(to)
			     : "D"(fd), "S"("x"), "d"(1L), "c"((long)n)
			     : "memory", "r8", "r9", "r10", "r11", "r12", "cc");
}

static uint64_t step(uint64_t hash, uint64_t pc)
{
	hash = (hash ^ pc) * 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

static void alike(void)
{
	uint64_t h = step(0x9e3779b97f4a7c15ULL, (uintptr_t)tree_return);
	uint64_t a[2] = { 0x401111, 0x402222 }, b[2] = { 0x403333 };

	b[1] = b[0] ^ step(h, a[0]) ^ step(h, a[1]);
	for (unsigned i = 0; i < 2; i++) {
		from_there(i, a[i], b[i]);
		printf("%u: %#lx %#lx\n", i, (unsigned long)a[i], (unsigned long)b[i]);
	}
}
#else
static void alike(void)
{
	exit(77);
}
#endif

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int rounds = argc > 3 ? atoi(argv[3]) : 1;

	calls = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	fd = open("tree.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return 2;
	if (!strcmp(how, "alike")) {
		alike();
		return 0;
	}
	from = strcmp(how, "outer") ? DEPTH - DIGITS : 8;
	while (rounds--)
		if (!strcmp(how, "threads"))
			threads();
		else if (!strcmp(how, "turns"))
			turns();
		else if (!strcmp(how, "forks"))
			forks();
		else
			all(NULL);
	close(fd);
	say();
	return 0;
}
