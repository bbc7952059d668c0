/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - loops of calls, timed.  Built with and without iocc; bench/run takes
 * the difference.
 *
 *	cost OP THREADS CALLS DIR
 *
 * prints the nanoseconds that a call took, by the clock of each thread's own
 * loop, averaged over threads.  OP floor is what no tracer can go below: two
 * timebase reads and a 32-byte store into a reused 64 KiB buffer, which is
 * written to a growing file in DIR when it is full.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
static inline uint64_t ticks(void)
{
	uint32_t lo, hi;

	__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}
#else
#error "no timebase for this processor yet"
#endif

static const char *op, *dir;
static long calls;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int scratch(const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/bench-%s.%d.%lx", dir, name, getpid(),
		 (unsigned long)pthread_self());
	fd = open(path, flags | O_CREAT, 0600);
	if (fd < 0)
		die(path);
	unlink(path);
	return fd;
}

static double loop_floor(void)
{
	static __thread uint64_t buffer[8192];
	int fd = scratch("floor", O_WRONLY);
	uint64_t *p = buffer;
	double start;

	memset(buffer, 0, sizeof(buffer));
	start = now();
	for (long i = 0; i < calls; i++) {
		uint64_t from = ticks(), to;

		__asm__ __volatile__("" ::: "memory");
		to = ticks();
		p[0] = (uint64_t)i;
		p[1] = from;
		p[2] = to - from;
		p[3] = 8;
		p += 4;
		if (p == buffer + 8192) {
			if (write(fd, buffer, sizeof(buffer)) != sizeof(buffer))
				die("floor");
			p = buffer;
		}
		__asm__ __volatile__("" ::: "memory");
	}
	start = now() - start;
	close(fd);
	return start;
}

static double loop_write(void)
{
	int fd = open("/dev/null", O_WRONLY);
	double start = now();

	for (long i = 0; i < calls; i++)
		if (write(fd, "12345678", 8) != 8)
			die("/dev/null");
	start = now() - start;
	close(fd);
	return start;
}

static double loop_pread(void)
{
	char buf[4096] = { 0 };
	int fd = scratch("pread", O_RDWR);
	double start;

	for (int i = 0; i < 64; i++)
		if (write(fd, buf, sizeof(buf)) != sizeof(buf))
			die("pread");
	start = now();
	for (long i = 0; i < calls; i++)
		if (pread(fd, buf, 64, (i & 63) * 4096) != 64)
			die("pread");
	start = now() - start;
	close(fd);
	return start;
}

static double loop_fwrite(void)
{
	FILE *fp = fopen("/dev/null", "w");
	double start = now();

	for (long i = 0; i < calls; i++)
		if (fwrite("12345678", 1, 8, fp) != 8)
			die("fwrite");
	start = now() - start;
	fclose(fp);
	return start;
}

static double loop_fprintf(void)
{
	FILE *fp = fopen("/dev/null", "w");
	double start = now();

	for (long i = 0; i < calls; i++)
		if (fprintf(fp, "%d\n", 1234567) != 8)
			die("fprintf");
	start = now() - start;
	fclose(fp);
	return start;
}

static double loop_open(void)
{
	double start = now();

	for (long i = 0; i < calls; i++) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd < 0)
			die("/dev/null");
		close(fd);
	}
	return now() - start;
}

static const struct {
	const char *name;
	double (*loop)(void);
} ops[] = {
	{ "floor", loop_floor },   { "write", loop_write },	{ "pread", loop_pread },
	{ "fwrite", loop_fwrite }, { "fprintf", loop_fprintf }, { "open+close", loop_open },
};

/* Eight frames, as a program of some depth has. */
static __attribute__((noinline)) double deep(double (*loop)(void), int frames)
{
	volatile double d = frames > 1 ? deep(loop, frames - 1) : loop();

	return d;
}

static void *run(void *result)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(op, ops[i].name))
			*(double *)result = deep(ops[i].loop, 8);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	double ns[64] = { 0 }, sum = 0;
	int threads;

	if (argc != 5) {
		fprintf(stderr, "usage: cost OP THREADS CALLS DIR\n");
		return 2;
	}
	op = argv[1];
	threads = atoi(argv[2]) < 64 ? atoi(argv[2]) : 64;
	calls = atol(argv[3]);
	dir = argv[4];
	for (int i = 1; i < threads; i++)
		if (pthread_create(&t[i], NULL, run, &ns[i]))
			die("pthread_create");
	run(&ns[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < threads; i++)
		sum += ns[i] / (double)calls;
	printf("%.3f\n", sum / threads);
	return 0;
}
