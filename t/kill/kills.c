/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kills.c - kills a traced program at random moments, and reads what is left:
 * kills PROGRAM NUMBER SEED, in the current directory, with logs in ./logs.
 * Prints what is wrong; status 0 if nothing is.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "iotrace/read.h"
#include "killed.h"

static struct killed *board;
static uint64_t state;
static unsigned n_wrong, n_none, n_ended;
static unsigned long n_calls;
static int kill_number;

static void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void wrong(const char *format, ...)
{
	va_list ap;

	if (n_wrong++ > 20)
		return;
	va_start(ap, format);
	printf("kill %d: ", kill_number);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

static void on_message(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	(void)arg;
	if (severity != IOTR_NOTE)
		wrong("%s: %s", file, text);
}

static uint64_t some(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

static int thread_of(uint32_t tid)
{
	for (int i = 0; i < KILLED_THREADS; i++)
		if (board->thread[i].tid == tid)
			return i;
	return -1;
}

/* Is this what killed.c says call i is? */
static bool is_call(const struct iotr_call *c, uint32_t i)
{
	static const char *const names[] = {"pwrite", "pread", "open", "close"};
	bool finished = c->status == IOTR_FINISHED;

	if (strcmp(c->schema->name, names[i % 4]))
		return false;
	if (!finished)
		return c->status == IOTR_UNFINISHED;
	switch (i % 4) {
	case 0:
		return c->size == 1 + i % 61 && c->offset == 64 * (uint64_t)i && c->ret == 1 + (int)(i % 61);
	case 1:
		return c->size == 1 + i % 53 && c->offset == 8 * (uint64_t)i && c->ret >= 0;
	case 2:
		return c->ret > 0 && !c->err;
	default:
		return c->ret == 0 && c->handle && c->handle->path;
	}
}

/* What main does before the threads' calls, and what libc does. */
static bool is_other(const struct iotr_call *c)
{
	size_t len = 0;
	const struct iotr_path *defined;
	const char *path = iotr_call_path(c, &len, &defined, NULL);

	return c->internal || strcmp(c->schema->family, "posix") || (path && len > 5 && !strcmp(path + len - 5, "board"));
}

static void check(const char *file)
{
	uint32_t seen[KILLED_THREADS] = {0}, finished[KILLED_THREADS] = {0};
	struct iotr_log *log = iotr_log_open(file, on_message, NULL);
	struct iotr_set *set = iotr_set_new(on_message, NULL);
	const struct iotr_call *c;
	bool opened = false;

	if (log)
		iotr_set_add_log(set, log);
	else
		wrong("no log");
	while ((c = iotr_set_next(set))) {
		int t = thread_of(c->tid);

		if (is_other(c))
			continue;
		if (!opened) { /* main's own, before there are threads */
			opened = true;
			continue;
		}
		if (t < 0) {
			wrong("a %s of thread %u, which there is not", c->schema->name, c->tid);
			continue;
		}
		if (seen[t] != finished[t] || !is_call(c, seen[t]))
			wrong("thread %d: call %u is a %s of size %llu at %llu that returned %lld, status %d", t,
			      seen[t], c->schema->name, (unsigned long long)c->size,
			      (unsigned long long)c->offset, (long long)c->ret, c->status);
		seen[t]++;
		finished[t] += c->status == IOTR_FINISHED;
	}
	for (int t = 0; t < KILLED_THREADS; t++) {
		uint32_t done = board->thread[t].done;

		if (finished[t] != done && finished[t] != done + 1)
			wrong("thread %d: %u calls had returned, %u are in the log", t, done, finished[t]);
		n_calls += finished[t];
	}
	if (log && iotr_log_lost(log).calls)
		wrong("%llu calls are lost", (unsigned long long)iotr_log_lost(log).calls);
	iotr_set_free(set);
}

/* The log that is there, which is removed; all but its name. */
static void check_log(void)
{
	DIR *dir = opendir("logs");
	struct dirent *e;
	char file[400];
	bool any = false;

	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		any = true;
		snprintf(file, sizeof(file), "logs/%s", e->d_name);
		check(file);
		unlink(file);
	}
	if (dir)
		closedir(dir);
	n_none += !any;
	for (int t = 0; !any && t < KILLED_THREADS; t++)
		if (board->thread[t].done)
			wrong("there is no log");
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void wait_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)}, NULL);
}

/* Until all threads together have so many calls behind them, or the program has ended. */
static void wait_for_calls(pid_t pid, uint64_t calls)
{
	siginfo_t info = {0};

	for (;;) {
		uint64_t done = 0;

		for (int t = 0; t < KILLED_THREADS; t++)
			done += __atomic_load_n(&board->thread[t].done, __ATOMIC_ACQUIRE);
		if (done >= calls || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			return;
		wait_ns(20000);
	}
}

/*
 * Most of a run's life is its middle: some kills come in its beginning, which is as long as it
 * took the run before, some near its end, since some runs are short, and some after it.  How
 * fast the machine is, and what else it does, makes no difference.
 */
static bool run_and_kill(const char *program)
{
	static const struct {
		const char *arg;
		uint64_t calls;
	} lengths[] = {{"20", 20}, {"400", 400}, {"1000000", 4000}};
	static uint64_t beginning; /* ns from its start until its first call has returned */
	unsigned length = (unsigned)some(4) % 3;
	bool early = beginning && !some(3);
	uint64_t began = now();
	pid_t pid;
	int status;

	memset(board, 0, sizeof(*board));
	pid = fork();
	if (pid == 0) {
		execl(program, program, "board", lengths[length].arg, (char *)NULL);
		_exit(99);
	}
	if (early) {
		wait_ns(some(beginning));
	} else {
		wait_for_calls(pid, 1);
		beginning = now() - began;
		wait_for_calls(pid, some(KILLED_THREADS * lengths[length].calls + 2));
		wait_ns(some(beginning / 8 + 1));
	}
	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status)))
		wrong("the program failed with status %#x", status);
	n_ended += WIFEXITED(status);
	return WIFSIGNALED(status);
}

int main(int argc, char **argv)
{
	int fd = open("board", O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (argc != 4 || fd < 0 || ftruncate(fd, sizeof(*board)) < 0) {
		fputs("kills: see the head of kills.c\n", stderr);
		return 2;
	}
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		return 2;
	state = strtoull(argv[3], NULL, 10);
	/* runs that came to their end do not count, but are looked at */
	while (kill_number < atoi(argv[2])) {
		kill_number += run_and_kill(argv[1]);
		check_log();
	}
	printf("# %d kills: %u before there was a log, %u more came after the end, %lu finished calls read\n", kill_number,
	       n_none, n_ended, n_calls);
	if (!n_calls)
		wrong("there were no calls");
	return n_wrong != 0;
}
