/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * touch.c - touches pages of mapped files, and says for each which fault is to be on record:
 *
 *	WHO ACCESS OFFSET		in the order in which they happen
 *	kernel MAJOR			at the end: how many major faults getrusage(2) counts
 *
 *	touch FILE STEP...
 *
 * A read fault maps what else is in the page cache within 64 KiB: reads are further apart.
 * WHO is main, child or thread.  FILE has SIZE bytes, and is in the page cache but for the step
 * cold.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE   (4L << 20)
#define PAGE   4096L
#define AROUND (64L << 10)

static const char *file;
static char lines[1 << 20];		/* not stdio's, which would fault in between */
static size_t n_lines;

static void expect(const char *who, const char *access, long offset)
{
	n_lines += (size_t)snprintf(lines + n_lines, sizeof(lines) - n_lines, "%s %s %ld\n", who, access, offset);
}

static volatile char *map(int prot, int flags, long offset, size_t size)
{
	int fd = open(file, prot & PROT_WRITE ? O_RDWR : O_RDONLY);
	volatile char *p = mmap(NULL, size, prot, flags, fd, offset);

	if (fd < 0 || p == MAP_FAILED) {
		perror(file);
		exit(99);
	}
	close(fd);
	return p;
}

static void read_all(const char *who, volatile char *p, long offset, long size)
{
	for (long i = 0; i < size; i += AROUND) {
		expect(who, "READ", offset + i);
		(void)p[i];
	}
}

static void do_read(void)
{
	volatile char *p = map(PROT_READ, MAP_SHARED, 0, SIZE);

	read_all("main", p, 0, SIZE);
	munmap((void *)p, SIZE);
}

/* Only part of it, and from within the file: what is left goes on being known. */
static void do_part(void)
{
	volatile char *p = map(PROT_READ, MAP_SHARED, SIZE / 2, SIZE / 2);

	munmap((void *)(p + SIZE / 4), SIZE / 8);
	read_all("main", p, SIZE / 2, SIZE / 4);
	read_all("main", p + SIZE / 4 + SIZE / 8, SIZE / 2 + SIZE / 4 + SIZE / 8, SIZE / 8);
	munmap((void *)p, SIZE / 2);
}

static void do_write(void)
{
	volatile char *p = map(PROT_READ | PROT_WRITE, MAP_SHARED, 0, SIZE);

	for (long i = 0; i < SIZE; i += SIZE / 16) {
		expect("main", "WRITE", i);
		p[i] = 1;
	}
	/* a page that is there to be read is not there to be written */
	for (long i = AROUND; i < SIZE; i += SIZE / 16) {
		expect("main", "READ", i);
		(void)p[i];
		expect("main", "WRITE", i);
		p[i]++;
	}
	munmap((void *)p, SIZE);
}

/* What has been written back is clean, and the next store to it is a fault again. */
static void do_dirty(void)
{
	volatile char *p = map(PROT_READ | PROT_WRITE, MAP_SHARED, 0, SIZE);
	struct statfs fs;
	int has_disk = !statfs(file, &fs) && fs.f_type != TMPFS_MAGIC;

	for (int round = 0; round < 3; round++) {
		for (long i = 0; i < SIZE / 4; i += SIZE / 64) {
			if (!round || has_disk)
				expect("main", "WRITE", i);
			p[i] = (char)round;
			p[i + 1] = 1;
		}
		msync((void *)p, SIZE, MS_SYNC);
	}
	munmap((void *)p, SIZE);
}

static void do_private(void)
{
	volatile char *p = map(PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, SIZE);

	for (long i = 0; i < SIZE; i += AROUND) {
		expect("main", "WRITE", i);
		*(volatile long *)(p + i) = 5;
	}
	munmap((void *)p, SIZE);
}

