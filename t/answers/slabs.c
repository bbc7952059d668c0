/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slabs.c - eight threads, each with a slab of a field, compute steps together and store the
 * field after some of these.
 *
 * build: iocc -static -pthread
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 8
#define SLAB	(128 << 10) /* numbers: 1 MiB */
#define STORED	12

static double *field;
static pthread_barrier_t together;
static int fd;

static void compute(double *slab)
{
	for (int i = 8; i < SLAB; i += 8)
		slab[i] = slab[i] * 0.5 + slab[i - 8] * 0.25;
}

static void store(int stored, const double *from, size_t numbers)
{
	off_t at = (off_t)stored * THREADS * SLAB + (from - field);
	size_t size = numbers * sizeof(*from);

	if (pwrite(fd, from, size, at * (off_t)sizeof(*from)) != (ssize_t)size) /* FINDING serial-io field.raw */
		err(1, "field.raw");
}

static void *work(void *arg)
{
	long number = (long)(intptr_t)arg;
	double *slab = field + number * SLAB;

	for (int step = 0; step < STORED; step++) {
		compute(slab);
#ifdef FIXED
		store(step, slab, SLAB);
#else
		pthread_barrier_wait(&together);
		if (number == 0)
			store(step, field, (size_t)THREADS * SLAB); /* FINDING serial-io field.raw */
#endif
		pthread_barrier_wait(&together);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];

	field = calloc((size_t)THREADS * SLAB, sizeof(*field));
	fd = open("field.raw", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (!field || fd < 0)
		err(1, "field.raw");
	pthread_barrier_init(&together, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	close(fd);
	free(field);
	return 0;
}
