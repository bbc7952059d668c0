/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * between.c - follows a log whose program makes calls between any two of the reader's reads.
 *
 *	between DIRECTORY N|ends PROGRAM [ARGUMENT]
 *
 * The program, traced, makes as many calls as it is told, and then says so.  It stands still
 * but for one moment, when it makes N: before the reader's read number 0, then, with
 * the program run anew, before number 1, and so on until there are no more reads.  Prints how
 * many moments there were, and what was wrong.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iotrace/read.h"

#define BEFORE 700 /* calls that there are before: two blocks are full */
#define AFTER  10
#define FEW    40  /* calls that lie in a window */

static struct {
	pid_t pid;
	int in, out; /* numbers, answers */
	long n;	     /* calls at that moment */
} program;

static long reads, moment; /* of the reader, so far; when the program goes on */

static void fail(const char *what)
{
	perror(what);
	exit(99);
}

static void let_call(long n)
{
	char line[32] = "";

	snprintf(line, sizeof(line), "%ld", n);
	if (write(program.in, line, sizeof(line)) != sizeof(line) || read(program.out, line, 1) != 1)
		fail("the program");
}

static void let_end(void)
{
	int status;

	close(program.in);
	if (waitpid(program.pid, &status, 0) != program.pid || status)
		fail("the program's end");
	close(program.out);
}

/* Stands in front of libc's, for the library. */
ssize_t pread64(int fd, void *buf, size_t size, off_t off)
{
	if (program.n && reads++ == moment)
		let_call(program.n);
	return syscall(SYS_pread64, fd, buf, size, off);
}

ssize_t pread(int fd, void *buf, size_t size, off_t off)
{
	return pread64(fd, buf, size, off);
}

static void start(char **command, const char *dir)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		fail("pipe2");
	program.pid = fork();
	if (program.pid < 0)
		fail("fork");
	if (!program.pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		if (chdir(dir) || setenv("IOTRACE_DIR", dir, 1) || setenv("IOTRACE_BUFFER", "16384", 1))
			fail(dir);
		execv(command[0], command);
		fail(command[0]);
	}
	close(in[0]);
	close(out[1]);
	program.in = in[1];
	program.out = out[0];
}

static char *log_in(const char *dir)
{
	static char path[4096];
	struct dirent *d;
	DIR *logs = opendir(dir);

	path[0] = '\0';
	while (logs && (d = readdir(logs)))
		if (strstr(d->d_name, ".iotrace"))
			snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
	if (logs)
		closedir(logs);
	return path;
}

static void say(void *arg, enum iotr_severity severity, const char *file, const char *text)
{
	(void)arg;
	(void)file;
	printf("moment %ld: %d: %s\n", moment, (int)severity, text);
}

static void count(struct iotr_follow *f, unsigned char *given, long n)
{
	const struct iotr_call *call;

	while ((call = iotr_follow_next(f)))
		if (!strcmp(call->schema->name, "pread") && call->offset < (uint64_t)n)
			given[call->offset]++;
		else if (!strcmp(call->schema->name, "pread"))
			printf("moment %ld: a call at %llu\n", moment, (unsigned long long)call->offset);
}

/* Each call was given once; the log has served. */
static void check(const unsigned char *given, long n, const char *log)
{
	for (long i = 0; i < n; i++)
		if (given[i] != 1)
			printf("moment %ld: call %ld was given %d times\n", moment, i, given[i]);
	if (unlink(log))
		fail(log);
}

/* Returns whether the moment came. */
static bool follow(char **command, const char *dir, long n)
{
	long total = BEFORE + n + AFTER;
	unsigned char *given = calloc((size_t)total, 1);
	struct iotr_follow *f = iotr_follow_new(1000000000, say, NULL);
	const char *log;

	if (!given || !f)
		fail("calloc");
	start(command, dir);
	let_call(BEFORE);
	log = log_in(dir);
	if (iotr_follow_add(f, log))
		exit(99);
	usleep(25000); /* what the reader waits for a thread that began a call */
	reads = 0;
	program.n = n;
	iotr_follow_poll(f);
	count(f, given, total);
	program.n = 0;
	if (reads <= moment)
		let_call(n);
	iotr_follow_poll(f);
	count(f, given, total);
	let_call(AFTER);
	let_end();
	while (iotr_follow_poll(f) >= 0)
		count(f, given, total);
	count(f, given, total);
	check(given, total, log);
	iotr_follow_free(f);
	free(given);
	return reads > moment;
}

/* Returns whether the moment came. */
static bool open_it(char **command, const char *dir)
{
	unsigned char given[FEW] = {0};
	struct iotr_set *set = iotr_set_new(say, NULL);
	const struct iotr_call *call;
	struct iotr_log *log;
	const char *file;

	start(command, dir);
	let_call(FEW);
	file = log_in(dir);
	reads = 0;
	program.n = 1;
	log = set ? iotr_log_open(file, say, NULL) : NULL;
	if (!log)
		exit(99);
	iotr_set_add_log(set, log);
	while ((call = iotr_set_next(set)))
		if (!strcmp(call->schema->name, "pread") && call->offset < FEW)
			given[call->offset]++;
	program.n = 0;
	if (reads <= moment)
		let_call(1);
	let_end();
	check(given, FEW, file);
	iotr_set_free(set);
	return reads > moment;
}

int main(int argc, char **argv)
{
	bool ends = argc > 2 && !strcmp(argv[2], "ends");

	if (argc < 4)
		return 99;
	signal(SIGPIPE, SIG_IGN);
	while (ends ? open_it(argv + 3, argv[1]) : follow(argv + 3, argv[1], atol(argv[2])))
		moment++;
	printf("%ld moments\n", moment);
	return 0;
}
