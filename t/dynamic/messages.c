/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - messages that libc writes to standard error.  Says on standard output which
   function wrote where, and how much. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <syslog.h>
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

__attribute__((format(printf, 1, 2)))
static void log_with_list(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsyslog(LOG_DEBUG, format, ap);
	va_end(ap);
}

static void in_child(int how)
{
	const char *const names[] = { "err", "errx", "error", "error_at_line", "error_at_line" }, *name = names[how];
	int status;

	fflush(stdout);
	if (fork() == 0) {
		/* what may be left out does not tell beforehand that it writes what waits */
		error_one_per_line = how == 4;
		printf("%s", how == 4 ? "" : "waits until then\n");
		if (how > 2)
			error_at_line(3, EIO, "file", 100, "ends %d", how);
		else if (how == 2)
			error(3, EIO, "ends %d", how);
		else if (how)
			errx(3, "ends %d", how);
		else
			err(3, "ends");
	}
	wait(&status);
	printf("%s status %d\n", name, WEXITSTATUS(status));
	say(name);
}

static void by_options(void)
{
	const struct option all[] = { { "all", no_argument, NULL, 'a' }, { NULL, 0, NULL, 0 } };
	char *argv[] = { "messages", "-a", "-x", "--none", NULL };

	for (int i = 0; i < 2; i++) {
		getopt(3, argv, "a");
		say("getopt");
	}
	optind = 1;
	for (int i = 0; i < 3; i++) {
		getopt_long(4, argv, "ax", all, NULL);
		say("getopt_long");
	}
}

static void by_error(void)
{
	char *text = malloc(5000);

	error(0, ENOENT, "of %s", "error");
	say("error");
	memset(text, 'x', 4999);
	text[4999] = '\0';
	error(0, 0, "%s", text);
	say("error");
	free(text);
}

/* Of two messages about a line the second may be left out, and then the program goes on: the
   compiler must not know that the status is not 0, since glibc's header says it never does. */
static void by_line(void)
{
	volatile int status = 4;
	char *text = malloc(5000);

	memset(text, 'x', 4999);
	text[4999] = '\0';
	for (int i = 0; i < 2; i++) {
		error_at_line(0, ENOENT, "file", 7, "of %s", "error_at_line");
		say("error_at_line");
	}
	error_one_per_line = 1;
	for (int i = 0; i < 4; i++) {
		fflush(stdout);
		error_at_line(0, EIO, i % 2 ? "file" : NULL, 8 + (unsigned)i, "%s", text);
		say("error_at_line");
		error_at_line(status, EIO, i % 2 ? "file" : NULL, 8 + (unsigned)i, "%s", "again");
		say("error_at_line");
	}
	error_one_per_line = 0;
	free(text);
}

static void by_syslog(void)
{
	openlog("messages", 0, LOG_USER);
	syslog(LOG_DEBUG, "to nobody here");
	openlog("messages", LOG_PERROR, LOG_USER);
	syslog(LOG_DEBUG, "number %d", 6);
	say("syslog");
	log_with_list("list %d", 3);
	say("vsyslog");
	closelog();
}

static void *complain(void *unused)
{
	error(0, 0, "from a thread");
	return unused;
}

/* Who holds standard output's lock, for which another's error waits, may write messages. */
static void locks(void)
{
	pthread_t thread;

	alarm(600);
	dup2(open("/dev/null", O_WRONLY), 2);
	flockfile(stdout);
	pthread_create(&thread, NULL, complain, NULL);
	usleep(100000);
	perror("held");
	funlockfile(stdout);
	pthread_join(thread, NULL);
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
	by_error();
	by_line();
	by_options();
	by_syslog();
	for (int how = 0; how < 5; how++)
		in_child(how);
	locks();
	return 0;
}
