/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * offset.c - where in its file a unit's bytes lie.  The runtime counts from 0, as the
 * files do that it opens itself.  A descriptor that it was given stands where others have
 * left it, and they may move it yet: standard input that a shell has read from, standard
 * output that is appended to.  The kernel knows; it is asked of descriptors that
 * somebody else may move.
 */
#include <fcntl.h>

#include "gfortran.h"
#include "sys.h"

#define AT IOT_F_AT

#define UNIT_STREAM 8			/* behind the unit's number */

/* A small number where the buffer's size is may be a descriptor: an older release.  Or a
   buffer that small was asked for: then all else is in its place too. */
static bool is_known(const char *stream)
{
	int64_t size = AT(int64_t, stream, IOT_F_STREAM_SIZE);
	static bool small;
	struct stat st;

	if (!size || size >= 16 || small)
		return true;
	small = iot_sys_fstatat(AT(int, stream, IOT_F_STREAM_FD), "", &st, AT_EMPTY_PATH) == 0 &&
		AT(uint64_t, stream, IOT_F_STREAM_DEVICE) == st.st_dev &&
		AT(uint64_t, stream, IOT_F_STREAM_DEVICE + 8) == st.st_ino;
	return small;
}

const char *iot_f_stream(const char *unit)
{
	const char *stream = AT(const char *, unit, UNIT_STREAM);

	return stream && is_known(stream) ? stream : NULL;
}

/* Whether this process alone moves it, or nobody: it has no offset. */
static enum { OURS, ANYBODYS, NOBODYS } whose(int fd)
{
	struct iot_thread *t = iot_mine();
	const struct iot_fd *e;
	const struct iot_ofd *o;

	if (fd < 0 || !t || t->state != IOT_IDLE)
		return NOBODYS;
	iot_fds_renew();
	iot_busy(t);
	e = iot_fd_get(t, fd);
	o = e->ofd;
	iot_idle(t);
	return !o || o->owner == IOT_OFD_SHARED || o->owner == IOT_OFD_APPEND ? ANYBODYS :
	       o->owner == IOT_OFD_NONE					     ? NOBODYS :
									       OURS;
}

static bool is_appended(int fd)
{
	return iot_sys_fcntl(fd, F_GETFL, 0) & O_APPEND;
}

static int64_t end_of(int fd)
{
	struct stat st;

	return iot_sys_fstatat(fd, "", &st, AT_EMPTY_PATH) == 0 ? st.st_size : -1;
}

/* Whether standard output and error are one file: a unit on the one may write what it
   holds before or behind that of the other, and nobody knows which it will be. */
bool iot_f_in_common(int fd)
{
	struct stat st, other;

	return (fd == 1 || fd == 2) && iot_sys_fstatat(fd, "", &st, AT_EMPTY_PATH) == 0 &&
	       iot_sys_fstatat(3 - fd, "", &other, AT_EMPTY_PATH) == 0 && iot_has_offset(st.st_mode) &&
	       st.st_dev == other.st_dev && st.st_ino == other.st_ino;
}

/* Of a unit without a buffer. */
int64_t iot_f_raw_pos(int fd, bool reading)
{
	switch (whose(fd)) {
	case NOBODYS:
		return -1;
	case ANYBODYS:
		if (!reading && is_appended(fd))
			return end_of(fd);
		break;
	case OURS:
		break;
	}
	return iot_sys_lseek(fd, 0, SEEK_CUR);
}

/* What a buffer was filled with lies where the descriptor stood then, whoever has moved it
   since.  Units by number. */
static struct filled {
	const char *stream;
	int64_t physical, shift;
} filled[IOT_F_UNITS];

/* Whether it was written at the end when the buffer was empty. */
static struct appended {
	const char *stream;
	int64_t physical;
	bool is;
} appended[IOT_F_UNITS];

static bool goes_to_end(const char *stream, int32_t unit, int64_t physical)
{
	struct appended *a = &appended[(uint32_t)unit % IOT_F_UNITS];

	if (a->stream != stream || a->physical != physical)
		*a = (struct appended){ stream, physical, is_appended(AT(int, stream, IOT_F_STREAM_FD)) };
	return a->is;
}

static int64_t shift_of_read(const char *stream, int32_t unit, int64_t physical, int64_t kernel)
{
	struct filled *f = &filled[(uint32_t)unit % IOT_F_UNITS];

	if (f->stream != stream || f->physical != physical)
		*f = (struct filled){ stream, physical, kernel - physical };
	return f->shift;
}

/* Another stream may get the memory of this one. */
void iot_f_forget_shift(int32_t unit)
{
	filled[(uint32_t)unit % IOT_F_UNITS].stream = NULL;
	appended[(uint32_t)unit % IOT_F_UNITS].stream = NULL;
}

/* By how much further on than the runtime has it the byte lies that it has at this
   position, which is read or written next; or was, since the statement has begun.
   IOT_F_NOWHERE: who knows. */
int64_t iot_f_shift(const char *unit, int64_t at, bool reading, bool begun)
{
	const char *stream = iot_f_stream(unit);
	int64_t physical, kernel, buffered, first = at;
	bool dirty;

	if (!stream || !AT(const char *, stream, IOT_F_STREAM_BUFFER) ||
	    whose(AT(int, stream, IOT_F_STREAM_FD)) != ANYBODYS)
		return 0;
	if (!reading && iot_f_in_common(AT(int, stream, IOT_F_STREAM_FD)))
		return IOT_F_NOWHERE;
	physical = AT(int64_t, stream, IOT_F_STREAM_PHYSICAL);
	buffered = AT(int64_t, stream, IOT_F_STREAM_BUFFERED);
	dirty = AT(int, stream, IOT_F_STREAM_DIRTY) > 0;
	if (dirty)
		first = buffered;
	else if (begun && at < physical)
		first = physical;
	if (!reading && goes_to_end(stream, AT(int32_t, unit, 0), physical))
		return end_of(AT(int, stream, IOT_F_STREAM_FD)) - first;
	kernel = iot_sys_lseek(AT(int, stream, IOT_F_STREAM_FD), 0, SEEK_CUR);
	if (kernel < 0)
		return 0;
	/* it has been read: the runtime has a further buffer, for formats */
	if (reading && (at < AT(int64_t, stream, IOT_F_STREAM_LOGICAL) ||
			(AT(int, stream, IOT_F_STREAM_ACTIVE) > 0 && at >= buffered && at <= physical)))
		return shift_of_read(stream, AT(int32_t, unit, 0), physical, kernel);
	if (reading)
		filled[(uint32_t)AT(int32_t, unit, 0) % IOT_F_UNITS].stream = NULL;
	/* if not, it will seek before, as if the file were its own */
	return first == physical ? kernel - physical : 0;
}
