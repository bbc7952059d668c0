/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halted.c - halted PROGRAM DIRECTORY, where two.c's program has its log: the first process
 * stands still behind each of its atomic instructions, while the other writes blocks.  All that is
 * in the log then lies below the end that its header tells.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iotrace-format.h"
#include "two.h"

#define LOCK 0xf0 /* x86's prefix of them */

static struct two *board;

static void die(const char *what)
{
	perror(what);
	exit(99);
}

static int open_log(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *e;
	int fd = -1;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			fd = openat(dirfd(dir), e->d_name, O_RDONLY);
	if (fd < 0)
		die(directory);
	closedir(dir);
	return fd;
}

/* Whether the process is about to carry out an atomic instruction. */
static int is_atomic(pid_t pid)
{
	struct user_regs_struct regs;

	return ptrace(PTRACE_GETREGS, pid, NULL, &regs) == 0 &&
	       (ptrace(PTRACE_PEEKTEXT, pid, (void *)regs.rip, NULL) & 0xff) == LOCK;
}

/* The other process writes, and the log's header says where. */
static int look(int log)
{
	uint32_t asked = board->asked + 1;
	uint64_t end;
	struct stat st;

	__atomic_store_n(&board->asked, asked, __ATOMIC_RELEASE);
	while (__atomic_load_n(&board->done, __ATOMIC_ACQUIRE) != asked)
		sched_yield();
	if (fstat(log, &st) < 0 || pread(log, &end, sizeof(end), offsetof(struct iot_file_header, end)) != sizeof(end))
		die("the log");
	if (IOT_COUNT(end) >= (uint64_t)st.st_size)
		return 0;
	printf("stop %u: the log has %lld bytes, its header says that it ends at %llu\n", asked, (long long)st.st_size,
	       (unsigned long long)IOT_COUNT(end));
	return 1;
}

int main(int argc, char **argv)
{
	int fd = open("board", O_RDWR | O_CREAT | O_TRUNC, 0600), status, log, wrong = 0;
	pid_t pid;

	if (argc != 3)
		return 99;
	if (fd < 0 || ftruncate(fd, sizeof(*board)) < 0)
		die("board");
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		die("board");
	pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		execl(argv[1], argv[1], "board", (char *)NULL);
		_exit(99);
	}
	/* it has begun; then it has stopped itself */
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) || ptrace(PTRACE_CONT, pid, NULL, NULL) < 0 ||
	    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
	log = open_log(argv[2]);
	while (!board->over) {
		int atomic = is_atomic(pid);

		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return 99;
		if (atomic)
			wrong += look(log);
	}
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	if (waitpid(pid, &status, 0) != pid || status)
		return 99;
	printf("# %u stops\n", board->asked);
	return board->asked < 10 || wrong;
}
