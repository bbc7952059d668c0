/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unheard.c - runs a program whose standard error takes nothing.
 *
 *	unheard HOW PROGRAM [ARGUMENT...]
 *
 * HOW: closed, a pipe that nobody reads; full, a pipe that has no room; limit, a file at the
 * limit of sizes; background, a terminal that stops who writes there.  It prints what became
 * of the program.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#ifndef FOR_EVER
#define FOR_EVER 600
#endif

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

static void as_error(int fd)
{
	check(dup2(fd, 2) == 2, "dup2");
	close(fd);
}

static void closed(void)
{
	int end[2];

	check(!pipe(end), "pipe");
	close(end[0]);
	as_error(end[1]);
}

static void full(void)
{
	static const char some[4096];
	int end[2];

	check(!pipe2(end, O_NONBLOCK), "pipe2");
	while (write(end[1], some, sizeof(some)) > 0)
		;
	check(!fcntl(end[1], F_SETFL, 0), "fcntl");
	as_error(end[1]);
}

static void limit(void)
{
	struct rlimit none = { .rlim_max = RLIM_INFINITY };
	int fd = open("limited", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	check(fd >= 0, "limited");
	as_error(fd);
	check(!setrlimit(RLIMIT_FSIZE, &none), "setrlimit");
}

/* The terminal is that of a session whose leader is in the foreground and waits for us. */
static void background(void)
{
	int other = posix_openpt(O_RDWR | O_NOCTTY), status, fd;
	struct termios t;
	pid_t pid;

	check(other >= 0 && !grantpt(other) && !unlockpt(other) && setsid() >= 0, "posix_openpt");
	fd = open(ptsname(other), O_RDWR);
	check(fd >= 0 && !ioctl(fd, TIOCSCTTY, 0) && !tcgetattr(fd, &t), "terminal");
	t.c_lflag |= TOSTOP;
	check(!tcsetattr(fd, TCSANOW, &t), "tcsetattr");
	pid = fork();
	check(pid >= 0, "fork");
	if (!pid) {
		check(!setpgid(0, 0), "setpgid");
		as_error(fd);
		return;
	}
	check(waitpid(pid, &status, WUNTRACED) == pid, "waitpid");
	if (WIFSTOPPED(status))
		kill(pid, SIGKILL);
	_exit(WIFSTOPPED(status) ? 128 + WSTOPSIG(status) : WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static pid_t program;

/* It may have blocked all other signals. */
static void end(int sig)
{
	(void)sig;
	kill(program, SIGKILL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*prepare)(void);
	} ways[] = { { "closed", closed }, { "full", full }, { "limit", limit }, { "background", background } };
	int status;

	check(argc > 2, "unheard HOW PROGRAM");
	program = fork();
	check(program >= 0, "fork");
	for (unsigned i = 0; !program && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name)) {
			ways[i].prepare();
			execv(argv[2], argv + 2);
			_exit(127);
		}
	signal(SIGALRM, end);
	alarm(FOR_EVER);
	check(program && waitpid(program, &status, 0) == program, "waitpid");
	if (WIFSIGNALED(status))
		printf("killed by signal %d\n", WTERMSIG(status));
	else
		printf("exited with %d\n", WEXITSTATUS(status));
	return 0;
}
