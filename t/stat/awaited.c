/* SPDX-License-Identifier: BSD-3-Clause */
/* awaited.c - reads that wait for what happens: timers, events, signals, names, a terminal, a
   message of another thread; and reads and writes that wait for nobody. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>

static int event, terminal, queue;

/* Everything that the reads wait for, each a moment after the other. */
static void *happen(void *arg)
{
	const struct { long type; char text; } message = { 1, 'x' };

	usleep(3000);
	eventfd_write(event, 1);
	usleep(3000);
	close(open("seen", O_CREAT | O_WRONLY, 0600));
	usleep(3000);
	kill(getpid(), SIGUSR1);
	usleep(3000);
	if (write(terminal, "x\n", 2) != 2)
		abort();
	usleep(3000);
	msgsnd(queue, &message, 1, 0);
	return arg;
}

static void some(int fd, size_t n)
{
	char buf[4096];

	if (read(fd, buf, n) <= 0)
		err(1, "read");
}

int main(void)
{
	struct itimerspec soon = { .it_value.tv_nsec = 3000000 };
	struct { long type; char text; } message;
	int timer, signals, names, slave, zero, file;
	pthread_t thread;
	sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	event = eventfd(0, 0);
	signals = signalfd(-1, &usr1, 0);
	names = inotify_init();
	inotify_add_watch(names, ".", IN_CREATE);
	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (grantpt(terminal) || unlockpt(terminal))
		err(1, "terminal");
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	queue = msgget(IPC_PRIVATE, 0600);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	timerfd_settime(timer, 0, &soon, NULL);
	some(timer, 8);
	pthread_create(&thread, NULL, happen, NULL);
	some(event, 8);
	some(names, 4096);
	some(signals, 4096);
	some(slave, 4096);
	if (msgrcv(queue, &message, 1, 0, 0) < 0)
		err(1, "msgrcv");
	zero = open("/dev/zero", O_RDONLY);
	some(zero, 99);
	file = open("file", O_CREAT | O_RDWR, 0600);
	if (write(file, "some", 4) != 4)
		err(1, "write");
	pthread_join(thread, NULL);
	msgctl(queue, IPC_RMID, NULL);
	return 0;
}
