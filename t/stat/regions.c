/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions.c - writes in regions, and counts what it does in which of them.
 *
 *	regions [kill]
 *
 * Prints "NAME ENTERED WRITES BYTES" lines; four threads do it at the same time.
 * kill: and is killed within two regions, with one write in each.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "iotrace.h"

enum { NONE, OUTER, INNER, DEEP, UNUSED, N };
static const char *const names[N] = {"(no region)", "outer", "inner", "outer/\"deep\", really", "unused"};
static unsigned long entered[N], writes[N], bytes[N];
static int fd;

static void put(int region, size_t n)
{
	static const char zeroes[100];

	if (write(fd, zeroes, n) != (ssize_t)n)
		exit(99);
	__atomic_add_fetch(&writes[region], 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&bytes[region], n, __ATOMIC_RELAXED);
}

static void begin(int region)
{
	iotrace_begin(names[region]);
	__atomic_add_fetch(&entered[region], 1, __ATOMIC_RELAXED);
}

/* A region within itself, too, and one that only ends with the one around it. */
static void nest(int n)
{
	begin(INNER);
	put(INNER, 10 + (size_t)n);
	if (n)
		nest(n - 1);
	begin(DEEP);
	put(DEEP, 1);
	if (n != 1)
		iotrace_end(names[DEEP]);
	iotrace_end(names[INNER]);
	put(n == 3 ? OUTER : INNER, 2);
}

static void *work(void *arg)
{
	put(NONE, 3);
	for (long i = 0; i < 3 + (long)arg; i++) {
		begin(OUTER);
		put(OUTER, 5);
		nest(3);
		begin(UNUSED);
		iotrace_end(NULL);
		iotrace_end(names[OUTER]);
		put(NONE, 7);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[4];
	int i;

	(void)argv;
	fd = open("/dev/null", O_WRONLY);
	if (fd < 0)
		return 99;
	for (i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, (void *)(long)i))
			return 99;
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	if (argc > 1) {
		begin(OUTER);
		put(OUTER, 20);
		begin(INNER);
		put(INNER, 30);
	}
	for (i = 0; i < N; i++)
		printf("%s %lu %lu %lu\n", names[i], entered[i], writes[i], bytes[i]);
	fflush(stdout);
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
