/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unshare.c - threads and tasks with a working directory or descriptors of their own, and
 * a working directory that is renamed.
 *
 *	unshare fs|files|task|process|rename	each file is written by its own name: the bytes are
 *					as many as the name ends with
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int turn;

static void await(int n)
{
	while (atomic_load(&turn) != n)
		sched_yield();
}

/* Creates the file, and writes as many bytes as the last character of its name says, the last by itself. */
static void store(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int n = name[strlen(name) - 1] - '0';

	if (fd < 0 || (n > 1 && write(fd, "123456789", (size_t)n - 1) != n - 1) || write(fd, "n", 1) != 1 || close(fd)) {
		perror(name);
		exit(1);
	}
}

static void *fs(void *unused)
{
	if (unshare(CLONE_FS) || chdir("other"))
		exit(2);
	store("of-the-thread-1");
	atomic_store(&turn, 1);
	await(2);
	store("of-the-thread-2");
	atomic_store(&turn, 3);
	return unused;
}

/* The same number is another file in either of the threads. */
static void *files(void *unused)
{
	int fd = open("shared-3", O_WRONLY | O_CREAT, 0600), own;

	if (unshare(CLONE_FILES) || close(fd))
		exit(2);
	own = open("own-5", O_WRONLY | O_CREAT, 0600);
	if (own != fd)
		exit(3);
	atomic_store(&turn, fd);
	await(-1);
	if (write(own, "12345", 5) != 5)
		exit(4);
	return unused;
}

static int task(void *unused)
{
	(void)unused;
	if (chdir("other"))
		_exit(2);
	store("of-the-task-1");
	return 0;
}

/* Memory of its own, but its parent's descriptors and working directory. */
static int process(void *fd)
{
	int other;

	if (chdir("other"))
		_exit(2);
	store("of-the-process-1");
	other = open("another", O_WRONLY | O_CREAT, 0600);
	if (dup2(other, *(int *)fd) != *(int *)fd || write(*(int *)fd, "12", 2) != 2)
		_exit(3);
	return 0;
}

static void in_thread(void *(*what)(void *))
{
	pthread_t thread;
	pid_t child;

	store("before-1");
	if (pthread_create(&thread, NULL, what, NULL))
		exit(5);
	if (what == fs) {
		await(1);
		store("of-the-main-thread-2");
		atomic_store(&turn, 2);
		await(3);
	} else {
		int fd;

		while (!(fd = atomic_load(&turn)))
			sched_yield();
		if (write(fd, "123", 3) != 3)
			exit(6);
		atomic_store(&turn, -1);
	}
	pthread_join(thread, NULL);
	store("after-4");
	/* which has no threads but one */
	child = fork();
	if (child == 0) {
		store("of-a-child-6");
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		exit(7);
}

int main(int argc, char **argv)
{
	static char stack[65536] __attribute__((aligned(16)));

	if (argc != 2 || mkdir("other", 0700))
		return 9;
	if (!strcmp(argv[1], "fs"))
		in_thread(fs);
	if (!strcmp(argv[1], "files"))
		in_thread(files);
	if (!strcmp(argv[1], "task")) {
		pid_t pid = clone(task, stack + sizeof(stack), CLONE_VM | CLONE_FILES | SIGCHLD, NULL);

		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 8;
		store("of-its-parent-2");
	}
	if (!strcmp(argv[1], "process")) {
		int fd = open("file", O_WRONLY | O_CREAT, 0600);
		pid_t pid;

		if (write(fd, "1", 1) != 1)
			return 8;
		pid = clone(process, stack + sizeof(stack), CLONE_FILES | CLONE_FS | SIGCHLD, &fd);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid || write(fd, "123", 3) != 3)
			return 7;
		store("of-its-parent-4");
	}
	if (!strcmp(argv[1], "rename")) {
		pid_t pid;
		int status;

		if (chdir("other"))
			return 8;
		store("before-1");
		if (rename("../other", "../another"))
			return 7;
		store("after-2");
		store("after-2");
		/* by another process, and the name is one that was opened before */
		pid = fork();
		if (pid == 0)
			_exit(rename("../another", "../third") != 0);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 6;
		store("after-2");
	}
	return 0;
}
