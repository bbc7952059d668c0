/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix.c SEED N [all] - POSIX AIO: each way to issue, to wait for, to be told of, to cancel and to
 * collect a request, then N random requests.
 *
 * A line for each request that libc took, once the program is through with it: operation, bytes
 * asked for, offset, result, and whether it was collected.  all: there are none but such.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS 12
#define SIZE  8192

static struct slot {
	struct aiocb cb;
	char what[12];			/* "": free */
	int collects, collected;	/* whoever is told of the end collects it; and has done so */
	int err;
	long ret;
	char data[SIZE];
} slots[SLOTS];
static int notified, expected;

static void die(const char *what)
{
	fprintf(stderr, "posix: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* In a signal's handler, or a thread that libc made for it. */
static void told(struct slot *s)
{
	if (s->collects) {
		s->err = aio_error(&s->cb);
		s->ret = aio_return(&s->cb);
		__atomic_store_n(&s->collected, 1, __ATOMIC_RELEASE);
	}
	__atomic_fetch_add(&notified, 1, __ATOMIC_SEQ_CST);
}

static void by_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	told(info->si_value.sival_ptr);
}

static void by_thread(union sigval value)
{
	told(value.sival_ptr);
}

static struct slot *fill(struct slot *s, int fd, int op, size_t size, off_t offset, int how)
{
	memset(&s->cb, 0, sizeof(s->cb));
	s->cb.aio_fildes = fd;
	s->cb.aio_lio_opcode = op;
	s->cb.aio_buf = s->data;
	s->cb.aio_nbytes = size;
	s->cb.aio_offset = offset;
	s->cb.aio_sigevent.sigev_notify = how;
	s->cb.aio_sigevent.sigev_signo = SIGRTMIN;
	s->cb.aio_sigevent.sigev_value.sival_ptr = s;
	s->collects = s->collected = 0;
	if (how == SIGEV_THREAD)
		s->cb.aio_sigevent.sigev_notify_function = by_thread;
	/* libc knows nothing of SIGEV_THREAD_ID here, and tells nobody */
	expected += how == SIGEV_SIGNAL || how == SIGEV_THREAD;
	strcpy(s->what, op == LIO_READ ? "pread" : op == LIO_WRITE ? "pwrite" : "fsync");
	return s;
}

static void say(struct slot *s, long result, const char *end)
{
	if (s->what[0] == 'p')
		printf("%s %zu %lld %ld %s\n", s->what, s->cb.aio_nbytes, (long long)s->cb.aio_offset, result, end);
	else
		printf("%s 0 - %ld %s\n", s->what, result, end);
	s->what[0] = '\0';
}

static void collect(struct slot *s)
{
	int err = aio_error(&s->cb);
	long ret;

	if (err == EINPROGRESS)
		die("collected too early");
	ret = aio_return(&s->cb);
	if ((ret < 0) != (err != 0))
		die("aio_return");
	say(s, err ? -err : ret, "collected");
}

static void wait_for(struct slot *s)
{
	const struct aiocb *list[3] = { NULL, &s->cb, NULL };

	while (aio_suspend(list, 3, NULL))
		if (errno != EINTR)
			die("aio_suspend");
}

static void issue(struct slot *s)
{
	if (s->what[0] == 'f' ? aio_fsync(O_SYNC, &s->cb) : s->what[1] == 'r' ? aio_read(&s->cb) : aio_write(&s->cb))
		die("issue");
}

/* Those that libc does not take are no requests. */
static void refused(int fd)
{
	struct slot *s = fill(&slots[0], fd, LIO_WRITE, 10, 0, SIGEV_NONE);

	s->cb.aio_reqprio = -1;
	if (!aio_write(&s->cb) || errno != EINVAL)
		die("a bad priority");
	if (!aio_fsync(12345, &s->cb) || errno != EINVAL)
		die("a bad operation");
	s->cb.aio_fildes = 1000;
	if (!aio_fsync(O_SYNC, &s->cb) || errno != EBADF)
		die("a bad descriptor");
	s->what[0] = '\0';
}

/* Errors of the call that a helper makes. */
static void errors(int fd)
{
	issue(fill(&slots[0], 1000, LIO_WRITE, 10, 0, SIGEV_NONE));
	issue(fill(&slots[1], fd, LIO_READ, 10, -5, SIGEV_NONE));
	issue(fill(&slots[2], fd, LIO_READ, 10, 1 << 30, SIGEV_NONE));
	for (int i = 0; i < 3; i++) {
		wait_for(&slots[i]);
		collect(&slots[i]);
	}
}

/* A helper waits for the pipe; what waits behind it can be cancelled. */
static void cancel(void)
{
	int p[2];

	if (pipe(p))
		die("pipe");
	for (int i = 0; i < 4; i++)
		issue(fill(&slots[i], p[0], LIO_READ, 5, 0, SIGEV_NONE));
	/* until the helper has begun with the first */
	while (aio_cancel(p[0], &slots[3].cb) != AIO_CANCELED)
		;
	wait_for(&slots[3]);
	collect(&slots[3]);
	if (write(p[1], "12345", 5) != 5)
		die("write");
	wait_for(&slots[0]);
	collect(&slots[0]);
	/* the second is begun now or soon */
	while (aio_cancel(p[0], NULL) == AIO_CANCELED)
		;
	if (write(p[1], "123", 3) != 3)
		die("write");
	for (int i = 1; i < 3; i++) {
		wait_for(&slots[i]);
		collect(&slots[i]);
	}
	close(p[0]);
	close(p[1]);
}

static void lists(int fd)
{
	struct aiocb *list[6] = { NULL };

	for (int i = 0; i < 4; i++)
		list[i + (i > 1)] = &fill(&slots[i], fd, i % 2 ? LIO_READ : LIO_WRITE, 100 + i, i * 1000, SIGEV_NONE)->cb;
	fill(&slots[3], fd, LIO_NOP, 0, 0, SIGEV_NONE)->what[0] = '\0';
	if (lio_listio(LIO_WAIT, list, 6, NULL))
		die("lio_listio");
	for (int i = 0; i < 3; i++)
		collect(&slots[i]);
	for (int i = 0; i < 3; i++)
		fill(&slots[i], fd, LIO_READ, 100 + i, i * 1000, SIGEV_NONE);
	slots[1].cb.aio_fildes = 1000;
	if (!lio_listio(LIO_WAIT, list, 6, NULL) || errno != EIO)
		die("lio_listio with a bad descriptor");
	for (int i = 0; i < 3; i++)
		collect(&slots[i]);
	for (int i = 0; i < 3; i++)
		fill(&slots[i], fd, LIO_WRITE, 50 + i, i * 10, SIGEV_NONE);
	if (lio_listio(LIO_NOWAIT, list, 6, NULL))
		die("lio_listio without waiting");
	for (int i = 2; i >= 0; i--) {
		wait_for(&slots[i]);
		collect(&slots[i]);
	}
}

/* A child that has nothing to do with what is in flight. */
static void fork_in_flight(int fd)
{
	int status;
	pid_t child;

	issue(fill(&slots[0], fd, LIO_WRITE, 777, 20000, SIGEV_NONE));
	child = fork();
	if (!child)
		_exit(0);
	if (waitpid(child, &status, 0) != child || status)
		die("fork");
	wait_for(&slots[0]);
	collect(&slots[0]);
}

/* Whoever is told of the end calls aio_return() at once, while others go on. */
static void collect_when_told(int fd)
{
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < SLOTS; i++) {
			struct slot *s = fill(&slots[i], fd, i % 3 ? LIO_WRITE : LIO_READ, 1000 + i, i * 2000,
					      i % 2 ? SIGEV_SIGNAL : SIGEV_THREAD);

			s->collects = 1;
			issue(s);
		}
		for (int i = 0; i < SLOTS; i++) {
			while (!__atomic_load_n(&slots[i].collected, __ATOMIC_ACQUIRE))
				sched_yield();
			say(&slots[i], slots[i].err ? -slots[i].err : slots[i].ret, "collected");
		}
	}
}

