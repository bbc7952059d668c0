/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * differs.h - what generated wrappers need to know where musl's functions are not
 * a system call each: which one it is, and which musl makes besides for the sake
 * of old kernels.
 */
#ifndef IOT_DIFFERS_H
#define IOT_DIFFERS_H

#include "inside.h"
#include "desc_fcntl.h"

static inline void iot_has_called_fcntl(int fd, uint64_t cmd, uint64_t value, long ret)
{
	const uint64_t arg[] = { (uint64_t)fd, cmd, value };

	iot_inline(&IOT_DESC_NAME(fcntl), fd, iot_ticks(), ret, arg);
}

static inline void iot_after_open(int ret, const char *path, int flags, uint32_t mode)
{
	(void)path, (void)mode;
	if (ret >= 0 && flags & O_CLOEXEC)
		iot_has_called_fcntl(ret, F_SETFD, FD_CLOEXEC, 0);
}

static inline void iot_after_fcntl(int ret, int fd, int cmd, long value)
{
	(void)fd, (void)value;
	if (ret >= 0 && cmd == F_DUPFD_CLOEXEC)
		iot_has_called_fcntl(ret, F_SETFD, FD_CLOEXEC, 0);
	iot_inside_part();
}

/* A descriptor that is bad might be good for nothing but its path. */
#define iot_after_bad_fd(ret, fd, ...)                                                     \
	do {                                                                               \
		if ((ret) < 0 && errno == EBADF)                                           \
			iot_has_called_fcntl(fd, F_GETFD, 0, -EBADF);                      \
	} while (0)

/* What functions call before system calls of their own: pclose fclose, popen
   posix_spawn and fcntl, and fdopen mmap if there is no memory. */
#define iot_after_part(...) iot_inside_part()

/* Which system call fstatat is. */
static inline bool iot_stats_fd(int dirfd, const char *path, int flags)
{
	return flags == AT_EMPTY_PATH && dirfd >= 0 && !*path;
}

static inline bool iot_stats_path(int dirfd, const char *path)
{
	return dirfd == AT_FDCWD || *path == '/';
}

#endif
