/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * apart.c - where the recorder's memory is, and how many mappings it takes.
 *
 *	apart generations N	each forks the next; the last prints its mappings
 *	apart alive N		so many threads at once; prints the process's mappings
 *	apart faults N		forks N children one after another, each with a write; prints
 *				the page faults of the one that had the fewest
 *	apart forks N		the same; prints the mappings of the process that forked them
 *	apart killed N		kills N children one after another, which compute
 *	apart guards N		records much, also in N threads at once; prints how many ends of the
 *				memory that the log's mappings lie in have no page next to them that
 *				nobody can touch, nor is given; -1: there is no such memory
 *	apart taken N		asks for each page behind the executable's data, then records much and
 *				N calls: prints how many of those that it was given are not as it
 *				left them; -1: it was given few; -2: the heap is too near
 *	apart beside N		records N calls; prints how many of the log's mappings lie elsewhere
 *				than between the executable's data and its heap; -1: there is
 *				none; -2: the heap is too near
 *	apart hole N		unmaps N pages, records much, and stores there in a child:
 *				prints how many of these stores raised SIGSEGV
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int count_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		fclose(f);
	return n;
}

static int generations(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();
		int status;

		if (pid) {
			if (pid < 0 || waitpid(pid, &status, 0) != pid)
				_exit(3);
			_exit(WEXITSTATUS(status));
		}
		if (write(-1, "", 1) != -1)
			_exit(4);
	}
	printf("%d\n", count_mappings());
	return 0;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *arg)
{
	if (write(-1, "", 1) != -1)
		return arg;
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return NULL;
}

#define ROOM (1UL << 20) /* that the recorder may have behind the executable's data */

static unsigned long data_end(void)
{
	extern char _end[];

	return ((unsigned long)_end + 4095) & -4096UL;
}

/* The kernel gives nobody a page between the data and the heap, unless it is asked for that one. */
static bool is_given(unsigned long page)
{
	return page < data_end() || page >= (unsigned long)sbrk(0);
}

/* Mappings side by side that can be touched are one piece of memory. */
static int count_unguarded(void)
{
	unsigned long from, to, end = 0;
	int unguarded = 0, ends = 0;
	bool piece = false, log = false, below = false, last = false;
	char line[4096], may[8];
	FILE *f = fopen("/proc/self/maps", "r");

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "%lx-%lx %7s", &from, &to, may) == 3) {
		bool none = !strncmp(may, "---", 3), beside = from == end;

		if (piece && (none || !beside)) {
			ends += log * 2;
			unguarded += log * (!below + (!beside && is_given(end)));
			piece = log = false;
		}
		if (!none && !piece) {
			piece = true;
			below = beside ? last : !is_given(from - 4096);
		}
		log |= !none && strstr(line, ".iotrace");
		last = none;
		end = to;
	}
	if (f)
		fclose(f);
	return ends ? unguarded : -1;
}

/* A fork pays for page tables, too: what lies beside the executable's data needs none. */
static int count_elsewhere(int n)
{
	const unsigned long data = data_end();
	unsigned long from, to, heap = (unsigned long)sbrk(0);
	int logs = 0, elsewhere = 0;
	char line[4096];
	FILE *f;

	for (int i = 0; i < n; i++)
		if (write(-1, "", 1) != -1)
			return 3;
	f = fopen("/proc/self/maps", "r");
	while (f && fgets(line, sizeof(line), f) && sscanf(line, "%lx-%lx", &from, &to) == 2) {
		if (strstr(line, "[heap]"))
			heap = from;
		if (!strstr(line, ".iotrace"))
			continue;
		logs++;
		elsewhere += from < data || to > data + ROOM + 4 * 4096;
	}
	if (f)
		fclose(f);
	printf("%d\n", !logs ? -1 : heap - data < ROOM + 8 * 4096 ? -2 : elsewhere);
	return 0;
}

/* So many names that the recorder needs more memory than at first. */
static void name_many(void)
{
	char name[32];

	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "none-%d", i);
		if (open(name, O_RDONLY) >= 0)
			_exit(4);
	}
}

static int taken(int n)
{
	enum { PAGES = ROOM / 4096 };
	char *const data = (char *)data_end(), *at[PAGES], page[4096];
	int given = 0, lost = 0;

	memset(page, 'x', sizeof(page));
	for (int i = 0; i < PAGES; i++) {
		char *place = data + (i + 1) * 4096;

		at[i] = mmap(place, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at[i] == MAP_FAILED)
			return 3;
		memcpy(at[i], page, sizeof(page));
		given += at[i] == place;
	}
	name_many();
	for (int i = 0; i < n; i++)
		if (write(-1, "", 1) != -1)
			return 4;
	for (int i = 0; i < PAGES; i++)
		lost += memcmp(at[i], page, sizeof(page)) != 0;
	if ((char *)sbrk(0) - data < (long)ROOM + 8 * 4096)
		lost = -2;
	printf("%d\n", given < PAGES / 4 ? -1 : lost);
	return 0;
}

/* Prints what look says when N threads are there. */
static int alive(int n, int (*look)(void))
{
	pthread_t *t = calloc((size_t)n, sizeof(*t));
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	pthread_mutex_lock(&gate);
	for (int i = 0; i < n; i++)
		if (!t || pthread_create(&t[i], &attr, waits, NULL))
			return 3;
	printf("%d\n", look());
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int hole(int n)
{
	size_t size = (size_t)n * 4096;
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int killed = 0, status;

	if (at == MAP_FAILED || munmap(at, size))
		return 3;
	/* the recorder's first calls */
	name_many();
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
			memset(at + (size_t)i * 4096, 'x', 4096);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 5;
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
	}
	printf("%d\n", killed);
	return 0;
}

/* Of N children; -1: a child failed. */
static long least_faults(int n)
{
	long least = -1;

	for (int i = 0; i < n; i++) {
		struct rusage used;
		int status;
		pid_t pid = fork();

		if (!pid)
			_exit(write(-1, "", 1) != -1);
		if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status)
			return -1;
		if (least < 0 || used.ru_minflt < least)
			least = used.ru_minflt;
	}
	return least;
}

static int forks(int n, bool mappings)
{
	long least = least_faults(n);

	printf("%ld\n", mappings ? count_mappings() : least);
	return least < 0 ? 3 : 0;
}

static int killed(int n)
{
	volatile char *ready = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			*ready = write(-1, "", 1) == -1;
			for (;;)
				;
		}
		while (pid > 0 && !*ready)
			usleep(100);
		*ready = 0;
		if (kill(pid, SIGKILL) || waitpid(pid, NULL, 0) != pid)
			return 3;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (!n)
		return 2;
	if (!strcmp(argv[1], "generations"))
		return generations(n);
	if (!strcmp(argv[1], "killed"))
		return killed(n);
	if (!strcmp(argv[1], "beside"))
		return count_elsewhere(n);
	if (!strcmp(argv[1], "taken"))
		return taken(n);
	if (!strcmp(argv[1], "faults") || !strcmp(argv[1], "forks"))
		return forks(n, !strcmp(argv[1], "forks"));
	if (!strcmp(argv[1], "guards")) {
		name_many();
		return alive(n, count_unguarded);
	}
	return strcmp(argv[1], "alive") ? hole(n) : alive(n, count_mappings);
}
