/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.c - where a unit stands, which only the runtime knows: bytes wait in its
 * buffers.  Looked at while, and after, a data transfer statement has the unit.
 *
 * Where in its memory things are differs from one release to the next.  The first
 * statement finds out; if nothing fits, the bytes of statements are not known.
 */
#include <sys/uio.h>

#include "gfortran.h"
#include "sys.h"

/* of a unit: number, stream, ..., access, ..., lock, ..., formatting buffer */
#define UNIT_STREAM 8
#define LOCK_TO_FBUF 456
/* of a stream: functions, three offsets, length, buffer and its size, descriptor */
#define STREAM_LOGICAL 24
#define STREAM_BUFFER 40
#define STREAM_SIZE 48
#define STREAM_FD 56

/* where a formatted record is taken apart or put together */
struct fbuf {
	char *buf;
	size_t len, act, pos;
};

static int lock_at;		/* 0: not known yet; -1: this is another release */
int32_t iot_f_marker = 4;	/* bytes before and after an unformatted record */

#define AT(type, p, offset) (*(const type *)(const void *)((const char *)(p) + (offset)))

static bool readable(const void *p, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)p, size };

	return iot_syscall(SYS_process_vm_readv, (long)iot_sys_getpid(), &local, 1L, &remote, 1L, 0L) ==
	       (long)size;
}

/* A mutex that this thread holds: locked, its thread, one user. */
static bool is_held(const char *unit, int at)
{
	return AT(int, unit, at) && AT(int, unit, at + 8) == iot_sys_gettid() && AT(int, unit, at + 12) == 1;
}

static bool is_name(const char *p)
{
	char c;

	return p && readable(p, &c, 1) && c;
}

/* Where the lock is: its holder tells, or, if the program has no threads, the file's
   name behind it and the record length before it. */
static int find_lock(const struct iot_f_dt *dt)
{
	char unit[304];

	if (!readable(dt->current_unit, unit, sizeof(unit)) || AT(int32_t, unit, 0) != dt->common.unit)
		return -1;
	if (is_held(unit, 224) || is_name(AT(const char *, unit, 288)))
		return AT(int64_t, unit, 152) > 0 ? 224 : -1;
	if (is_held(unit, 232) || is_name(AT(const char *, unit, 296)))
		return AT(int64_t, unit, 160) > 0 && AT(uint32_t, unit, 152) < 16 ? 232 : -1;
	return 0;
}

struct iot_f_where iot_f_where(const struct iot_f_dt *dt, bool reading)
{
	const char *unit = dt->current_unit, *stream;
	struct iot_f_where w = { -1, -1, false };
	const struct fbuf *fbuf;

	if (!unit)
		return w;
	if (iot_unlikely(!lock_at))
		lock_at = find_lock(dt);
	if (lock_at <= 0 || AT(int32_t, unit, 0) != dt->common.unit)
		return w;
	stream = AT(const char *, unit, UNIT_STREAM);
	/* a small number there is a descriptor: an older release */
	if (!stream || (AT(int64_t, stream, STREAM_SIZE) && AT(int64_t, stream, STREAM_SIZE) < 16))
		return w;
	w.fd = AT(int, stream, STREAM_FD);
	w.sequential = AT(int, unit, lock_at == 232 ? 68 : 60) == 0;
	if (!AT(const char *, stream, STREAM_BUFFER))
		return w;
	w.pos = AT(int64_t, stream, STREAM_LOGICAL);
	fbuf = AT(const struct fbuf *, unit, lock_at + LOCK_TO_FBUF);
	if (fbuf)
		w.pos += reading ? (int64_t)fbuf->pos - (int64_t)fbuf->act : (int64_t)fbuf->pos;
	return w;
}

/* The statement is over, and no other thread has the unit yet. */
bool iot_f_alone(const struct iot_f_dt *dt)
{
	return lock_at > 0 && (!AT(int, dt->current_unit, lock_at) || is_held(dt->current_unit, lock_at));
}

/* Descriptors of units, as data transfers found them. */
static uint64_t learnt[64];	/* unit, descriptor */

void iot_f_learn(int32_t unit, int fd)
{
	__atomic_store_n(&learnt[(uint32_t)unit % 64], (uint64_t)(uint32_t)unit << 32 | (uint32_t)(fd + 1),
			 __ATOMIC_RELAXED);
}

int iot_f_fd(int32_t unit)
{
	uint64_t e = __atomic_load_n(&learnt[(uint32_t)unit % 64], __ATOMIC_RELAXED);

	return e >> 32 == (uint32_t)unit ? (int)(uint32_t)e - 1 : -1;
}
