/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sys.h - system calls by name, for the recorder.  Nothing here touches errno;
 * every function returns what the kernel returns, -errno on failure.
 */
#ifndef IOT_SYS_H
#define IOT_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "arch-cpu.h"
#include "state.h"
#include "syscall-numbers.h"

/*
 * The recorder's only way into the kernel: one instruction in one function, so
 * that its own calls can be told from the program's by their address.  Returns
 * the kernel's value: -errno on failure; errno itself is the application's.
 * -EPERM without asking the kernel, if a filter of the program's might not let
 * the call pass (seccomp.c) and IOT_ALWAYS is not added to its number.
 */
#define IOT_ALWAYS 0x10000
long iot_syscall(long nr, ...) __attribute__((visibility("hidden")));
void iot_sigreturn(void) __attribute__((visibility("hidden")));
/* behind its instruction, where seccomp sees it */
extern const char iot_sigreturned[] __attribute__((visibility("hidden")));

#define IOT_NUMBERS 512		/* of system calls, a bit each in iot_allowed */
extern char iot_filtered __attribute__((visibility("hidden")));
extern uint64_t iot_allowed[IOT_NUMBERS / 64] __attribute__((visibility("hidden")));

/* Whether iot_syscall would make the call. */
static inline int iot_sys_allowed(unsigned int nr)
{
	return !iot_filtered || iot_allowed[nr / 64] >> nr % 64 & 1;
}

/* For the i-th time while a thread waits for another one.  At first it lets others run; then it sleeps for a
   moment, since the other one may be waiting for the kernel. */
void iot_sys_wait(int i) __attribute__((visibility("hidden")));

/* Nothing is opened that a seccomp filter would keep from being closed again. */
static inline int iot_sys_openat(int dir, const char *path, int flags, int mode)
{
	if (!iot_sys_allowed(SYS_close))
		return -EPERM;
	return (int)iot_syscall(SYS_openat, (long)dir, path, (long)flags, (long)mode);
}

static inline int iot_sys_close(int fd)
{
	return (int)iot_syscall(SYS_close, (long)fd);
}

static inline long iot_sys_read(int fd, void *buf, size_t n)
{
	return iot_syscall(SYS_read, (long)fd, buf, n);
}

static inline long iot_sys_write(int fd, const void *buf, size_t n)
{
	return iot_syscall(SYS_write, (long)fd, buf, n);
}

static inline long iot_sys_pwrite(int fd, const void *buf, size_t n, uint64_t off)
{
	return iot_syscall(SYS_pwrite64, (long)fd, buf, n, off);
}

static inline long iot_sys_pwritev(int fd, const struct iovec *iov, int n, uint64_t off)
{
	return iot_syscall(SYS_pwritev, (long)fd, iov, (long)n, off, 0L);
}

static inline long iot_sys_lseek(int fd, long off, int whence)
{
	return iot_syscall(SYS_lseek, (long)fd, off, (long)whence);
}

static inline long iot_sys_fallocate(int fd, uint64_t off, uint64_t len)
{
	return iot_syscall(SYS_fallocate, (long)fd, 0L, off, len);
}

static inline long iot_sys_fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return iot_syscall(SYS_newfstatat, (long)dir, path, st, (long)flags);
}

/* By the call that a filter of the program's was asked about.  The name lies where the
   program's memory is in use anyway. */
static inline long iot_sys_fstat(int fd, struct stat *st)
{
	const char none[] = "";

	return iot_sys_fstatat(fd, none, st, AT_EMPTY_PATH);
}

static inline long iot_sys_readlink(const char *path, char *buf, size_t n)
{
	return iot_syscall(SYS_readlinkat, (long)AT_FDCWD, path, buf, n);
}

static inline int iot_sys_fcntl(int fd, int cmd, long arg)
{
	return (int)iot_syscall(SYS_fcntl, (long)fd, (long)cmd, arg);
}

static inline long iot_sys_mmap(void *addr, size_t len, int prot, int flags, int fd, uint64_t off)
{
	return iot_syscall(SYS_mmap, addr, len, (long)prot, (long)flags, (long)fd, off);
}

static inline long iot_sys_munmap(void *addr, size_t len)
{
	return iot_syscall(SYS_munmap, addr, len);
}

static inline int iot_sys_getpid(void)
{
	return (int)iot_syscall(SYS_getpid);
}

static inline int iot_sys_gettid(void)
{
	return (int)iot_syscall(SYS_gettid);
}

#define IOT_SIGNAL(sig) (1ULL << ((sig) - 1))

/* Whether there is no such process any more, or no such thread of it. */
static inline bool iot_sys_ended(uint32_t pid)
{
	return iot_syscall(SYS_kill, (long)(int)pid, 0L) == -ESRCH;
}

static inline bool iot_sys_thread_ended(uint32_t pid, uint32_t tid)
{
	return iot_syscall(SYS_tgkill, (long)(int)pid, (long)(int)tid, 0L) == -ESRCH;
}

/* Keeps all handlers off this thread; returns the mask to restore. */
static inline uint64_t iot_sys_block_signals(void)
{
	/* but for sigbus.c's and lib/dispatch's, which kill if they can't come */
	uint64_t all = ~(IOT_SIGNAL(SIGBUS) | (iot_dispatching ? IOT_SIGNAL(SIGSYS) : 0)), old = ~0ULL;

	__atomic_fetch_add(&iot_each.masked, 1, __ATOMIC_SEQ_CST);
	iot_syscall(SYS_rt_sigprocmask, 0L /* SIG_BLOCK */, &all, &old, sizeof(old));
	return old;
}

static inline void iot_sys_restore_signals(uint64_t mask)
{
	/* all ones: it was not blocked; otherwise a filter may have come since */
	if (mask != ~0ULL)
		iot_syscall(IOT_ALWAYS | SYS_rt_sigprocmask, 2L /* SIG_SETMASK */, &mask, (void *)NULL,
			    sizeof(mask));
	__atomic_fetch_sub(&iot_each.masked, 1, __ATOMIC_SEQ_CST);
}

#define IOT_FAILED(r) ((unsigned long)(r) > -4096UL)

#endif
