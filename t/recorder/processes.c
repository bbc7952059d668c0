/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.c - processes that come about in roundabout ways: processes HOW NUMBER.
 * Each makes CHILD_CALLS calls on a file of its own, p-PID, or n-NUMBER where
 * several have the same pid.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CALLS 20

static int bad;
static const char *self;		/* to run it once more */

static void write_file(const char *prefix, int number)
{
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "%s-%d", prefix, number);
	fd = open(name, O_WRONLY | O_CREAT, 0644);
	for (int i = 0; i < CHILD_CALLS; i++)
		if (pwrite(fd, "abc", 3, 3 * i) != 3)
			_exit(80);
	close(fd);
}

static void work(void)
{
	write_file("p", (int)getpid());
}

static void reap(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		bad++;
}

static void commands(int n)
{
	char command[4200];

	snprintf(command, sizeof(command), "%s leaf; %s leaf", self, self);
	for (int k = 0; k < n; k++)
		bad += system(command) != 0;
}

static void pipes(int n)
{
	char command[4200], line[40];

	snprintf(command, sizeof(command), "%s leaf", self);
	for (int k = 0; k < n; k++) {
		FILE *from = popen(command, "r");

		if (!from || !fgets(line, sizeof(line), from) || strcmp(line, "leaf\n") != 0)
			bad++;
		if (!from || pclose(from))
			bad++;
	}
}

/* The child ends at once; its own child goes on when nobody waits for it any more. */
static void orphans(int n)
{
	int all_done[2];
	char c;

	if (pipe(all_done))
		exit(83);
	for (int k = 0; k < n; k++) {
		pid_t pid = fork();

		if (!pid) {
			pid_t parent = getpid();

			if (fork())
				_exit(0);
			while (getppid() == parent)
				sched_yield();
			work();
			_exit(0);
		}
		reap(pid);
	}
	close(all_done[1]);
	bad += read(all_done[0], &c, 1) != 0;
	work();
}

/* The child lives on as the program, the parent ends: its own parent waits for
   the last of them. */
static void relay(int n)
{
	int all_done[2];
	char c;

	if (pipe(all_done))
		exit(83);
	if (fork() == 0) {
		for (int k = 0; k < n; k++) {
			work();
			if (fork())
				_exit(0);
		}
		work();
		_exit(0);
	}
	close(all_done[1]);
	bad += read(all_done[0], &c, 1) != 0;
	while (wait(NULL) > 0)
		;
}

static int child_main(void *arg)
{
	(void)arg;
	work();
	_exit(0);
}

/* No memory is shared: like fork, but the child begins in a function. */
static void clones(int n)
{
	static char stack[1 << 16] __attribute__((aligned(16)));

	for (int k = 0; k < n; k++)
		reap(clone(child_main, stack + sizeof(stack), SIGCHLD, NULL));
}

/* So many at a time. */
static void bursts(int n, int at_a_time)
{
	char *leaf[] = { (char *)self, "leaf", NULL };
	pid_t pid[64];

	for (int k = 0; k < n; k += at_a_time) {
		for (int i = 0; i < at_a_time; i++) {
			pid[i] = fork();
			if (pid[i])
				continue;
			work();
			if (i % 2)
				execv(self, leaf);
			_exit(0);
		}
		for (int i = 0; i < at_a_time; i++)
			reap(pid[i]);
	}
}

/* --- fork in a handler ---------------------------------------------------- */

static volatile sig_atomic_t forks, most, is_child;
static volatile int fd;

/* Once: where a fork takes longer than that, nothing else would come to run. */
static void soon(long usec)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = usec }, NULL);
}

static void handler(int sig)
{
	int saved = errno;
	char name[40];
	pid_t pid;

	(void)sig;
	if (!is_child && forks < most) {
		pid = fork();
		if (pid > 0)
			forks++;
		if (pid == 0) {
			/* goes back to what the parent was doing, with a file of its own */
			is_child = 1;
			snprintf(name, sizeof(name), "p-%d", (int)getpid());
			fd = open(name, O_WRONLY | O_CREAT, 0644);
		}
		if (!is_child)
			soon(150);
	}
	errno = saved;
}

