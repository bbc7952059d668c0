/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - loops of calls, timed.  Built with and without iocc; bench/run takes
 * the difference.
 *
 *	cost OP THREADS CALLS DIR
 *
 * prints the nanoseconds that a call took, averaged over threads.  Each thread
 * times batches of calls, large enough to contain several blocks that are written
 * out, and takes the lower quartile: a batch in which something else had the
 * processor does not count.  OP floor is what no tracer can go below: two
 * timebase reads and a 32-byte store into a reused 64 KiB buffer, which is
 * written to a growing file in DIR when it is full.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

#define BATCH 8192L
#define MAX_BATCHES 4096

static const char *op, *dir;
static long batches;
static __thread double moment[MAX_BATCHES + 1];

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* Whether there is a call number i; notes when a batch begins. */
static inline int again(long i)
{
	if (__builtin_expect(!(i % BATCH), 0)) {
		moment[i / BATCH] = now();
		return i < batches * BATCH;
	}
	return 1;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* ns that a call took */
static double result(void)
{
	for (long i = 0; i < batches; i++)
		moment[i] = moment[i + 1] - moment[i];
	qsort(moment, (size_t)batches, sizeof(moment[0]), by_size);
	return moment[batches / 4] / (double)BATCH;
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

static void loop_floor(void)
{
	static __thread uint64_t buffer[8192];
	int fd = scratch("floor", O_WRONLY);
	uint64_t *p = buffer;

	memset(buffer, 0, sizeof(buffer));
	for (long i = 0; again(i); i++) {
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
	close(fd);
}

static void loop_write(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (long i = 0; again(i); i++)
		if (write(fd, "12345678", 8) != 8)
			die("/dev/null");
	close(fd);
}

/* A write eight frames down, each time by another way: a stack that was never the last. */
static __attribute__((noinline)) long path(int fd, long way, int frames)
{
	long n;

	if (!frames)
		return write(fd, "12345678", 8);
	if (way & 1) {
		n = path(fd, way >> 1, frames - 1);
		__asm__ __volatile__("nop");	/* two calls, and no jumps instead */
	} else {
		n = path(fd, way >> 1, frames - 1);
		__asm__ __volatile__("");
	}
	return n;
}

static void loop_paths(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (long i = 0; again(i); i++)
		if (path(fd, i, 7) != 8)
			die("/dev/null");
	close(fd);
}

/* A file of 4 MiB in the page cache. */
static int some_file(void)
{
	static const char buf[65536];
	int fd = scratch("file", O_RDWR);

	for (int i = 0; i < 64; i++)
		if (pwrite(fd, buf, sizeof(buf), (off_t)(i * sizeof(buf))) != sizeof(buf))
			die("scratch file");
	return fd;
}

static void loop_pread(void)
{
	char buf[64];
	int fd = some_file();

	for (long i = 0; again(i); i++)
		if (pread(fd, buf, 64, (i & 63) * 4096) != 64)
			die("pread");
	close(fd);
}

static void loop_pwrite(void)
{
	static const char buf[64];
	int fd = some_file();

	for (long i = 0; again(i); i++)
		if (pwrite(fd, buf, 64, (i & 16383) * 256) != 64)
			die("pwrite");
	close(fd);
}

static void loop_read(void)
{
	char buf[64];
	int fd = some_file();

	for (long i = 0; again(i); i++)
		if (read(fd, buf, 64) != 64 && (lseek(fd, 0, SEEK_SET) || read(fd, buf, 64) != 64))
			die("read");
	close(fd);
}

static void loop_append(void)
{
	static const char buf[64];
	int fd = scratch("append", O_WRONLY);

	for (long i = 0; again(i); i++)
		if (write(fd, buf, 64) != 64)
			die("write");
	close(fd);
}

static void loop_fwrite(void)
{
	FILE *fp = fopen("/dev/null", "w");

	for (long i = 0; again(i); i++)
		if (fwrite("12345678", 1, 8, fp) != 8)
			die("fwrite");
	fclose(fp);
}

static void loop_fprintf(void)
{
	FILE *fp = fopen("/dev/null", "w");

	for (long i = 0; again(i); i++)
		if (fprintf(fp, "%d\n", 1234567) != 8)
			die("fprintf");
	fclose(fp);
}

static void loop_open(void)
{

	for (long i = 0; again(i); i++) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd < 0)
			die("/dev/null");
		close(fd);
	}
}

/* Calls from stacks that are all different: 40 frames around are the same, of 20 within each
   may be another one. */
static void left(int fd, long way, int depth), right(int fd, long way, int depth);

static inline __attribute__((always_inline)) void turn(int fd, long way, int depth)
{
	if (depth && (depth > 20 || way >> (depth - 1) & 1))
		right(fd, way, depth - 1);
	else if (depth)
		left(fd, way, depth - 1);
	else if (write(fd, "12345678", 8) != 8)
		die("/dev/null");
	__asm__ __volatile__("");	/* no jump instead of the call */
}

static __attribute__((noinline)) void left(int fd, long way, int depth) { turn(fd, way, depth); }
static __attribute__((noinline)) void right(int fd, long way, int depth) { turn(fd, way, depth); }

static void loop_stacks(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (long i = 0; again(i); i++)
		right(fd, i, 59);
	close(fd);
}

/* A page of a mapped file that is stored to for the first time: a page fault. */
static void loop_fault(void)
{
	int fd = some_file();
	char *p = NULL;

	for (long i = 0; again(i); i++) {
		if (!(i % 1024)) {
			if (p)
				munmap(p, 4 << 20);
			p = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
			if (p == MAP_FAILED)
				die("mmap");
		}
		p[i % 1024 * 4096] = 1;
	}
	close(fd);
}

/* Requests to an io_uring that do nothing, 64 with one call. */
static void loop_uring(void)
{
	struct io_uring_params params = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 64, &params);
	struct io_uring_sqe *sqes;
	uint32_t *sq_tail, *array, *cq_head;
	char *rings;

	/* there is none: bench/run leaves it out */
	if (ring < 0)
		exit(77);
	/* both queues in one piece, since Linux 5.4; this lies last */
	rings = mmap(NULL, params.sq_off.array + params.sq_entries * sizeof(uint32_t), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
		    IORING_OFF_SQES);
	if (rings == MAP_FAILED || sqes == MAP_FAILED)
		die("io_uring");
	sq_tail = (uint32_t *)(rings + params.sq_off.tail);
	array = (uint32_t *)(rings + params.sq_off.array);
	cq_head = (uint32_t *)(rings + params.cq_off.head);
	for (long i = 0; again(i); i++) {
		uint32_t at = (uint32_t)i % 64;

		memset(&sqes[at], 0, sizeof(sqes[at]));
		sqes[at].opcode = IORING_OP_NOP;
		sqes[at].user_data = (uint64_t)i;
		array[at] = at;
		if (at != 63)
			continue;
		__atomic_store_n(sq_tail, *sq_tail + 64, __ATOMIC_RELEASE);
		if (syscall(SYS_io_uring_enter, ring, 64, 64, IORING_ENTER_GETEVENTS, NULL, 0L) != 64)
			die("io_uring_enter");
		__atomic_store_n(cq_head, *cq_head + 64, __ATOMIC_RELEASE);
	}
	close(ring);
}

