/* SPDX-License-Identifier: BSD-3-Clause */
/* serve-work.c - what is done by a child process, and what it leaves. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "serve.h"

static void close_if_open(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_all(struct work *w)
{
	unsigned i;

	for (i = 0; i < WORK_OUTPUTS; i++)
		close_if_open(&w->out[i]);
	close_if_open(&w->said);
}

/* Sockets of others are none of its business: they would stay open as long as it runs. */
static void keep_only(struct work *w)
{
	int out[WORK_OUTPUTS], first = 3;
	unsigned i;

	for (i = 0; i < WORK_OUTPUTS; i++) /* out of the way of the numbers that they get */
		out[i] = fcntl(w->out[i], F_DUPFD, 3 + WORK_OUTPUTS);
	if (w->said >= 0)
		dup2(w->said, STDERR_FILENO);
	for (i = 0; i < WORK_OUTPUTS; i++) {
		dup2(out[i], first);
		w->out[i] = first++;
	}
	syscall(SYS_close_range, first, ~0U, 0);
}

static void work(struct work *w, work_fn *fn, void *arg, unsigned seconds)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGINT, &ignored, NULL); /* the server ends it */
	sigaction(SIGTERM, &usual, NULL);
	alarm(seconds);
	keep_only(w);
	exit(fn(arg, w->out));
}

bool work_begin(struct work *w, work_fn *fn, void *arg, bool mute, unsigned seconds)
{
	unsigned i;
	bool all = true;

	*w = (struct work){.said = mute ? memfd_create("iotrace-messages", MFD_CLOEXEC) : -1};
	for (i = 0; i < WORK_OUTPUTS; i++) {
		w->out[i] = memfd_create("iotrace-answer", MFD_CLOEXEC);
		all &= w->out[i] >= 0;
	}
	if (all && (!mute || w->said >= 0)) {
		w->pid = fork();
		if (!w->pid)
			work(w, fn, arg, seconds);
		if (w->pid > 0)
			return true;
	}
	w->pid = 0;
	close_all(w);
	return false;
}

bool work_ended(struct work *w, bool wait)
{
	pid_t pid;

	if (!w->pid)
		return true;
	do
		pid = waitpid(w->pid, &w->status, wait ? 0 : WNOHANG);
	while (pid < 0 && errno == EINTR);
	if (!pid)
		return false;
	w->pid = 0;
	return true;
}

void work_free(struct work *w)
{
	if (w->pid) {
		kill(w->pid, SIGKILL);
		work_ended(w, true);
	}
	close_all(w);
}

char *work_message(const struct work *w)
{
	struct out said = w->said < 0 ? (struct out){.fd = -1} : work_read(w->said);
	const char *at = said.buf, *end = at ? memchr(at, '\n', said.len) : NULL;
	size_t name = strlen(program_invocation_short_name);
	char *text;

	if (end && (size_t)(end - at) > name + 2 && !strncmp(at, program_invocation_short_name, name))
		at += name + 2;
	text = end ? strndup(at, (size_t)(end - at)) : strdup("it could not be answered");
	if (!text)
		iot_no_memory();
	free(said.buf);
	return text;
}

double work_seconds(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - since->tv_sec) + (double)(now.tv_nsec - since->tv_nsec) / 1e9;
}

void work_write(int fd, const struct out *o)
{
	struct out to = {.fd = fd};

	iot_out_bytes(&to, o->buf, o->len);
	if (!iot_out_try(&to))
		iot_die("there is no memory for the answer: %s", strerror(errno));
	free(to.buf);
}

struct out work_read(int fd)
{
	struct out o = {.fd = -1};
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return o;
	iot_out_need(&o, (size_t)st.st_size + 1);
	while (o.len < (size_t)st.st_size &&
	       (n = pread(fd, o.buf + o.len, (size_t)st.st_size - o.len, (off_t)o.len)) > 0)
		o.len += (size_t)n;
	return o;
}
