/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - regions in every order, and what ends them; pauses. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/iotrace.h"

static int fd;
static jmp_buf env;

static void put(int n)
{
	if (write(fd, "0123456789", (size_t)n) != n)
		abort();
}

/* begin and end in functions of their own, whose frames are gone when calls come */
__attribute__((noinline)) static void timer_start(const char *name)
{
	char frame[200];

	memset(frame, 0, sizeof(frame));
	__asm__ volatile("" ::"r"(frame) : "memory");
	iotrace_begin(name);
}

__attribute__((noinline)) static void timer_stop(const char *name)
{
	iotrace_end(name);
}

static void order(void)
{
	timer_start("a");
	put(1);
	timer_start("b");
	put(2);
	timer_stop("a");	/* b with it */
	put(3);
	timer_stop("b");	/* is none */
	iotrace_end(NULL);	/* nor is one */
	iotrace_begin(NULL);
	errno = 4711;
	iotrace_begin("same");
	iotrace_begin("same");
	iotrace_mark("errno");
	if (errno != 4711)
		abort();
	iotrace_end("same");
	put(4);
	iotrace_end("same");
	iotrace_end(NULL);
	put(5);
}

static int filter(const struct dirent *d)
{
	(void)d;
	iotrace_begin("in callback");
	put(1);
	return 0;
}

static int jumps(const struct dirent *d)
{
	(void)d;
	iotrace_begin("left");
	longjmp(env, 1);
	return 0;
}

static void scan(int (*fn)(const struct dirent *))
{
	struct dirent **list;

	if (scandir(".", &list, fn, NULL) == 0)
		free(list);
}

static void jump(void)
{
	timer_start("around");
	if (!setjmp(env)) {
		timer_start("before");
		longjmp(env, 1);
	}
	put(1);			/* in both */
	iotrace_end("before");
	if (!setjmp(env))
		scan(jumps);
	put(2);			/* in one */
	iotrace_end("around");
	put(3);
}

static void deep(void)
{
	char name[20];
	int i;

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "%d", i);
		iotrace_begin(name);
		put(1);
	}
	for (i = 39; i >= 0; i--) {
		snprintf(name, sizeof(name), "%d", i);
		iotrace_end(name);
	}
	put(2);
	iotrace_begin("again");
	put(3);
	iotrace_end("again");
}

static void *thread(void *arg)
{
	iotrace_begin(arg);
	put(1);
	iotrace_begin("unended");
	put(2);
	return NULL;
}

static void threads(void)
{
	pthread_t t[2];
	int i;

	iotrace_begin("main");
	for (i = 0; i < 2; i++) {
		pthread_create(&t[i], NULL, thread, i ? (char *)"two" : (char *)"one");
		pthread_join(t[i], NULL);
	}
	put(3);
	iotrace_end("main");
}

static void forks(void)
{
	iotrace_begin("parent's");
	iotrace_begin("gone");
	iotrace_begin("inner");
	iotrace_end("gone");
	iotrace_begin("both");
	if (!fork()) {
		put(1);
		iotrace_end("both");
		put(2);
		iotrace_end("parent's");
		put(3);
		_exit(0);
	}
	wait(NULL);
	put(4);
	iotrace_end("both");
	iotrace_end("parent's");
}

static void on_signal(int sig)
{
	(void)sig;
	iotrace_begin("handler");
	put(1);
	iotrace_end("handler");
}

static volatile sig_atomic_t ticking;

/* It comes once, and again when this has ended: where it takes longer than that, nothing else
   would come to run. */
static void on_tick(int sig)
{
	on_signal(sig);
	if (ticking)
		ualarm(500, 0);
}

static void handler(void)
{
	signal(SIGUSR1, on_signal);
	iotrace_begin("interrupted");
	raise(SIGUSR1);
	put(2);
	iotrace_end("interrupted");
	/* wherever it comes */
	signal(SIGALRM, on_tick);
	ticking = 1;
	ualarm(500, 0);
	for (int i = 0; i < 3000; i++) {
		iotrace_begin("busy");
		put(3);
		iotrace_end("busy");
	}
	ticking = 0;
	ualarm(0, 0);
}

static void *other(void *arg)
{
	(void)arg;
	put(7);
	return NULL;
}

static void pauses(void)
{
	pthread_t t;

	put(1);
	iotrace_resume();	/* of nothing */
	iotrace_begin("whole");
	iotrace_pause();
	iotrace_pause();
	put(2);
	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	iotrace_resume();
	put(3);
	if (!fork()) {
		put(4);
		iotrace_resume();
		put(5);
		_exit(0);
	}
	wait(NULL);
	iotrace_mark("during");
	iotrace_resume();
	put(6);
	iotrace_end("whole");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "first"))
		iotrace_pause();
	fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (!strcmp(what, "order"))
		order();
	else if (!strcmp(what, "callback"))
		scan(filter);
	else if (!strcmp(what, "jump"))
		jump();
	else if (!strcmp(what, "deep"))
		deep();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "fork"))
		forks();
	else if (!strcmp(what, "handler"))
		handler();
	else if (!strcmp(what, "pause"))
		pauses();
	else if (!strcmp(what, "kill")) {
		iotrace_begin("killed");
		put(1);
		raise(SIGKILL);
	}
	return 0;
}
