/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logfd.c - the log's descriptor, which is to keep out of the program's way.
 *
 * A program is given the lowest number that is free.  The log's is above all of its
 * numbers, and moves on before the program comes there: so it finds the numbers that it
 * would find without us, as many as its limit allows.  It is not higher than need be,
 * since the kernel has a table up to the highest that is in use, which every fork copies.
 * Where the program's limit is low it is just beyond that, so that programs which look at
 * each number that there may be don't see it.
 * Where there is no number above the program's that we could have, none is kept: the log
 * is opened whenever it is written.
 *
 * Programs close all of their descriptors, or put another over ours.  The wrappers of
 * close and dup2 step around it, and before each use the kernel is asked if it still is
 * the log.  If not, the log is opened again by name: in a program that has threads by a task
 * with descriptors of its own (lend.c), for each use, so that no thread sees it.
 *
 * t/model/fd.pml models how it moves while others use it.
 */
#include "logfd.h"

#include "desc.h"
#include "iotrace-format.h"
#include "lend.h"
#include "sys.h"

#include <limits.h>
#include <string.h>
#include <sys/resource.h>

/* 127, 511, 2047 and so on: as large as the kernel's table is anyway.  Not 63 and 255, from
   which bash looks downwards for a number that is free, and shows it: <(COMMAND) is
   /dev/fd/63. */
#define LOWEST 127
/* The program's calls are not all seen. */
#define LOWEST_UNSEEN 16383
/* As far as a limit may be for the kernel's table not to be large: 8 bytes for each. */
#define FEW 4096
/* How near it may come.  A message brings 253 descriptors at most. */
#define MARGIN 256

int iot_log_near = INT_MAX;
char iot_log_path[4096 + 512];

/* Two, since one may yet be in use when the log has moved on to the other.  -1: there is
   none.  iot_each.log_users: threads that use it, for a moment also those that find that it
   is not the current one; RETIRED */
static int fds[2] = { -1, -1 };
#define RETIRED 0x80000000u		/* to be closed when nobody uses it */
static uint32_t current;		/* the one that is used from now on */
static uint32_t moving;			/* a thread is about to change that */
static dev_t log_dev;
static ino_t log_ino;

static int fd_at(uint32_t slot)
{
	return __atomic_load_n(&fds[slot], __ATOMIC_SEQ_CST);
}

static bool is_log(int fd)
{
	struct stat st;

	return fd >= 0 && iot_sys_fstat(fd, &st) == 0 && st.st_dev == log_dev &&
	       st.st_ino == log_ino;
}

bool iot_log_owns(int fd)
{
	/* a number that was lost may have become the program's */
	return fd >= 0 && (fd == fd_at(0) || fd == fd_at(1)) && is_log(fd);
}

int iot_log_fd(void)
{
	return fd_at(__atomic_load_n(&current, __ATOMIC_SEQ_CST));
}

/* --- where it is ------------------------------------------------------------ */

static int margin(int at)
{
	return at / 2 < MARGIN ? at / 2 : MARGIN;
}

/* A copy of fd at a number that the program can't have: its limit is raised for a
   moment.  Privileged processes may go beyond the hard limit, too. */
static int beyond(int fd, int at, const struct rlimit *limit)
{
	struct rlimit raised = { (rlim_t)at + 1, limit->rlim_max };
	int to;

	if (raised.rlim_max < raised.rlim_cur)
		raised.rlim_max = raised.rlim_cur;
	if (iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, &raised, (void *)NULL) < 0)
		return -EPERM;
	to = iot_sys_fcntl(fd, F_DUPFD_CLOEXEC, at);
	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, limit, (void *)NULL);
	return to;
}

/* No number that the program can have, as its limit is now. */
static bool is_beyond(int at)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, (void *)NULL, &limit);
	return at >= 0 && (rlim_t)at >= limit.rlim_cur;
}

/* A copy of fd above the numbers up to reached, which the program has; -1 if there is no
   place. */
static int place(int fd, int reached)
{
	const uint32_t all = 1u << IOT_POSIX | 1u << IOT_STDIO | 1u << IOT_DIR | 1u << IOT_NET;
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	int at = (iot_whole & all) == all ? LOWEST : LOWEST_UNSEEN, to;

	/* to be moved it has to be closed */
	if (!iot_sys_allowed(SYS_close))
		return -1;
	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_NOFILE, (void *)NULL, &limit);
	/* some programs look at each number that there may be */
	if (limit.rlim_cur <= FEW) {
		to = beyond(fd, (int)limit.rlim_cur, &limit);
		if (to >= 0)
			return to;
	}
	for (; at < 1 << 28; at = at * 4 + 3) {
		if (at - margin(at) <= reached)
			continue;
		if ((rlim_t)at >= limit.rlim_cur)
			return beyond(fd, at, &limit);
		to = iot_sys_fcntl(fd, F_DUPFD_CLOEXEC, at);
		if (to >= 0)
			return to;
	}
	return -1;
}

