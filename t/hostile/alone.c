/* SPDX-License-Identifier: BSD-3-Clause */
/* alone.c - a case that is a program of its own (Emit.pm) makes the world that Forms.pm
 * makes for storm, and begins anew in it: the recorder's beginning belongs to the case. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void failed(const char *what)
{
	dprintf(2, "storm: %s: %s\n", what, strerror(errno));
	exit(98);
}

/* Or as much as there may be. */
static void limit(int what, const char *name, rlim_t soft, rlim_t hard)
{
	struct rlimit rl, want = { soft, hard };

	getrlimit(what, &rl);
	if (want.rlim_max > rl.rlim_max)
		want.rlim_max = rl.rlim_max;
	if (setrlimit(what, &want))
		failed(name);
}

/* Forty lines, in a file that can be read only. */
static void standard_input(void)
{
	char name[40];
	int to = memfd_create("input", 0), fd;

	for (int i = 1; i <= 40; i++)
		dprintf(to, "line %d of standard input\n", i);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
	fd = open(name, O_RDONLY);
	if (fd < 0 || dup2(fd, 0) != 0)
		failed("standard input");
}

static void signals(void)
{
	sigset_t none;

	for (int sig = 1; sig <= SIGRTMAX; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void alone(void)
{
	static char program[4096], board[4096 + 32] = "--board=";
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *argv[] = { program, board, NULL };

	if (n < 0 || !getcwd(board + strlen(board), 4096))
		failed("this program");
	strcat(board, "/storm.board");
	setpgid(0, 0);
	umask(022);
	signals();
	standard_input();
	closefrom(3);
	limit(RLIMIT_NOFILE, "1024 descriptors (ulimit -n)", 1024, 4096);
	limit(RLIMIT_FSIZE, "files of 16 MiB (ulimit -f)", 16 << 20, 16 << 20);
	execv(program, argv);
	failed(program);
}
