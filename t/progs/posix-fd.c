/* SPDX-License-Identifier: BSD-3-Clause */
/* posix-fd.c - descriptors: copies, flags, and those that are not files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <sys/pidfd.h>
#endif
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void copies(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int i;

	SHOW(dup(fd));
	SHOW(dup(-1));
	SHOW(dup2(fd, 20));
	SHOW(dup2(20, 20));
	SHOW(dup2(99, 99));
	SHOW(dup2(99, 20));
	SHOW(dup3(fd, 21, O_CLOEXEC));
	SHOW(dup3(fd, fd, 0));
	SHOW(fcntl(fd, F_DUPFD, 30));
	SHOW(fcntl(fd, F_DUPFD_CLOEXEC, 30));
	SHOW(fcntl(fd, F_GETFD));
	SHOW(fcntl(fd, F_SETFD, FD_CLOEXEC));
	SHOW(fcntl(fd, F_GETFL));
	SHOW(fcntl(fd, F_SETFL, O_APPEND));
	SHOW(fcntl(fd, F_SETLK, &lock));
	SHOW(fcntl(fd, F_SETLKW, &lock));
	SHOW(fcntl(fd, F_GETLK, &lock));
	SHOW(fcntl(fd, F_OFD_SETLK, &lock));
	SHOW(fcntl(fd, F_GETOWN));
	GNU(SHOW(fcntl64(fd, 999, 0)));
	SHOW(fcntl(-1, F_GETFL));
	SHOW(write(20, "via a copy", 10));
	SHOW(lseek(fd, 0, SEEK_CUR));
	/* as many as a daemon closes */
	for (i = 3; i < 200; i++)
		close(i);
}

static void specials(void)
{
	struct itimerspec soon = { .it_value = { .tv_nsec = 1000000 } }, was;
	struct epoll_event ev = { .events = EPOLLIN };
	struct timespec ts = { .tv_nsec = 1000 };
	sigset_t set;
	uint64_t n = 3;
	char buf[512];
	int fd, ep, ino;

	fd = SHOW(eventfd(0, 0));
	SHOW(eventfd(0, 0x12345));
	SHOW(write(fd, &n, 8));
	SHOW(read(fd, &n, 8));
	SHOW(eventfd_write(fd, 1));
	ep = SHOW(epoll_create1(EPOLL_CLOEXEC));
	GNU(SHOW(epoll_create(1)));
	GNU(SHOW(epoll_create(0)));
	SHOW(epoll_create1(77));
	SHOW(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev));
	SHOW(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev));
	SHOW(epoll_wait(ep, &ev, 1, -1));
	SHOW(epoll_wait(ep, &ev, 0, -1));
	SHOW(epoll_pwait(ep, &ev, 1, 0, NULL));
	GNU(SHOW(epoll_pwait2(ep, &ev, 1, &ts, NULL)));
	GNU(SHOW(epoll_pwait2(fd, &ev, 1, &ts, NULL)));
	fd = SHOW(timerfd_create(CLOCK_MONOTONIC, 0));
	SHOW(timerfd_create(99, 0));
	SHOW(timerfd_settime(fd, 0, &soon, NULL));
	SHOW(read(fd, &n, 8));
	SHOW(timerfd_gettime(fd, &was));
	SHOW(timerfd_gettime(ep, &was));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = SHOW(signalfd(-1, &set, SFD_CLOEXEC));
	SHOW(signalfd(ep, &set, 0));
	raise(SIGUSR1);
	SHOW(read(fd, buf, sizeof(buf)));
	ino = SHOW(inotify_init1(IN_NONBLOCK));
	GNU(SHOW(inotify_init()));
	SHOW(inotify_add_watch(ino, "f", IN_MODIFY));
	SHOW(inotify_add_watch(ino, "missing", IN_MODIFY));
	/* what is about a path is, also by a descriptor that is none */
	SHOW(inotify_add_watch(99, "missing", IN_MODIFY));
	SHOW(truncate("f", 0));
	OK(read(ino, buf, sizeof(buf)));
	SHOW(inotify_rm_watch(ino, 1));
	SHOW(inotify_rm_watch(ino, 77));
	fd = OK(fanotify_init(FAN_CLASS_NOTIF, O_RDONLY));
	OK(fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "missing"));
	OK(fanotify_init(0x12345678, O_RDONLY));
	fd = SHOW(memfd_create("scratch", MFD_CLOEXEC));
	SHOW(memfd_create("scratch", 0x80));
	SHOW(write(fd, "x", 1));
	GNU(fd = SHOW(pidfd_open(getpid(), 0)));
	GNU(SHOW(pidfd_open(-1, 0)));
	GNU(SHOW(pidfd_getfd(fd, 1, 0)));
	GNU(SHOW(pidfd_getfd(-1, 1, 0)));
	GNU(SHOW(pidfd_send_signal(fd, 0, NULL, 0)));
	GNU(SHOW(pidfd_send_signal(-1, 0, NULL, 0)));
	SHOW(setns(-1, CLONE_NEWNS));
	SHOW(setns(fd, 0x40));
	SHOW(unshare(0));
	SHOW(unshare(CLONE_FS));
	SHOW(unshare(0x40));
}

