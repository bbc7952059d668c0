/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - messages that libc writes to standard error.  Says on standard output which
   function wrote where, and how much. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long was;

static void say(const char *name)
{
	long now = lseek(2, 0, SEEK_CUR);

	printf("%s %ld %ld\n", name, was, now - was);
	was = now;
}

__attribute__((format(printf, 2, 3)))
static void with_list(void (*f)(const char *, va_list), const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	f(format, ap);
	va_end(ap);
}

static void in_child(int how)
{
	int status;

	fflush(stdout);
	if (fork() == 0) {
		if (how)
			errx(3, "ends %d", how);
		else
			err(3, "ends");
	}
	wait(&status);
	say(how ? "errx" : "err");
	printf("%s status %d\n", how ? "errx" : "err", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	siginfo_t info = { .si_signo = SIGSEGV, .si_code = SEGV_MAPERR };

	dup2(open(argv[argc - 1], O_RDWR | O_CREAT | O_TRUNC, 0600), 2);
	errno = ENOENT;
	perror("first");
	say("perror");
	errno = EIO;
	perror(NULL);
	say("perror");
	psignal(SIGSEGV, "signal");
	say("psignal");
	psiginfo(&info, "info");
	say("psiginfo");
	warn("number %d", 5);
	say("warn");
	warnx("%s", "text");
	say("warnx");
	with_list(vwarn, "list %d", 1);
	say("vwarn");
	with_list(vwarnx, "list %d", 2);
	say("vwarnx");
	if (write(2, "end\n", 4) == 4)
		say("write");
	in_child(0);
	in_child(1);
	return 0;
}
