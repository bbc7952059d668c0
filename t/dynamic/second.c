/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * second.c - a second thread comes to a stream while the first one's call on it is under
 * way, and waits in a system call: says how many bytes that and the second's were.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char big[1 << 20];
static FILE *f;
static int ends[2];

/* Until the thread with that id waits for something. */
static void await_sleep(const int *tid)
{
	char name[64], text[256] = "";
	int id, fd;

	while (!(id = __atomic_load_n(tid, __ATOMIC_ACQUIRE)))
		sched_yield();
	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", id);
	fd = open(name, O_RDONLY);
	for (char state = 0; state != 'S'; sched_yield()) {
		ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

		for (ssize_t i = 0; i < n - 2; i++)
			if (text[i] == ')')
				state = text[i + 2];
	}
	close(fd);
}

static void *second(void *arg)
{
	__atomic_store_n((int *)arg, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	fwrite(big, 1, 5000, f);
	return NULL;
}

static pthread_t other;

static void *reader(void *arg)
{
	static char took[1 << 16];
	static int tid;
	long sum = 0;
	ssize_t n;

	await_sleep(arg);
	if (pthread_create(&other, NULL, second, &tid))
		abort();
	await_sleep(&tid);
	while ((n = read(ends[0], took, sizeof(took))) > 0)
		sum += n;
	printf("%ld\n", sum);
	return NULL;
}

int main(void)
{
	static int tid;
	pthread_t t;

	if (pipe(ends) || !(f = fdopen(ends[1], "w")) || pthread_create(&t, NULL, reader, &tid))
		return 1;
	fputs("from now on it is the first thread's own", f);
	__atomic_store_n(&tid, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	fwrite(big, 1, sizeof(big), f);
	/* which the pipe had no room for until there was a second */
	if (pthread_join(other, NULL) || fclose(f) || pthread_join(t, NULL))
		return 2;
	return 0;
}
