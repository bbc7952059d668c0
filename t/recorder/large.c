/* SPDX-License-Identifier: BSD-3-Clause */
/* large.c - the longest string that a program's environment can have, for each function that runs one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 140000
#define PROGRAM "/bin/true"

extern char **environ;
static char text[MOST] = "A=";
static char *argv[] = { (char *)"true", NULL }, *env[] = { text, NULL };

static void by_execve(void) { execve(PROGRAM, argv, env); }
static void by_execvpe(void) { execvpe(PROGRAM, argv, env); }
static void by_execle(void) { execle(PROGRAM, "true", NULL, env); }
static void by_execveat(void) { execveat(AT_FDCWD, PROGRAM, argv, env, 0); }
static void by_syscall(void) { syscall(SYS_execve, PROGRAM, argv, env); }
static void by_fexecve(void) { fexecve(open(PROGRAM, O_RDONLY | O_CLOEXEC), argv, env); }

static void by_execv(void)
{
	environ = env;
	execv(PROGRAM, argv);
}

static void by_execlp(void)
{
	environ = env;
	execlp(PROGRAM, "true", NULL);
}

/* Whether a child can run the program. */
static int runs(void (*how)(void))
{
	int status = -1, error = 0;
	pid_t child;

	if (how) {
		child = fork();
		if (!child) {
			how();
			_exit(errno == E2BIG ? 1 : 2);
		}
	} else {
		error = posix_spawn(&child, PROGRAM, NULL, NULL, argv, env);
	}
	if (error == E2BIG)
		return 0;
	if (error || waitpid(child, &status, 0) != child || (status != 0 && status != 0x100)) {
		printf("error %d, status %x\n", error, status);
		exit(1);
	}
	return status == 0;
}

int main(void)
{
	static const struct {
		const char *name;
		void (*how)(void);
	} ways[] = {
		{ "execve", by_execve },   { "execvpe", by_execvpe }, { "execle", by_execle }, { "execveat", by_execveat },
		{ "syscall", by_syscall }, { "fexecve", by_fexecve }, { "execv", by_execv },   { "execlp", by_execlp },
		{ "posix_spawn", NULL },
	};
	struct rlimit l;

	/* a quarter of the stack's is what there is, and 128 KiB at least */
	getrlimit(RLIMIT_STACK, &l);
	l.rlim_cur = 256 << 10;
	if (setrlimit(RLIMIT_STACK, &l))
		return 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		size_t low = 2, high = MOST - 1;

		while (high - low > 1) {
			size_t middle = (low + high) / 2;

			memset(text + 2, 'a', middle - 2);
			text[middle] = '\0';
			*(runs(ways[i].how) ? &low : &high) = middle;
		}
		printf("%s: %zu\n", ways[i].name, low);
	}
	return 0;
}
