/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.c - tasks that have one thread-local storage in common, made by clone(CLONE_VM)
 * without CLONE_SETTLS: by libc's function or (raw) by syscall, as threads or as
 * processes.  Prints how many calls of write they made, and those of their children.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASKS 4
#ifndef TIMES
#define TIMES 2000
#endif
#define SIZE  262144

static int fd;
static volatile int go;
static int begun, ended, n_write;

static void writes(void)
{
	for (int i = 0; i < TIMES; i++)
		if (write(fd, "x", 1) == 1)
			__atomic_fetch_add(&n_write, 1, __ATOMIC_SEQ_CST);
}

static int task(void *forks)
{
	__atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
	while (!go)
		sched_yield();
	writes();
	if (forks) {
		int pid = (int)syscall(SYS_fork);

		if (pid == 0) {
			for (int i = 0; i < 100; i++)
				if (write(fd, "yy", 2) != 2)
					break;
			syscall(SYS_exit_group, 0);
		}
		wait4(pid, NULL, __WALL, NULL);
	}
	__atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
	return 0;
}

static void raw_task(void)
{
	task(NULL);
	syscall(SYS_exit, 0);
}

/* By syscall(2), which the child returns from to what its stack has. */
static long raw_clone(char *top, unsigned long flags)
{
	void **sp = (void **)((uintptr_t)top & ~15UL);

	*--sp = NULL;
	*--sp = (void *)raw_task;
	return syscall(SYS_clone, flags, sp, NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
	unsigned long flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_FILES;
	int raw = 0, forks = 0;

	for (int i = 1; i < argc; i++) {
		raw |= !strcmp(argv[i], "raw");
		forks |= !strcmp(argv[i], "forks");
		if (!strcmp(argv[i], "thread"))
			flags |= CLONE_THREAD;
		if (!strcmp(argv[i], "files"))
			flags &= ~(unsigned long)CLONE_FILES;
	}
	fd = open("/dev/null", O_WRONLY);
	/* one after the other has the tids of those that ended */
	for (int round = 0; round < 3; round++) {
		int pids[TASKS];

		go = begun = ended = 0;
		for (int i = 0; i < TASKS; i++) {
			char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			pids[i] = raw ? (int)raw_clone(stack + SIZE, flags) :
					clone(task, stack + SIZE, (int)flags, forks ? &forks : NULL);
			if (pids[i] < 0)
				return 98;
		}
		while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < TASKS)
			sched_yield();
		go = 1;
		writes();
		while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < TASKS)
			sched_yield();
		for (int i = 0; i < TASKS && !(flags & CLONE_THREAD); i++)
			waitpid(pids[i], NULL, __WALL);
	}
	printf("%d 0\n", n_write);
	return 0;
}