static const struct {
	const char *name;
	void (*loop)(void);
} ops[] = {
	{ "floor", loop_floor },   { "write", loop_write },	{ "pread", loop_pread },	{ "paths", loop_paths },
	{ "fwrite", loop_fwrite }, { "fprintf", loop_fprintf }, { "open+close", loop_open },
	{ "read", loop_read },	   { "pwrite", loop_pwrite },	{ "append", loop_append },
	{ "stacks", loop_stacks }, { "fault", loop_fault },	{ "uring", loop_uring },
};

/* Eight frames, as a program of some depth has. */
static __attribute__((noinline)) void deep(void (*loop)(void), int frames)
{
	if (frames > 1)
		deep(loop, frames - 1);
	else
		loop();
	__asm__ __volatile__("");	/* no jump instead of the call */
}

static void *run(void *ns)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(op, ops[i].name))
			deep(ops[i].loop, 8);
	*(double *)ns = result();
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
	batches = (atol(argv[3]) + BATCH - 1) / BATCH;
	if (batches > MAX_BATCHES)
		batches = MAX_BATCHES;
	dir = argv[4];
	for (int i = 1; i < threads; i++)
		if (pthread_create(&t[i], NULL, run, &ns[i]))
			die("pthread_create");
	run(&ns[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < threads; i++)
		sum += ns[i];
	printf("%.3f\n", sum / threads);
	return 0;
}
