/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.c - where a unit stands, which only the runtime knows: bytes wait in its
 * buffers.  Looked at while, and after, a data transfer statement has the unit.
 *
 * Where in its memory things are differs from one release to the next.  The first
 * statement finds out; if nothing fits, the bytes of statements are not known.
 */
#include "gfortran.h"
#include "sys.h"

/* of a unit, behind its stream: ..., access, ..., record length, ..., queue of asynchronous
   transfers, lock, ..., formatting buffer */
#define LOCK_TO_RECL (-72)
#define LOCK_TO_QUEUE (-8)
#define LOCK_TO_FBUF 456

/* where a formatted record is taken apart or put together */
struct fbuf {
	char *buf;
	size_t len, act, pos;
};

static int lock_at;		/* 0: not known yet; -1: this is another release */
int32_t iot_f_marker = 4;	/* bytes before and after an unformatted record */

#define AT IOT_F_AT

/* A mutex that this thread holds: locked, its thread, one user. */
static bool is_held(const char *unit, int at)
{
	return AT(int, unit, at) && AT(int, unit, at + 8) == iot_sys_gettid() && AT(int, unit, at + 12) == 1;
}

static bool is_name(const char *p)
{
	char c;

	return p && iot_fetch(&c, p, 1) && c;
}

/* -2: stream access has none. */
static bool is_recl(int64_t n)
{
	return n > 0 || n == -2;
}

/* Where the lock is: its holder tells, or, if the program has no threads, the file's
   name behind it and the record length before it. */
static int find_lock(const char *from, int32_t number)
{
	char unit[304];

	if (!iot_fetch(unit, from, sizeof(unit)) || AT(int32_t, unit, 0) != number)
		return -1;
	if (is_held(unit, 224) || is_name(AT(const char *, unit, 288)))
		return is_recl(AT(int64_t, unit, 152)) ? 224 : -1;
	if (is_held(unit, 232) || is_name(AT(const char *, unit, 296)))
		return is_recl(AT(int64_t, unit, 160)) && AT(uint32_t, unit, 152) < 16 ? 232 : -1;
	return 0;
}

/* Text in memory: a buffer without a size; and no file, if it is no text either. */
static bool is_internal(const char *stream)
{
	return AT(const char *, stream, IOT_F_STREAM_BUFFER) ?
		       !AT(int64_t, stream, IOT_F_STREAM_SIZE) :
		       !AT(uint64_t, stream, IOT_F_STREAM_DEVICE) && !AT(uint64_t, stream, IOT_F_STREAM_DEVICE + 8);
}

struct iot_f_where iot_f_where(const char *unit, int32_t number, bool reading)
{
	struct iot_f_where w = { .fd = -1, .pos = -1, .record = -1 };
	const char *stream;
	const struct fbuf *fbuf;

	if (!unit)
		return w;
	if (iot_unlikely(!lock_at))
		lock_at = find_lock(unit, number);
	if (lock_at <= 0 || AT(int32_t, unit, 0) != number)
		return w;
	stream = iot_f_stream(unit);
	if (!stream)
		return w;
	w.internal = is_internal(stream);
	if (w.internal)
		return w;
	w.fd = AT(int, stream, IOT_F_STREAM_FD);
	w.access = AT(unsigned, unit, lock_at == 232 ? 68 : 60);
	w.recl = AT(int64_t, unit, lock_at + LOCK_TO_RECL);
	w.raw = !AT(const char *, stream, IOT_F_STREAM_BUFFER);
	w.record = w.pos = w.raw ? iot_f_raw_pos(w.fd, reading) : AT(int64_t, stream, IOT_F_STREAM_LOGICAL);
	fbuf = AT(const struct fbuf *, unit, lock_at + LOCK_TO_FBUF);
	if (fbuf && w.pos >= 0)
		w.pos += reading ? (int64_t)fbuf->pos - (int64_t)fbuf->act : (int64_t)fbuf->pos;
	return w;
}

/* Of what a unit's thread is to do; NULL: it has none. */
const char *iot_f_queue(const char *unit)
{
	/* the unit's thread may come before the first statement; nor is it for it to
	   say what another release is, since the unit may be in the making */
	if (iot_unlikely(!lock_at) && unit) {
		int at = find_lock(unit, AT(int32_t, unit, 0));

		if (at > 0)
			lock_at = at;
	}
	return lock_at > 0 && unit ? AT(const char *, unit, lock_at + LOCK_TO_QUEUE) : NULL;
}

/* Between statements: no other thread has the unit. */
bool iot_f_alone(const char *unit)
{
	return lock_at > 0 && (!AT(int, unit, lock_at) || is_held(unit, lock_at));
}

/* The runtime's own way to a unit's descriptor; -1: it has none. */
#ifdef IOT_DYNAMIC
extern int fnum(const int32_t *unit) __asm__("_gfortran_fnum_i4") __attribute__((weak));

static int ask(int32_t unit)
{
	return fnum ? fnum(&unit) : -1;
}
#else
extern int unit_to_fd(int32_t unit) __asm__("_gfortrani_unit_to_fd") __attribute__((weak));

static int ask(int32_t unit)
{
	return unit_to_fd ? unit_to_fd(unit) : -1;
}
#endif

/* Descriptors of units, as OPEN and data transfers found them. */
static uint64_t learnt[IOT_F_UNITS];	/* unit, descriptor */

void iot_f_learn(int32_t unit, int fd)
{
	__atomic_store_n(&learnt[(uint32_t)unit % IOT_F_UNITS], (uint64_t)(uint32_t)unit << 32 | (uint32_t)(fd + 1),
			 __ATOMIC_RELAXED);
}

/* The runtime is asked. */
int iot_f_opened(int32_t unit)
{
	int was = errno, fd = ask(unit);

	errno = was;
	if (fd >= 0)
		iot_f_learn(unit, fd);
	return fd;
}

/* -1: not known.  Of a unit that it has for text in memory, and which has no stream, the
   runtime would take the descriptor from address 0.  Such units have the numbers that it
   chooses itself, below 0: it is asked for one of those when it has been opened, but not
   here. */
int iot_f_fd(int32_t unit)
{
	uint64_t e = __atomic_load_n(&learnt[(uint32_t)unit % IOT_F_UNITS], __ATOMIC_RELAXED);

	if (e && e >> 32 == (uint32_t)unit)
		return (int)(uint32_t)e - 1;
	return unit >= 0 ? iot_f_opened(unit) : -1;
}

/* Units as data transfers found them, for those that come next. */
static const char *met[IOT_F_UNITS];

void iot_f_meet(int32_t unit, const char *p)
{
	__atomic_store_n(&met[(uint32_t)unit % IOT_F_UNITS], p, __ATOMIC_RELAXED);
}

const char *iot_f_met(int32_t unit)
{
	const char *p = __atomic_load_n(&met[(uint32_t)unit % IOT_F_UNITS], __ATOMIC_RELAXED);

	return p && AT(int32_t, p, 0) == unit ? p : NULL;
}

/* It may be another file's now, or none's. */
void iot_f_forget(int32_t unit)
{
	__atomic_store_n(&learnt[(uint32_t)unit % IOT_F_UNITS], 0, __ATOMIC_RELAXED);
	iot_f_meet(unit, NULL);
	iot_f_forget_shift(unit);
}
