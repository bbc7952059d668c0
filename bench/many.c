/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * many.c - what many of a kind cost: processes, images, files, descriptors, threads, and calls
 * of a program with threads, whose memory is not on the stack.
 *
 *	many WHAT N DIR
 *
 * prints how many nanoseconds N of them took, the KiB of memory that the process had at
 * most, and how many mappings of memory it had when there were most of them (of generations
 * and images, the last one).  DIR is where files are written.  Exit status 77: that many can't be had.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *dir;
static int null, gate[2];
static long *mappings; /* shared with children */
static long aside;     /* nanoseconds that are not for what is measured */

static long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void fail(const char *what)
{
	perror(what);
	_exit(2);
}

static void count_mappings(void)
{
	long began = now();
	int fd = open("/proc/self/maps", O_RDONLY);
	char text[16384];
	ssize_t n;

	*mappings = 0;
	while ((n = read(fd, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < n; i++)
			*mappings += text[i] == '\n';
	close(fd);
	aside += now() - began;
}

static void touch(int fd)
{
	if (write(fd, "x", 1) != 1)
		fail("write");
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (!pid)
		touch(null);
	return pid;
}

/* One after another. */
static void forks(int n)
{
	for (int i = 0; i < n; i++)
		if (start())
			wait(NULL);
		else
			_exit(0);
}

/* Each forks the next. */
static void chain(int n)
{
	for (int i = 0; i < n; i++)
		if (start()) {
			wait(NULL);
			if (i)
				_exit(0);
			return;
		}
	count_mappings();
	_exit(0);
}

/* All alive at once. */
static void processes(int n)
{
	char c;

	if (pipe(gate))
		fail("pipe");
	for (int i = 0; i < n; i++)
		if (!start()) {
			close(gate[1]);
			_exit(read(gate[0], &c, 1) != 0);
		}
	count_mappings();
	close(gate[1]);
	for (int i = 0; i < n; i++)
		wait(NULL);
}

static void *wait_at_gate(void *arg)
{
	char c;

	touch(null);
	if (read(gate[0], &c, 1))
		fail("read");
	return arg;
}

static void threads(int n)
{
	pthread_t *t = calloc((size_t)n, sizeof(*t));
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	if (!t || pipe(gate))
		fail("pipe");
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &attr, wait_at_gate, NULL))
			fail("pthread_create");
	count_mappings();
	close(gate[1]);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void files(int n)
{
	char name[4096];

	for (int i = 0; i < n; i++) {
		int fd;

		snprintf(name, sizeof(name), "%s/many-%d", dir, i);
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0)
			fail(name);
		touch(fd);
		close(fd);
		unlink(name);
	}
}

static void descriptors(int n)
{
	int *fd = calloc((size_t)n, sizeof(*fd));
	struct rlimit rl;

	getrlimit(RLIMIT_NOFILE, &rl);
	rl.rlim_cur = (rlim_t)n + 100;
	if (rl.rlim_max < rl.rlim_cur)
		rl.rlim_max = rl.rlim_cur;
	if (setrlimit(RLIMIT_NOFILE, &rl))
		_exit(77);
	for (int i = 0; fd && i < n; i++) {
		fd[i] = open("/dev/null", O_WRONLY);
		if (fd[i] < 0)
			fail("open");
		touch(fd[i]);
	}
	for (int i = 0; fd && i < n; i++)
		close(fd[i]);
}

static void *wait_for_ever(void *arg)
{
	pause();
	return arg;
}

static void ask(int n, const char *path, struct stat *st)
{
	pthread_t other;

	if (!path || !st || pthread_create(&other, NULL, wait_for_ever, NULL))
		fail("pthread_create");
	for (int i = 0; i < n; i++)
		if (stat(path, st))
			fail("stat");
}

static void heap(int n)
{
	ask(n, strdup("/dev/null"), malloc(sizeof(struct stat)));
}

static void literal(int n)
{
	struct stat st;

	ask(n, "/dev/null", &st);
}

/* Each image executes the next, and hands on when the first began and how many there are. */
static long images(char **argv, int n)
{
	char left[16], began[32], *next[] = { argv[0], argv[1], left, argv[3], began, NULL };

	touch(null);
	if (!n)
		return argv[4] ? atol(argv[4]) : now();
	close(null);
	snprintf(left, sizeof(left), "%d", n - 1);
	snprintf(began, sizeof(began), "%ld", argv[4] ? atol(argv[4]) : now());
	execv("/proc/self/exe", next);
	fail("execv");
	return 0;
}

static const struct {
	const char *name;
	void (*run)(int);
} all[] = {
	{ "forks", forks },	{ "chain", chain }, { "processes", processes },
	{ "threads", threads }, { "files", files }, { "descriptors", descriptors },
	{ "heap", heap },	{ "literal", literal },
};

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[2]) : 0;
	struct rusage used;
	long began = now();

	null = open("/dev/null", O_WRONLY);
	mappings = mmap(NULL, sizeof(*mappings), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc < 4 || null < 0 || mappings == MAP_FAILED)
		return 2;
	dir = argv[3];
	if (!strcmp(argv[1], "images"))
		began = images(argv, n);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name))
			all[i].run(n);
	began = now() - began - aside;
	getrusage(RUSAGE_SELF, &used);
	if (!*mappings)
		count_mappings();
	printf("%ld %ld %ld\n", began, used.ru_maxrss, *mappings);
	return 0;
}
