/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork.c - processes made in every way, with known numbers of calls: a process
 * writes to a file that has its pid in its name: fork HOW NUMBER.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CALLS 20

extern char **environ;
static volatile int done;
static long thread_calls[4];

static void work(int n)
{
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "p-%d", (int)getpid());
	fd = open(name, O_WRONLY | O_CREAT, 0644);
	for (int i = 0; i < n; i++)
		if (pwrite(fd, "abc", 3, 3 * i) != 3)
			_exit(80);
	close(fd);
}

static void *thread(void *arg)
{
	long i = (long)arg, n = 0;
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "t-%ld", i);
	fd = open(name, O_WRONLY | O_CREAT, 0644);
	while (!done || n < 100)
		if (pwrite(fd, "x", 1, n) == 1)
			n++;
	close(fd);
	thread_calls[i] = n;
	return NULL;
}

static int bad;

static void reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		bad++;
}

static void threads(int n)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int k = 0; k < n; k++) {
		pid_t pid = fork();

		if (!pid) {
			work(CHILD_CALLS);
			_exit(0);
		}
		reap(pid);
	}
	done = 1;
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		printf("t-%d %ld\n", i, thread_calls[i]);
	}
}

static void burst(int n)
{
	pid_t pid[500];

	for (int k = 0; k < n; k++) {
		pid[k] = fork();
		if (!pid[k]) {
			work(CHILD_CALLS);
			_exit(0);
		}
		if (pid[k] < 0)
			bad++;
		/* no more than 20 at a time */
		if (k >= 20)
			reap(pid[k - 20]);
	}
	for (int k = n > 20 ? n - 20 : 0; k < n; k++)
		reap(pid[k]);
}

static void vforks(char **leaf, int n)
{
	for (int k = 0; k < n; k++) {
		pid_t pid = vfork();

		if (!pid) {
			int fd = open("vfork", O_WRONLY | O_CREAT, 0644);

			dup2(fd, 40);
			close(fd);
			if (k % 5 == 4)
				_exit(0);
			execv("/proc/self/exe", leaf);
			_exit(81);
		}
		reap(pid);
		work(1);
	}
}

static void spawns(char **leaf, int n)
{
	for (int k = 0; k < n; k++) {
		posix_spawn_file_actions_t fa;
		pid_t pid;

		posix_spawn_file_actions_init(&fa);
		posix_spawn_file_actions_addopen(&fa, 40, "spawned", O_WRONLY | O_CREAT, 0644);
		posix_spawn_file_actions_adddup2(&fa, 40, 41);
		if (posix_spawn(&pid, k % 5 == 4 ? "/none" : "/proc/self/exe", &fa, NULL, leaf, environ))
			bad += k % 5 != 4;
		else
			reap(pid);
		posix_spawn_file_actions_destroy(&fa);
		work(1);
	}
}

static void raw(int n)
{
	for (int k = 0; k < n; k++) {
		pid_t pid = (pid_t)syscall(SYS_fork);

		if (!pid) {
			work(CHILD_CALLS);
			_exit(0);
		}
		reap(pid);
		work(1);
	}
}

/* A child's child, and calls of the parent after its children. */
static void tree(int depth)
{
	pid_t pid;

	work(CHILD_CALLS);
	if (depth) {
		pid = fork();
		if (!pid) {
			tree(depth - 1);
			_exit(bad);
		}
		reap(pid);
	}
}

int main(int argc, char **argv)
{
	char *leaf[] = { argv[0], "leaf", "1", NULL };
	int n = argc > 2 ? atoi(argv[2]) : 0;
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "leaf"))
		work(CHILD_CALLS);
	else if (!strcmp(how, "threads"))
		threads(n);
	else if (!strcmp(how, "burst"))
		burst(n);
	else if (!strcmp(how, "vfork"))
		vforks(leaf, n);
	else if (!strcmp(how, "spawn"))
		spawns(leaf, n);
	else if (!strcmp(how, "raw"))
		raw(n);
	else if (!strcmp(how, "tree"))
		tree(n);
	else if (!strcmp(how, "daemon")) {
		work(CHILD_CALLS);
		if (daemon(1, 0))
			return 82;
		work(CHILD_CALLS);
		rename("../daemon-runs", "../daemon-done");
		return 0;
	} else {
		return 99;
	}
	printf("%d bad\n", bad);
	return bad != 0;
}
