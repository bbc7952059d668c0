/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel.c - threads that are cancelled wherever they may be, by the hundred.  Says
 * what it sees; that has to be the same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

#define TIMES 60

static int null, fds[2], listener, n_cleaned;
static sem_t never, begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void do_write(void) { if (write(null, "x", 1) != 1) _exit(90); }
static void do_open(void) { close(open("/dev/null", O_RDONLY)); }
static void do_sync(void) { fsync(null); }
static void do_read(void) { char c; if (read(fds[0], &c, 1) != 1) _exit(91); }
static void do_pause(void) { pause(); }
static void do_poll(void) { struct pollfd p = { .fd = fds[0], .events = POLLIN }; poll(&p, 1, -1); }
static void do_accept(void) { accept(listener, NULL, NULL); }
static void do_sem(void) { sem_wait(&never); }
static void do_sleep(void) { nanosleep(&(struct timespec){ .tv_sec = 1000 }, NULL); }
static void do_naps(void) { nanosleep(&(struct timespec){ 0, 1 }, NULL); }

static void do_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	select(fds[0] + 1, &set, NULL, NULL, NULL);
}

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void do_cond(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(1);
}

static struct aiocb asked = { .aio_nbytes = 1 };

static void do_aio(void)
{
	const struct aiocb *list[] = { &asked };

	aio_suspend(list, 1, NULL);
}

static const struct {
	const char *name;
	void (*does)(void);
} points[] = {
	{ "write", do_write }, { "open", do_open }, { "fsync", do_sync }, { "read", do_read },
	{ "pause", do_pause }, { "poll", do_poll }, { "select", do_select }, { "accept", do_accept },
	{ "sem_wait", do_sem }, { "pthread_cond_wait", do_cond }, { "nanosleep", do_sleep },
	{ "short nanosleep", do_naps }, { "aio_suspend", do_aio },
};

static void clean(void *arg)
{
	(void)arg;
	__atomic_fetch_add(&n_cleaned, 1, __ATOMIC_SEQ_CST);
	/* it is a thread as any other yet */
	if (write(null, "c", 1) != 1)
		_exit(92);
}

static void *run(void *arg)
{
	pthread_cleanup_push(clean, NULL);
	sem_post(&begun);
	for (;;)
		points[*(const size_t *)arg].does();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *run_async(void *arg)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_cleanup_push(clean, NULL);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	sem_post(&begun);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	for (;;)
		points[*(const size_t *)arg].does();
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancel(size_t point, void *(*run_it)(void *), const char *how)
{
	int cancelled = 0;

	n_cleaned = 0;
	for (int i = 0; i < TIMES; i++) {
		pthread_t thread;
		void *ret = NULL;

		if (pthread_create(&thread, NULL, run_it, &point))
			_exit(93);
		while (sem_wait(&begun))
			;
		nanosleep(&(struct timespec){ 0, i % 7 * 30000 }, NULL);
		pthread_cancel(thread);
		pthread_join(thread, &ret);
		cancelled += ret == PTHREAD_CANCELED;
	}
	say("%s, %s: %d cancelled, %d cleaned", points[point].name, how, cancelled, n_cleaned);
}

int main(void)
{
	struct sockaddr_un any = { .sun_family = AF_UNIX };

	null = open("/dev/null", O_WRONLY);
	sem_init(&never, 0, 0);
	sem_init(&begun, 0, 0);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (null < 0 || pipe(fds) || bind(listener, (struct sockaddr *)&any, sizeof(sa_family_t)) || listen(listener, 1))
		return 99;
	asked.aio_fildes = fds[0];
	asked.aio_buf = &(char){ 0 };
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		if (points[i].does == do_aio && aio_read(&asked))
			return 98;
		cancel(i, run, "deferred");
	}
	/* what POSIX does not promise, and works */
	cancel(0, run_async, "at once");
	cancel(3, run_async, "at once");
	return 0;
}