static void queues(void)
{
	struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 64 };
	struct timespec past = { 0 };
	char name[64], buf[64];
	unsigned int prio;
	mqd_t q;

	snprintf(name, sizeof(name), "/iotrace-test-%ld", (long)getpid());
	q = SHOW(mq_open(name, O_RDWR | O_CREAT, 0600, &attr));
	SHOW(mq_open("/iotrace-missing", O_RDWR));
	/* glibc does not ask the kernel */
	GNU(SHOW(mq_open("no-slash", O_RDWR)));
	GNU(SHOW(mq_unlink("")));
	if (q >= 0) {
		SHOW(mq_send(q, "hello", 5, 1));
		SHOW(mq_timedsend(q, "hello", 5, 1, &past));
		SHOW(mq_receive(q, buf, sizeof(buf), &prio));
		SHOW(mq_timedreceive(q, buf, sizeof(buf), NULL, &past));
		SHOW(mq_timedreceive(q, buf, sizeof(buf), NULL, &past));
		SHOW(mq_getattr(q, &attr));
		attr.mq_flags = O_NONBLOCK;
		SHOW(mq_setattr(q, &attr, NULL));
		SHOW(mq_receive(q, buf, sizeof(buf), NULL));
		SHOW(mq_notify(q, NULL));
		SHOW(mq_close(q));
	}
	SHOW(mq_unlink(name));
	SHOW(mq_unlink(name));
	SHOW(mq_close(-1));
	SHOW(mq_getattr(-1, &attr));
}

static void terminals(void)
{
	int master = OK(posix_openpt(O_RDWR | O_NOCTTY));
	struct termios tio;
	int n, fd;

	if (master < 0)
		return;
	OK(grantpt(master));
	OK(unlockpt(master));
	fd = OK(open(ptsname(master), O_RDWR | O_NOCTTY));
	SHOW(isatty(fd));
	SHOW(isatty(master));
	SHOW(isatty(-1));
	SHOW(isatty(open("f", O_RDONLY)));
	SHOW(tcgetattr(fd, &tio));
	tio.c_lflag &= ~ECHO;
	SHOW(tcsetattr(fd, TCSANOW, &tio));
	SHOW(tcsetattr(fd, 99, &tio));
	SHOW(tcgetattr(-1, &tio));
	SHOW(tcdrain(fd));
	SHOW(write(fd, "ab", 2));
	SHOW(ioctl(master, FIONREAD, &n));
	SHOW(ioctl(-1, FIONREAD, &n));
	SHOW(ioctl(fd, 0x1234, &n));
}

static void raw(void)
{
	SHOW(syscall(SYS_write, 1, "", 0));
	SHOW(syscall(SYS_close, -1));
	SHOW(syscall(SYS_openat, AT_FDCWD, "missing", O_RDONLY, 0));
	OK(syscall(SYS_gettid));
	/* I/O that the table has no row for */
	SHOW(syscall(SYS_io_setup, 0, NULL));
	SHOW(syscall(SYS_dup3, 1, 1, 0, 0, 0, 0));
}

int main(void)
{
	copies();
	specials();
	queues();
	terminals();
	raw();
	return 0;
}
