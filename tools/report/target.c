/* SPDX-License-Identifier: BSD-3-Clause */
/* target.c - the file that is written: what was there stays until the new one is whole. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page.h"

static const char *target;
static char *volatile unfinished;

static void forget(void)
{
	if (unfinished)
		unlink(unfinished);
}

static void on_signal(int sig)
{
	forget();
	raise(sig); /* once more, and it is blocked until we return */
}

static void catch_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGXFSZ, SIGXCPU};
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;
	unsigned i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &sa, NULL);
}

/* What is no file, as /dev/stdout, is written as it is. */
static bool is_special(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && !S_ISREG(st.st_mode);
}

void report_target_open(struct out *o, const char *name)
{
	char *temporary;

	target = name;
	if (!strcmp(name, "-")) {
		o->fd = STDOUT_FILENO;
		return;
	}
	if (is_special(name)) {
		o->fd = open(name, O_WRONLY | O_CLOEXEC);
	} else {
		if (asprintf(&temporary, "%s.XXXXXX", name) < 0)
			iot_no_memory();
		o->fd = mkostemp(temporary, O_CLOEXEC);
		if (o->fd >= 0) {
			unfinished = temporary;
			atexit(forget);
			catch_signals();
		}
	}
	if (o->fd < 0)
		iot_die("can't write %s: %s", name, strerror(errno));
}

/* As a new file's mode is, or as it was. */
static mode_t mode_of(const char *name)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	return stat(name, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask;
}

void report_target_done(struct out *o)
{
	if (!iot_out_try(o) || (unfinished && (fchmod(o->fd, mode_of(target)) || fsync(o->fd) || close(o->fd) ||
					       rename(unfinished, target))))
		iot_die("can't write %s: %s", target, strerror(errno));
	unfinished = NULL;
}