/* By libc's functions, whatever instructions they have. */
static void do_copy(void)
{
	static char buf[AROUND];
	char *p = (char *)map(PROT_READ | PROT_WRITE, MAP_SHARED, 0, SIZE);
	const size_t sizes[] = { 1, 7, 16, 33, 64, 200, 1000, PAGE };

	memset(buf, 1, sizeof(buf));
	for (int i = 0; i < 8; i++) {
		expect("main", "WRITE", 4 * i * AROUND);
		memcpy(p + 4 * i * AROUND, buf, sizes[i]);
		expect("main", "READ", (4 * i + 2) * AROUND);
		memcpy(buf, p + (4 * i + 2) * AROUND, sizes[i]);
	}
	for (int i = 0; i < 8; i++) {
		expect("main", "WRITE", (4 * i + 1) * AROUND);
		memset(p + (4 * i + 1) * AROUND, 0, sizes[i]);
	}
	munmap(p, SIZE);
}

static void do_move(void)
{
	volatile char *p = map(PROT_READ, MAP_SHARED, 0, SIZE / 2);

	read_all("main", p, 0, SIZE / 4);
	p = mremap((void *)p, SIZE / 2, SIZE, MREMAP_MAYMOVE);
	read_all("main", p + SIZE / 4, SIZE / 4, SIZE / 2 + SIZE / 4);
	munmap((void *)p, SIZE);
}

static void do_child(void)
{
	volatile char *p = map(PROT_READ, MAP_SHARED, 0, SIZE);
	pid_t child;

	child = fork();
	if (!child) {
		read_all("child", p, 0, SIZE);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	/* the child's lines are not here */
	for (long i = 0; i < SIZE; i += AROUND)
		expect("child", "READ", i);
	munmap((void *)p, SIZE);
}

static void *in_thread(void *p)
{
	read_all("thread", p, 0, SIZE);
	return NULL;
}

static void do_thread(void)
{
	volatile char *p = map(PROT_READ, MAP_SHARED, 0, SIZE);
	pthread_t t;

	pthread_create(&t, NULL, in_thread, (void *)p);
	pthread_join(t, NULL);
	munmap((void *)p, SIZE);
}

/* From the disk, each page for itself. */
static void do_cold(void)
{
	int fd = open(file, O_RDONLY);
	volatile char *p;

	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	p = map(PROT_READ, MAP_SHARED, 0, SIZE);
	madvise((void *)p, SIZE, MADV_RANDOM);
	for (long i = 0; i < SIZE; i += 4 * AROUND) {
		expect("main", "READ|MAJOR", i);
		(void)p[i];
	}
	munmap((void *)p, SIZE);
}

/* A function that is in a file of its own: the first instruction of each page. */
static void do_code(void)
{
	void (*f)(void);
	char *p = (char *)map(PROT_READ | PROT_EXEC, MAP_PRIVATE, 0, SIZE);

	for (long i = 0; i < SIZE; i += AROUND) {
		/* the file has a return instruction at each of these places */
		*(void **)&f = p + i;
		expect("main", "EXEC", i);
		f();
	}
	munmap(p, SIZE);
}

/* The system call touches it; whether that is seen depends on rights. */
static void do_system(void)
{
	char *p = (char *)map(PROT_READ, MAP_SHARED, 0, SIZE);
	int pipes[2];

	if (pipe(pipes))
		exit(99);
	for (long i = 0; i < SIZE; i += AROUND) {
		expect("main", "READ", i);
		if (write(pipes[1], p + i, 10) != 10 || read(pipes[0], lines + sizeof(lines) - 10, 10) != 10)
			exit(99);
	}
	munmap(p, SIZE);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*step)(void);
	} steps[] = {
		{ "read", do_read }, { "part", do_part }, { "write", do_write }, { "dirty", do_dirty }, { "private", do_private },
		{ "copy", do_copy }, { "move", do_move }, { "child", do_child }, { "thread", do_thread },
		{ "cold", do_cold }, { "code", do_code }, { "system", do_system },
	};
	struct rusage before, after;

	file = argv[1];
	memset(lines, 0, sizeof(lines));
	getrusage(RUSAGE_SELF, &before);
	for (int i = 2; i < argc; i++)
		for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++)
			if (!strcmp(argv[i], steps[k].name))
				steps[k].step();
	getrusage(RUSAGE_SELF, &after);
	fwrite(lines, 1, n_lines, stdout);
	printf("kernel %ld\n", after.ru_majflt - before.ru_majflt);
	return 0;
}