static void handlers(int n)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
	long parent = 0;
	int status;

	most = n;
	fd = open("main", O_WRONLY | O_CREAT, 0644);
	sigaction(SIGALRM, &sa, NULL);
	soon(150);
	while (forks < most) {
		/* a call that was under way is still the parent's: 2 bytes */
		if (pwrite(fd, "xy", 2, 2 * parent) == 2)
			parent++;
		if (is_child) {
			for (int i = 0; i < CHILD_CALLS; i++)
				if (pwrite(fd, "abc", 3, 3 * i) != 3)
					_exit(84);
			_exit(0);
		}
	}
	soon(0);
	while (wait(&status) > 0)
		bad += status != 0;
	printf("main %ld\n", parent);
}

static sigjmp_buf env;
static volatile sig_atomic_t reading;

/* Once it reads: on a busy machine the time may be over before. */
static void jump(int sig)
{
	(void)sig;
	if (reading)
		siglongjmp(env, 1);
	soon(1000);
}

/* A child that jumps out of a blocked call: fork is no longer around it. */
static void jumps(int n)
{
	int nowhere[2];
	char c;

	if (pipe(nowhere))
		exit(83);
	signal(SIGALRM, jump);
	for (int k = 0; k < n; k++) {
		pid_t pid = fork();

		if (!pid) {
			if (!sigsetjmp(env, 1)) {
				soon(1000);
				for (reading = 1;;)
					read(nowhere[0], &c, 1);
			}
			work();
			_exit(0);
		}
		reap(pid);
	}
	work();
}

/* --- pid namespaces ------------------------------------------------------- */

/* All of them have pid 1, each in a namespace of its own. */
static void same_pid(int n)
{
	pid_t pid[64];

	for (int k = 0; k < n; k++) {
		pid[k] = fork();
		if (pid[k])
			continue;
		if (unshare(CLONE_NEWPID))
			_exit(85);
		pid[k] = fork();
		if (!pid[k]) {
			if (getpid() != 1)
				_exit(86);
			write_file("n", k);
			_exit(0);
		}
		reap(pid[k]);
		_exit(bad);
	}
	for (int k = 0; k < n; k++)
		reap(pid[k]);
}

static int child_of_one(void *arg)
{
	static char stack[1 << 16] __attribute__((aligned(16)));
	int left = *(int *)arg;

	write_file("n", left);
	if (left--)
		reap(clone(child_of_one, stack + sizeof(stack), CLONE_NEWPID | SIGCHLD, &left));
	write_file("m", left + 1);
	_exit(bad || getpid() != 1);
}

/* A process 1 with a child that is process 1, and so on. */
static void nested_pid(int n)
{
	static char stack[1 << 16] __attribute__((aligned(16)));

	reap(clone(child_of_one, stack + sizeof(stack), CLONE_NEWPID | SIGCHLD, &n));
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;
	const char *how = argc > 1 ? argv[1] : "";

	self = argv[0];
	if (!strcmp(how, "system"))
		commands(n);
	else if (!strcmp(how, "popen"))
		pipes(n);
	else if (!strcmp(how, "orphans"))
		orphans(n);
	else if (!strcmp(how, "relay"))
		relay(n);
	else if (!strcmp(how, "clone"))
		clones(n);
	else if (!strcmp(how, "eight"))
		bursts(n, 8);
	else if (!strcmp(how, "handler"))
		handlers(n);
	else if (!strcmp(how, "jump"))
		jumps(n);
	else if (!strcmp(how, "same-pid"))
		same_pid(n);
	else if (!strcmp(how, "nested-pid"))
		nested_pid(n);
	else if (strcmp(how, "leaf") != 0)
		return 99;
	else
		work(), puts("leaf");
	printf("%d bad\n", bad);
	return bad != 0;
}
