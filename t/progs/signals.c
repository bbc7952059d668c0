/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c - calls that do not end the way they began: interrupted, restarted,
 * left by siglongjmp or cancellation; and handlers that do I/O themselves.
 * Nothing that is printed depends on timing: alarms go off until a call was
 * interrupted, and only the first one shows.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

static sigjmp_buf back;
static int fd[2], copy;
static volatile int depth, seen;
static sem_t reads;

static void say(const char *what)
{
	(void)!write(1, what, strlen(what));
}

/* again: after so much time more, and more, since the first may come before the call does */
static void alarms(long usec, long again)
{
	struct itimerval it = { { .tv_usec = again }, { .tv_usec = usec } };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void on_return(int sig)
{
	int e = errno;

	if (!seen++)
		say("handler returns\n");
	(void)sig;
	errno = e;
}

static void on_jump(int sig)
{
	(void)sig;
	say("handler jumps\n");
	siglongjmp(back, 1);
}

static void on_feed(int sig)
{
	(void)sig;
	if (seen++)
		return;
	say("handler feeds\n");
	(void)!write(fd[1], "f", 1);
}

static void on_deep(int sig)
{
	char name[32];
	int f;

	(void)sig;
	snprintf(name, sizeof(name), "deep-%d", depth++);
	f = open(name, O_RDWR | O_CREAT, 0600);
	if (depth < 4)
		raise(SIGUSR1);
	(void)!write(f, name, 5);
	close(f);
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &sa, NULL);
}

/* a call that alarms interrupt */
#define ALARMED(call) (seen = 0, alarms(30000, 30000), show(#call, (errno = 0, (call))), alarms(0, 0))
/* a call that an alarm leaves, from wherever it finds the program: a second one would, too */
#define LEFT(call) (alarms(30000, 0), show(#call, (errno = 0, (call))))

static void interrupted(void)
{
	struct pollfd p = { .fd = fd[0], .events = POLLIN };
	struct timespec ts = { .tv_sec = 5 };
	fd_set in;
	char c;

	handle(SIGALRM, on_return, 0);
	ALARMED(read(fd[0], &c, 1));
	handle(SIGALRM, on_feed, SA_RESTART);
	ALARMED(read(fd[0], &c, 1));
	handle(SIGALRM, on_return, SA_RESTART);
	ALARMED(poll(&p, 1, 5000));
	ALARMED(ppoll(&p, 1, &ts, NULL));
	FD_ZERO(&in);
	FD_SET(fd[0], &in);
	ALARMED(select(fd[0] + 1, &in, NULL, NULL, NULL));
	/* no handler: the kernel goes on as if nothing had been */
	handle(SIGALRM, on_feed, SA_RESTART);
	if (!fork()) {
		usleep(10000);
		_exit(0);
	}
	ALARMED(read(fd[0], &c, 1));
	wait(NULL);
}

static void jumps(void)
{
	volatile int i;
	char c;

	handle(SIGALRM, on_jump, 0);
	for (i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1)) {
			LEFT(read(fd[0], &c, 1));
		}
		SHOW(i);
		SHOW(write(fd[1], "x", 1));
		SHOW(read(fd[0], &c, 1));
	}
	/* out of stdio, with a lock held by nobody else */
	if (!sigsetjmp(back, 1)) {
		FILE *f = fdopen(copy = dup(fd[0]), "r");

		LEFT(fgetc(f));
	}
	SHOW(write(1, "on\n", 3));
	/* out of a handler that no call was interrupted by */
	handle(SIGUSR1, on_jump, 0);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	SHOW(close(-1));
}

static void cleanup(void *arg)
{
	say(arg);
}

static void *cancelled(void *arg)
{
	char c;

	pthread_cleanup_push(cleanup, "cleanup\n");
	(void)!write(fd[1], "r", 1);
	(void)!read(fd[0], &c, 1);
	sem_post(&reads);
	(void)!read(fd[0], &c, 1);
	pthread_cleanup_pop(0);
	return arg;
}

static void *spinning(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&reads);
	for (;;)
		(void)!read(fd[0], arg, 1);
	return NULL;
}

/* the thread's next call is the one that it is to be cancelled in, however late it began */
static void wait_for_thread(void)
{
	while (sem_wait(&reads))
		;
	usleep(30000);
}

static void cancels(void)
{
	pthread_t t;
	void *ret;
	char c;

	sem_init(&reads, 0, 0);
	CODE(pthread_create(&t, NULL, cancelled, NULL));
	wait_for_thread();
	CODE(pthread_cancel(t));
	CODE(pthread_join(t, &ret));
	SHOW(ret == PTHREAD_CANCELED);
	CODE(pthread_create(&t, NULL, spinning, &c));
	wait_for_thread();
	CODE(pthread_cancel(t));
	CODE(pthread_join(t, &ret));
	SHOW(ret == PTHREAD_CANCELED);
}

static void stacks(void)
{
	static char space[65536];
	stack_t alt = { .ss_sp = space, .ss_size = sizeof(space) };

	sigaltstack(&alt, NULL);
	handle(SIGUSR1, on_deep, SA_NODEFER);
	raise(SIGUSR1);
	depth = 0;
	handle(SIGUSR1, on_deep, SA_NODEFER | SA_ONSTACK);
	raise(SIGUSR1);
	SHOW(depth);
	handle(SIGUSR1, on_jump, SA_ONSTACK);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	SHOW(write(1, "from the alternate stack\n", 25));
}

static int recurse(int n)
{
	volatile char pad[1000];

	pad[0] = (char)n;
	if (n == 0)
		return (int)write(1, "deep\n", 5);
	if (n % 100 == 0)
		return recurse(n - 1) + (int)lseek(fd[0], 0, SEEK_CUR) + pad[0];
	return recurse(n - 1) + pad[0] * 0;
}

int main(void)
{
	SHOW(pipe(fd));
	interrupted();
	jumps();
	cancels();
	stacks();
	OK(recurse(5000));
	handle(SIGPIPE, SIG_IGN, 0);
	close(fd[0]);
	close(copy);
	SHOW(write(fd[1], "x", 1));
	fflush(stdout);
	handle(SIGPIPE, SIG_DFL, 0);
	(void)!write(fd[1], "x", 1);
	return 0;
}
