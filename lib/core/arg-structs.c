/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arg-structs.c - what structures of the program's say that a call is given or gives back:
 * how long it is to wait, what is locked, and what a file is.
 */
#include "arg-structs.h"

#include "fetch.h"
#include "sys.h"
#include "thread.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A struct timespec, or a struct timeval in its place. */
static bool fetch_pair(const struct iot_thread *t, struct timespec *ts, const void *p)
{
	if (!iot_on_stack(t, p, sizeof(*ts)))
		return iot_fetch(ts, p, sizeof(*ts));
	memcpy(ts, p, sizeof(*ts));
	return true;
}

/* Whether it is a time before zero, which select(2) turns down before it asks the kernel. */
bool iot_is_negative(const struct iot_thread *t, const void *p)
{
	struct timespec ts;

	return p && fetch_pair(t, &ts, p) && (ts.tv_sec < 0 || ts.tv_nsec < 0);
}

/*
 * The ns of a struct timespec, or of a struct timeval, whose second half is of unit ns.
 * Looked at before the call: select(2) and its like store there how much of it was left.
 * IOT_FOR_EVER: there is none; IOT_NO_TIME: it can't be read, or is no time.
 */
uint64_t iot_fetch_time(const struct iot_thread *t, const void *p, uint32_t unit)
{
	struct timespec ts;

	if (!p)
		return IOT_FOR_EVER;
	if (!fetch_pair(t, &ts, p))
		return IOT_NO_TIME;
	if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= 1000000000 / unit)
		return IOT_NO_TIME;
	if (ts.tv_sec >= INT64_MAX / 1000000000)
		return INT64_MAX;
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec * unit;
}

/* What a command of fcntl's locks, or found locked.  Who asks need not say its pid: only
   that of a lock in the way is one.  Returns how many words. */
uint32_t iot_lock_words(const struct iot_thread *t, int cmd, const void *p, bool known, uint64_t word[IOT_MAX_FOUND])
{
	bool asks = cmd == F_GETLK || cmd == F_OFD_GETLK;
	struct flock l;

	if (!asks && cmd != F_SETLK && cmd != F_SETLKW && cmd != F_OFD_SETLK && cmd != F_OFD_SETLKW)
		return 0;
	if (!(known ? iot_fetch_used(t, &l, p, sizeof(l)) : iot_fetch(&l, p, sizeof(l))))
		return 0;
	word[0] = (uint64_t)l.l_type;
	word[1] = (uint64_t)l.l_whence;
	word[2] = (uint64_t)l.l_start;
	word[3] = (uint64_t)l.l_len;
	word[4] = (uint64_t)l.l_pid;
	return known && asks && l.l_type != F_UNLCK ? 5 : 4;
}

/* struct statx, as far as it is looked at: not all libcs have it. */
struct statx_head {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, spare;
	uint64_t ino, size;
};
#define HAS_TYPE 1u
#define HAS_MODE 2u
#define HAS_SIZE 0x200u

/* 1 for the end of a pipe that is read from, 0 for one that can be written to: vmsplice(2)
   does the one or the other.  Returns how many words. */
uint32_t iot_end_words(int fd, uint64_t word[IOT_MAX_FOUND])
{
	int flags = iot_sys_fcntl(fd, F_GETFL, 0);

	word[0] = (flags & O_ACCMODE) == O_RDONLY;
	return flags >= 0;
}

/* What a call that succeeded stored there: a file's size, ~0 if it is not said, and its
   mode.  Returns how many words. */
uint32_t iot_stat_words(const struct iot_thread *t, const void *p, bool is_statx, uint64_t word[IOT_MAX_FOUND])
{
	struct statx_head x;
	struct stat st;

	if (!is_statx) {
		if (!iot_fetch_used(t, &st, p, sizeof(st)))
			return 0;
		word[0] = (uint64_t)st.st_size;
		word[1] = st.st_mode;
		return 2;
	}
	if (!iot_fetch_used(t, &x, p, sizeof(x)))
		return 0;
	word[0] = x.mask & HAS_SIZE ? x.size : ~0ULL;
	word[1] = x.mode;
	return (x.mask & (HAS_TYPE | HAS_MODE)) == (HAS_TYPE | HAS_MODE) ? 2 : x.mask & HAS_SIZE ? 1 : 0;
}