/* Whoever comes last closes it. */
static void try_to_close(uint32_t slot)
{
	uint32_t nobody = RETIRED;

	if (!__atomic_compare_exchange_n(&iot_each.log_users[slot], &nobody, 0, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		return;
	/* the program may have closed it meanwhile, and have the number */
	if (is_log(fd_at(slot)))
		iot_sys_close(fd_at(slot));
	__atomic_store_n(&fds[slot], -1, __ATOMIC_SEQ_CST);
}

/* A child in its parent's memory has descriptors of its own: the numbers here are its
   parent's. */
static bool begin_move(uint32_t *other)
{
	uint32_t none = 0;

	if ((uint32_t)iot_sys_getpid() != iot_each.pid ||
	    !__atomic_compare_exchange_n(&moving, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	*other = 1 - current;
	if (fd_at(*other) < 0 && !__atomic_load_n(&iot_each.log_users[*other], __ATOMIC_SEQ_CST))
		return true;
	__atomic_store_n(&moving, 0, __ATOMIC_RELEASE);
	return false;
}

/* From now on it is fd; -1: none is kept.  close: what it was is still ours. */
static void end_move(uint32_t other, int fd, bool close)
{
	const uint32_t was = current;

	__atomic_store_n(&fds[other], fd, __ATOMIC_SEQ_CST);
	__atomic_store_n(&iot_log_near, fd < 0 ? INT_MAX : fd - margin(fd), __ATOMIC_RELAXED);
	__atomic_store_n(&current, other, __ATOMIC_SEQ_CST);
	if (close)
		__atomic_fetch_or(&iot_each.log_users[was], RETIRED, __ATOMIC_SEQ_CST);
	else
		__atomic_store_n(&fds[was], -1, __ATOMIC_SEQ_CST);
	try_to_close(was);
	__atomic_store_n(&moving, 0, __ATOMIC_RELEASE);
}

/* The program has come as far as fd, or is about to ask for that number. */
IOT_COLD void iot_log_avoid(int fd)
{
	uint64_t signals;
	uint32_t other;
	int was;

	if (is_beyond(iot_log_fd()))
		return;
	signals = iot_sys_block_signals();
	if (begin_move(&other)) {
		was = fd_at(current);
		if (fd >= __atomic_load_n(&iot_log_near, __ATOMIC_RELAXED) && is_log(was))
			end_move(other, place(was, fd), true);
		else
			__atomic_store_n(&moving, 0, __ATOMIC_RELEASE);
	}
	iot_sys_restore_signals(signals);
}

/* Numbers above the log's are no matter. */
void iot_log_before_fcntl(int cmd, long arg)
{
	if ((cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC) && arg >= __atomic_load_n(&iot_log_near, __ATOMIC_RELAXED) &&
	    arg <= iot_log_fd())
		iot_log_avoid((int)arg);
}

/* A message may bring many at once. */
void iot_log_before_rights(void)
{
	int at = iot_log_fd();

	if (iot_unlikely(at >= 0 && margin(at) < MARGIN - 1))
		iot_log_avoid(MARGIN);
}

/* The program may be given so many numbers by one call. */
IOT_COLD void iot_log_make_room(uint32_t n)
{
	int at = iot_log_fd(), fd = at;
	uint32_t room = 0;

	while (fd > 0 && room < n)
		room += iot_sys_fcntl(--fd, F_GETFD, 0) == -EBADF;
	if (at >= 0 && room < n)
		iot_log_avoid(at + (int)(n - room));
}

/* The program is about to take that number for itself. */
void iot_log_dup2(int fd)
{
	if (is_beyond(fd) || !iot_log_owns(fd))
		return;
	iot_log_avoid(fd);
	/* who is still writing by the old number must not write into another file */
	for (int i = 0; i < 100000 && iot_log_owns(fd); i++)
		iot_syscall(SYS_sched_yield);
}

/* --- its use ---------------------------------------------------------------- */

/* Whatever has taken the log's name, to open it must have no effect. */
static int open_by_name(void)
{
	int fd = iot_sys_openat(AT_FDCWD, iot_log_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	if (fd >= 0 && !is_log(fd)) {
		iot_sys_close(fd);
		fd = -1;
	}
	return fd;
}

static struct iot_log_use open_again(uint32_t lost)
{
	struct iot_log_use use = { open_by_name(), -1 };
	uint32_t other;
	int kept;

	if (use.fd < 0 || !begin_move(&other))
		return use;
	kept = current == lost ? place(use.fd, use.fd) : -1;
	if (kept < 0) {
		__atomic_store_n(&moving, 0, __ATOMIC_RELEASE);
		return use;
	}
	iot_sys_close(use.fd);
	__atomic_fetch_add(&iot_each.log_users[other], 1, __ATOMIC_SEQ_CST);
	/* the number that was lost is not ours to close */
	end_move(other, kept, false);
	return (struct iot_log_use){ kept, (int)other };
}

/* The descriptor that is kept, until iot_log_used; none if it has been lost, slot being that of
   the lost one. */
static struct iot_log_use kept(void)
{
	for (;;) {
		uint32_t at = __atomic_load_n(&current, __ATOMIC_SEQ_CST);
		struct iot_log_use use = { -1, (int)at };

		__atomic_fetch_add(&iot_each.log_users[at], 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&current, __ATOMIC_SEQ_CST) != at) {
			iot_log_used(use);
			continue;
		}
		/* not before: it may have been another number when that was retired */
		use.fd = fd_at(at);
		if (!is_log(use.fd)) {
			iot_log_used(use);
			use.fd = -1;
		}
		return use;
	}
}

/* A job for somebody who opens the log by its name. */
struct elsewhere {
	iot_log_job *job;
	void *arg;
	long result;
};

static void do_elsewhere(void *p)
{
	struct elsewhere *e = p;
	int fd = open_by_name();

	if (fd < 0)
		return;
	e->result = e->job(fd, e->arg);
	iot_sys_close(fd);
}

/* If the descriptor has been lost, and the program has threads, it stays lost: an open that they
   could see would be necessary to have one again. */
long iot_log_do(iot_log_job *job, void *arg)
{
	struct elsewhere e = { job, arg, -IOT_LOST_FD };
	struct iot_log_use use = kept();
	uint64_t signals;

	if (use.fd < 0) {
		if (iot_lent(do_elsewhere, &e))
			return e.result;
		/* a handler that jumps would leave the limit raised */
		signals = iot_sys_block_signals();
		use = open_again((uint32_t)use.slot);
		iot_sys_restore_signals(signals);
		/* the program has all descriptors that it may have; a task of ours has none of them */
		if (use.fd < 0 && iot_lend(do_elsewhere, &e))
			return e.result;
	}
	if (use.fd >= 0)
		e.result = job(use.fd, arg);
	iot_log_used(use);
	return e.result;
}

void iot_log_used(struct iot_log_use use)
{
	if (use.slot < 0) {
		if (use.fd >= 0)
			iot_sys_close(use.fd);
		return;
	}
	if (__atomic_sub_fetch(&iot_each.log_users[use.slot], 1, __ATOMIC_SEQ_CST) == RETIRED)
		try_to_close((uint32_t)use.slot);
}

/* The log has been created, as fd, which is closed or moved. */
struct iot_log_use iot_log_fd_new(int fd)
{
	struct stat st;
	int kept;

	if (iot_sys_fstat(fd, &st) == 0) {
		log_dev = st.st_dev;
		log_ino = st.st_ino;
	}
	kept = place(fd, fd);
	if (kept < 0)
		return (struct iot_log_use){ fd, -1 };
	iot_sys_close(fd);
	iot_each.log_users[0] = 1;
	fds[0] = kept;
	iot_log_near = kept - margin(kept);
	return (struct iot_log_use){ kept, 0 };
}

/* The log is no business of this process any more. */
void iot_log_fd_forget(void)
{
	for (int i = 0; i < 2; i++) {
		if (is_log(fds[i]))
			iot_sys_close(fds[i]);
		fds[i] = -1;
	}
	current = 0;
	iot_log_near = INT_MAX;
	iot_log_forked();
}

/* A child that goes on in its parent's log is the only one that uses the descriptor. */
IOT_EACH void iot_log_forked(void)
{
	iot_set(moving, 0);
	for (uint32_t i = 0; i < 2; i++) {
		if (iot_each.log_users[i] & ~RETIRED)
			iot_each.log_users[i] &= RETIRED;
		if (iot_each.log_users[i])
			try_to_close(i);
	}
}