/* Nobody calls aio_return(), and the block is used again; then for good. */
static void leave(int fd)
{
	struct slot *s = &slots[0];

	for (int i = 0; i < 3; i++) {
		fill(s, fd, LIO_WRITE, 300 + i, 5000, SIGEV_NONE);
		issue(s);
		while (aio_error(&s->cb) == EINPROGRESS)
			sched_yield();
		say(s, s->cb.aio_nbytes, "left");
	}
}

static struct slot *random_slot(void)
{
	return &slots[rand() % SLOTS];
}

static void some(int fd, int n)
{
	static const int hows[] = { SIGEV_NONE, SIGEV_SIGNAL, SIGEV_THREAD, SIGEV_THREAD_ID };

	while (n) {
		struct slot *s = random_slot();

		if (s->what[0]) {
			if (rand() % 2)
				wait_for(s);
			if (aio_error(&s->cb) != EINPROGRESS)
				collect(s);
			continue;
		}
		fill(s, fd, rand() % 9 ? rand() % 2 ? LIO_READ : LIO_WRITE : LIO_NOP, rand() % SIZE, rand() % 50000,
		     hows[rand() % 4]);
		issue(s);
		n--;
	}
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].what[0]) {
			wait_for(&slots[i]);
			collect(&slots[i]);
		}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = by_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
	int fd = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (argc < 3 || fd < 0 || sigaction(SIGRTMIN, &action, NULL))
		die("start");
	srand(atoi(argv[1]));
	refused(fd);
	errors(fd);
	cancel();
	lists(fd);
	fflush(stdout);
	fork_in_flight(fd);
	collect_when_told(fd);
	if (argc == 3)
		leave(fd);
	some(fd, atoi(argv[2]));
	while (__atomic_load_n(&notified, __ATOMIC_SEQ_CST) < expected)
		sched_yield();
	return 0;
}
