/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - calls from everywhere: through libc, from handlers, in threads, plugins. */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#include "site.h"

#define NOINLINE __attribute__((noinline))
/* the call before is not the function's last instruction */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

static volatile int zero;

static NOINLINE int three(const char *what)
{
	int n = site(what);

	KEEP(n);
	return n;
}

static NOINLINE int deep(int n, const char *what)
{
	int m = n > zero ? deep(n - 1, what) : three(what);

	KEEP(m);
	return m;
}

static int compare(const void *a, const void *b)
{
	three("compare");
	return *(const int *)a - *(const int *)b;
}

static void node(const void *p, VISIT v, int depth)
{
	(void)p;
	(void)v;
	(void)depth;
	three("twalk");
}

static ssize_t cookie(void *c, const char *buf, size_t n)
{
	(void)c;
	(void)buf;
	return three("cookie") ? (ssize_t)n : -1;
}

static NOINLINE void callbacks(void)
{
	int v[3] = { 3, 1, 2 };
	void *root = NULL;
	FILE *fp = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = cookie });

	qsort(v, 3, sizeof(*v), compare);
	bsearch(v, v, 3, sizeof(*v), compare);
	tsearch(&v[0], &root, compare);
	tsearch(&v[1], &root, compare);
	twalk(root, node);
	fprintf(fp, "%d %s", 1, "two");
	fflush(fp);
	fclose(fp);
}

/* Frames whose size is known only when they run, that are aligned, or large. */
static NOINLINE int sized(size_t n)
{
	char *p = alloca(n);
	int ret;

	memset(p, 0, n);
	ret = three("alloca");
	KEEP(p);
	return ret;
}

static NOINLINE int aligned(int n)
{
	alignas(64) volatile char a[100] = { 0 };
	int ret = three("aligned");

	return ret + a[n];
}

static NOINLINE int aligned_sized(size_t n)
{
	alignas(128) volatile char a[100] = { 0 };
	char *p = alloca(n);
	int ret;

	memset(p, 0, n);
	ret = three("aligned alloca");
	KEEP(p);
	return ret + a[n % 100];
}

static NOINLINE int large(void)
{
	volatile char a[300000];
	int ret;

	a[0] = 0;
	ret = three("large");
	return ret + a[0];
}

static NOINLINE int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int ret = three("arguments");

	return ret + a * b + c * d + e * f + g * h;
}

static void handler(int sig)
{
	three(sig == SIGUSR1 ? "handler!" : "alternate!");
}

static void outer_handler(int sig)
{
	(void)sig;
	three("outer handler!");
	raise(SIGUSR1);
}

static volatile int ticks;

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void soon(void)
{
	struct itimerval once = { { 0, 0 }, { 0, 1000 } };

	setitimer(ITIMER_REAL, &once, NULL);
}

static void tick(int sig)
{
	(void)sig;
	three("tick!");
	if (++ticks < 20)
		soon();
}

static NOINLINE unsigned work(unsigned x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

static NOINLINE unsigned interrupted(void)
{
	unsigned x = 1;

	if (ticks < 20)
		soon();
	while (ticks < 20)
		x = work(x);
	return x;
}

static NOINLINE void handlers(void)
{
	/* each thread's own: under --syscalls a thread may wait on it */
	static __thread char stack[1 << 17];
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction on = { .sa_handler = handler }, off = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&alt, NULL);
	sigaction(SIGUSR1, &on, NULL);
	sigaction(SIGUSR2, &off, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	on.sa_handler = outer_handler;
	sigaction(SIGHUP, &on, NULL);
	raise(SIGHUP);
	on.sa_handler = tick;
	on.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &on, NULL);
	interrupted();
}

static void *thread(void *what)
{
	deep(2, what);
	handlers();
	return NULL;
}

static void threads(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++)
		if (!pthread_create(&t, NULL, thread, "thread"))
			pthread_join(t, NULL);
}

static ucontext_t back, there;

static void coroutine(void)
{
	deep(2, "coroutine?");
}

static NOINLINE void contexts(void)
{
	static char stack[1 << 16];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
}

/* Plugins: of two that get the same address the second has other tables. */
static NOINLINE void plugins(char **file)
{
	for (; *file; file++) {
		void *p = dlopen(*file, RTLD_NOW);
		int (*run)(int (*)(const char *), const char *) = NULL;

		if (p)
			*(void **)&run = dlsym(p, "run");
		if (!run || !run(three, "plugin"))
			_exit(4);
		dlclose(p);
	}
}

static void at_exit(void)
{
	three("exit");
}

int main(int argc, char **argv)
{
	(void)argc;
	begin();
	three("plain");
	deep(20, "deep");
	/* the same frames by another way, and twice */
	for (int i = 0; i < 3; i++)
		deep(4, i ? "again" : "deep");
	callbacks();
	sized(100 + (size_t)zero);
	sized(5000 + (size_t)zero);
	aligned(zero);
	aligned_sized(100 + (size_t)zero);
	large();
	many(1, 2, 3, 4, 5, 6, 7, 8);
	handlers();
	threads();
	contexts();
	plugins(argv + 1);
	atexit(at_exit);
	exit(0);
}
