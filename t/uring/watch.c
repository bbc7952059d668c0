/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch.c - requests to a ring whose queue a thread of the kernel's reads; the program makes no
 * call for them.
 *
 *	watch killed	1,000 writes, then it is killed
 *	watch gone	the same, but it ends by an instruction of its own
 *	watch exec	1,000 writes, then it becomes true(1)
 *	watch failing	the same, but there is no such program; 500 more, and is killed
 *	watch spawning	the same, but true(1) is another process
 *	watch child	its child makes the writes, to a ring of its own
 *	watch seen	of another ring: requests that are done before the program makes its next call
 *	watch same	says what a program can know of itself
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTRIES 1024u

static struct io_uring ring;
static int out;
static char text[64];
static unsigned done;

/* System calls that nobody records. */
static long call(long number, long a, long b, long c)
{
	register long flags __asm__("r10") = IORING_ENTER_SQ_WAKEUP, no_signals __asm__("r8") = 0, size __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(flags), "r"(no_signals), "r"(size)
			 : "rcx", "r11", "memory");
	return ret;
}

static void make(unsigned flags)
{
	struct io_uring_params p = { .flags = flags, .sq_thread_idle = 60000 };

	if (io_uring_queue_init_params(ENTRIES, &ring, &p))
		exit(77);
	done = 0;
}

/* Behind the last one's request. */
static void add(void)
{
	unsigned at = ring.sq.sqe_head & (ENTRIES - 1);

	io_uring_prep_write(&ring.sq.sqes[at], out, text, sizeof(text), done * sizeof(text));
	ring.sq.sqes[at].user_data = done;
	ring.sq.array[at] = at;
	__atomic_store_n(ring.sq.ktail, ++ring.sq.sqe_head, __ATOMIC_RELEASE);
	ring.sq.sqe_tail = ring.sq.sqe_head;
	done++;
}

static void await(void)
{
	while (__atomic_load_n(ring.cq.ktail, __ATOMIC_ACQUIRE) != done)
		if (__atomic_load_n(ring.sq.kflags, __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP)
			call(SYS_io_uring_enter, ring.ring_fd, 0, 0);
	__atomic_store_n(ring.cq.khead, done, __ATOMIC_RELEASE);
}

/* In tens, so that entries of the queues are used again if there are more than 1,024. */
static void writes(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		add();
		if (i % 10 == 9)
			await();
	}
}

static void polled(void)
{
	make(IORING_SETUP_SQPOLL);
	writes(1000);
}

static int count(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void same(void)
{
	struct rusage of;
	struct sigaction old;

	printf("%d tasks\n", count("/proc/self/task") - 2);
	getrusage(RUSAGE_CHILDREN, &of);
	sigaction(SIGCHLD, NULL, &old);
	printf("%ld faults of children, SIGCHLD %d\n", of.ru_majflt, old.sa_handler == SIG_DFL);
	printf("wait: %d %s\n", waitpid(-1, NULL, __WALL), strerror(errno));
	printf("unshare: %ld\n", (long)unshare(CLONE_FILES));
	printf("next: %d\n", dup(0));
}

/* A call is recorded between each two requests, when the one before is complete. */
static void seen(void)
{
	make(0);
	for (unsigned i = 0; i < 50; i++) {
		add();
		call(SYS_io_uring_enter, ring.ring_fd, 1, 0);
		await();
		usleep(2000);
		fcntl(out, F_GETFD);
	}
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
	memset(text, 'x', sizeof(text));
	if (!strcmp(way, "seen")) {
		seen();
		return 0;
	}
	if (!strcmp(way, "child")) {
		pid_t child = fork();

		if (child == 0) {
			polled();
			kill(getpid(), SIGKILL);
		}
		waitpid(child, NULL, 0);
		return 0;
	}
	polled();
	if (!strcmp(way, "same"))
		same();
	if (!strcmp(way, "exec"))
		execlp("true", "true", (char *)NULL);
	if (!strcmp(way, "failing")) {
		execl("/nonexistent", "x", (char *)NULL);
		writes(500);
	}
	if (!strcmp(way, "spawning")) {
		pid_t child;
		char *argv_of[] = { "true", NULL };

		if (posix_spawnp(&child, "true", NULL, NULL, argv_of, NULL))
			return 1;
		waitpid(child, NULL, 0);
		writes(500);
	}
	if (!strcmp(way, "gone"))
		call(SYS_exit_group, 3, 0, 0);
	if (strcmp(way, "same") != 0)
		kill(getpid(), SIGKILL);
	return 0;
}
