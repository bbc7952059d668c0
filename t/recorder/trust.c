/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trust.c - a program that is recorded while somebody else writes its log.
 *
 *	trust work N		calls of all lengths, in two threads, their handlers and
 *				children; prints what it did
 *	trust children N	the same, while children of it that have given up their
 *				rights store into all that they share with it
 *	trust scribble LOG SEED	stores random words all over the log, until it is killed
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;
static int fd;
static volatile long handled;
static volatile bool ticking;

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void soon(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 300 }, NULL);
}

static void handler(int sig)
{
	(void)sig;
	handled += write(fd, "", 0) == 0;
	if (ticking)
		soon();
}

static void *work(void *arg)
{
	static __thread char name[3000];
	long done = 0;
	char c;

	for (int i = 0; i < n; i++) {
		done += pread(fd, &c, 1, i % 5);
		if (i % 16)
			continue;
		/* names of many lengths, which move from window to window */
		memset(name, 'a' + i / 16 % 26, sizeof(name) - 1);
		name[i % 2900] = 0;
		done -= open(name, O_RDONLY);
	}
	*(long *)arg = done;
	return NULL;
}

static uint64_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* What is small, large, or nearly what it was */
static uint32_t word(uint64_t x)
{
	return x & 1 ? (uint32_t)(x >> 40) & 0xffff : x & 2 ? ~0U : (uint32_t)(x >> 32);
}

static struct {
	uint32_t *from;
	size_t n;
} shared[1000];

static int find_shared(void)
{
	static char maps[1 << 20], line[] = " rw-s ";
	int in = open("/proc/self/maps", O_RDONLY), found = 0;
	size_t size = 0;
	ssize_t got;

	while ((got = read(in, maps + size, sizeof(maps) - 1 - size)) > 0)
		size += (size_t)got;
	close(in);
	for (char *at = strtok(maps, "\n"); at; at = strtok(NULL, "\n")) {
		unsigned long from, to;

		if (strstr(at, line) && sscanf(at, "%lx-%lx", &from, &to) == 2 && found < 1000) {
			shared[found].from = (uint32_t *)from;
			shared[found++].n = (to - from) / sizeof(uint32_t);
		}
	}
	return found;
}

/* Ends without a call, since its own recorder can't be relied upon then. */
static void store_and_end(uint64_t x)
{
	int found;

	signal(SIGALRM, SIG_IGN);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	found = find_shared();
	if (!getuid() && (setgid(65534) || setuid(65534)))
		_exit(1);
	/* which would run the recorder where it has been destroyed */
	signal(SIGBUS, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	for (int i = 0; found && i < 2000000; i++) {
		uint64_t y = draw(&x);
		int which = (int)(y >> 50) % found;

		shared[which].from[(y >> 8) % shared[which].n] = word(draw(&x));
	}
	__builtin_trap();
}

static int do_work(int children)
{
	pid_t child[8];
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
	long here = 0, there = 0;
	int status, ended = 0;
	pthread_t t;

	fd = open("trust", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || write(fd, "trust", 5) != 5)
		return 2;
	sigaction(SIGALRM, &sa, NULL);
	for (int i = 0; i < children; i++) {
		child[i] = fork();
		if (!child[i])
			store_and_end((uint64_t)i + 1);
	}
	ticking = true;
	soon();
	if (pthread_create(&t, NULL, work, &there))
		return 3;
	work(&here);
	pthread_join(t, NULL);
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(write(fd, "", 0) ? 1 : 5);
		while (waitpid(pid, &status, 0) < 0)
			;
		ended += WIFEXITED(status) && WEXITSTATUS(status) == 5;
	}
	ticking = false;
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	for (int i = 0; i < children; i++)
		if (waitpid(child[i], &status, 0) != child[i] || !WIFSIGNALED(status))
			return 4;
	printf("%ld %ld %d\n", here, there, ended);
	return 0;
}

static int scribble(const char *log, uint64_t x)
{
	struct stat st;
	int to = open(log, O_RDWR);
	uint32_t *map;

	for (;;) {
		if (to < 0 || fstat(to, &st) || st.st_size < 4096)
			return 2;
		map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
		if (map == MAP_FAILED)
			return 3;
		for (int i = 0; i < 1000000; i++) {
			draw(&x);
			map[(x >> 8) % ((size_t)st.st_size / 4)] = word(x);
		}
		munmap(map, (size_t)st.st_size);
	}
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "scribble"))
		return scribble(argv[2], strtoull(argv[3], NULL, 10) | 1);
	if (argc != 3)
		return 2;
	n = atoi(argv[2]);
	return do_work(strcmp(argv[1], "children") ? 0 : 8);
}
