/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late.c - threads that the recorder learns of by their first calls, which they make while
 * another is making many: late THREADS CALLS [child].  The last says that they are a forked
 * child's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t n_made, n_calls;		/* by the first thread, so far; by each */
static int n_threads, n_through, zero;

/* Whoever looks for data races sees no order between calls of the first thread that were
   made meanwhile and these.  Nor does the end of one thread come before another's beginning:
   that is the kernel's to say. */
static void *thread(void *arg)
{
	uint64_t now = __atomic_load_n(&n_made, __ATOMIC_RELAXED);
	char c;

	while (__atomic_load_n(&n_made, __ATOMIC_RELAXED) < now + n_calls)
		sched_yield();
	for (uint64_t i = 0; i < n_calls; i++)
		if (read(zero, &c, 1) != 1)
			abort();
	__atomic_fetch_add(&n_through, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&n_through, __ATOMIC_RELAXED) < n_threads)
		sched_yield();
	return arg;
}

static int threads(void)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	pthread_t t[64];
	char c;

	/* past the recorder */
	*(void **)&create = dlsym(RTLD_DEFAULT, "pthread_create");
	for (int i = 0; i < n_threads; i++)
		if (!create || create(&t[i], NULL, thread, NULL))
			return 97;
	for (int i = 0; i < n_threads; i++)
		while (pthread_tryjoin_np(t[i], NULL)) {
			if (read(zero, &c, 1) != 1)
				return 96;
			__atomic_fetch_add(&n_made, 1, __ATOMIC_RELAXED);
		}
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	n_threads = argc > 2 ? atoi(argv[1]) : 0;
	if (n_threads < 1 || n_threads > 64)
		return 99;
	n_calls = (uint64_t)atoi(argv[2]);
	zero = open("/dev/zero", O_RDONLY);
	if (argc == 3)
		return threads();
	if (fork() == 0)
		_exit(threads());
	return wait(&status) < 0 || !WIFEXITED(status) ? 95 : WEXITSTATUS(status);
}
