/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h - what libc.so moves between a stream's buffer and its descriptor during
 * a call of stdio.  The calls that do it are not seen; how many bytes they moved
 * follows from the stream before and after:
 *
 *	written beneath = accepted by the call + pending before - pending after
 *	read beneath    = handed out by the call + unread after - unread before
 *
 * That holds if nobody else touched the stream meanwhile, and the call did not fail.
 * So a stream that several threads use is locked a little earlier and longer than the
 * call itself does.  The second thread that comes to a stream lets the first one end the
 * call that it has begun without.  Where the stream does not tell, or how many bytes a call handed
 * out is not known, the kernel is asked: for the descriptor's offset, or what the
 * thread has read and written (counted.c).  Where nothing can be shown nothing is
 * said: a number that is there is right.
 */
#ifndef IOT_STREAM_H
#define IOT_STREAM_H

#include <stdio.h>

#include "hot.h"
#include "libc.h"

/* Of FILE's flags, as glibc has had them since 2.1 */
#define IOT_F_UNBUFFERED	0x2
#define IOT_F_NO_READS		0x4
#define IOT_F_NO_WRITES		0x8
#define IOT_F_LINKED		0x80
#define IOT_F_IN_BACKUP		0x100
#define IOT_F_LINE_BUFFERED	0x200
#define IOT_F_APPENDING		0x1000
#define IOT_F_USER_LOCK		0x8000	/* the program locks it, or does not */
#define IOT_F2_MAPPED		0x1	/* opened with "m": read by page faults */
#define IOT_F2_NEED_LOCK	0x80	/* the process has, or had, a second thread */

/* Bytes that a thread has read and written. */
struct iot_counts {
	uint64_t in, out;
	uint32_t turns;			/* its calls, and those of its handlers */
	bool valid;
};

#define IOT_ANY ((size_t)-1)

struct iot_stream {
	FILE *fp;
	size_t pending;		/* written to the stream, and not yet to the descriptor */
	size_t unread;		/* read from the descriptor, and not yet from the stream */
	uint32_t turn;		/* which of the thread's calls on streams this is */
	int flags;		/* fp's, before */
	int64_t asked;		/* the descriptor's offset; -1: not known */
	int64_t offset;		/* where libc thinks it is; -1: it does not know */
	size_t held;		/* bytes read that the buffer holds, unread or not */
	size_t prompt;		/* pending on stdout: to read may write it; IOT_ANY: not known */
	bool wide;
	void (*unlock)(FILE *);	/* NULL: it is not we who have locked it */
	struct iot_counts counts;	/* valid: these are to tell, not the stream */
	struct iot_moved *all;	/* fflush(NULL): what it will write; its fp is NULL */
};

IOT_FAST size_t iot_stream_pending(const FILE *fp)
{
	return (size_t)(fp->_IO_write_ptr - fp->_IO_write_base);
}

IOT_FAST size_t iot_stream_unread(const FILE *fp)
{
	return (size_t)(fp->_IO_read_end - fp->_IO_read_ptr);
}

/* Whether the fast way will do, if this thread alone uses the stream: to read from it
   concerns no other. */
IOT_FAST bool iot_stream_quick(const FILE *fp, bool in)
{
	return iot_likely(iot_fileno(fp) >= 0 && !(in && fp->_flags & (IOT_F_UNBUFFERED | IOT_F_LINE_BUFFERED)));
}

/* Whether it does, of a call that has begun: whoever comes to the stream from now on finds
   the call.  If not, it is to begin anew at leisure. */
IOT_FAST bool iot_stream_alone(struct iot_hot *h, const FILE *fp)
{
	struct iot_thread *t = h->t;

	if (iot_likely(!(fp->_flags2 & IOT_F2_NEED_LOCK) ||
		       (h->ofd && __atomic_load_n(&h->ofd->user, __ATOMIC_RELAXED) == t)))
		return true;
	/* what a handler has come between is none for which bytes are inferred */
	if (!iot_hot_take(t))
		return true;
	h->t = NULL;
	iot_hot_done(t);
	return false;
}

/* Before the call. */
IOT_FAST void iot_stream_look(struct iot_stream *was, struct iot_thread *t, FILE *fp)
{
	was->fp = fp;
	was->flags = fp->_flags;
	was->turn = ++t->stream_turn;
	was->pending = iot_stream_pending(fp);
	was->unread = iot_stream_unread(fp);
}

/* After it: nothing was moved beneath. */
IOT_FAST bool iot_stream_still(const struct iot_stream *was, const FILE *fp, bool in, size_t bytes)
{
	return in ? was->unread - iot_stream_unread(fp) == bytes :
		    iot_stream_pending(fp) - was->pending == bytes;
}

/* What the slow way would have found besides, where the quick one did not do. */
IOT_FAST void iot_stream_unasked(struct iot_stream *was)
{
	was->asked = -1;
	was->prompt = 0;
	was->wide = was->fp->_mode > 0;
	was->unlock = NULL;
	was->counts.valid = false;
}

#pragma GCC visibility push(hidden)
extern const struct iot_desc iot_desc_read, iot_desc_write;

/* Bytes that went beneath a call, each entry with the row that moves such. */
#define IOT_MAX_MOVED 16u
struct iot_moved {
	uint32_t n;
	struct {
		const struct iot_desc *desc;
		int fd;
		uint64_t bytes;
		uint64_t at;		/* IOT_UNKNOWN: nobody knows */
	} of[IOT_MAX_MOVED];
};
void iot_stream_after(struct iot_thread *t, const struct iot_call *c, const uint64_t *arg, long ret,
		      struct iot_moved *m);
/* What streams hold that exit will write.  Nothing is said of later calls: some of it
   may be theirs. */
void iot_stream_at_exit(struct iot_thread *t, struct iot_moved *m);
/* Before a call that writes a message and ends the process, as err does. */
void iot_stream_last(const struct iot_call *c);
/* When the process ends: what that call wrote, if t made it. */
void iot_stream_add_last(const struct iot_thread *t, struct iot_moved *m);
/* As iot_stream_look, for calls that do not go the fast way.  may_fill: bytes asked
   for, if it will not be known how many it got should they be less.  all: room for
   what a call without a stream does. */
void iot_stream_before(struct iot_stream *was, struct iot_call *c, FILE *fp, size_t may_fill,
		       struct iot_moved *all);
/* users.c: whether no thread but t uses it, or has since another ended; whether that was so
   when t's call began, and nobody has touched it since; as the first, of a stream that is
   shared from now on if not. */
bool iot_stream_is_own(struct iot_thread *t, const FILE *fp);
bool iot_stream_was_own(const struct iot_thread *t, const FILE *fp);
bool iot_stream_is_alone(struct iot_thread *t, const FILE *fp);
/* Takes the lock that the call will take, before it does.  False: it has none. */
bool iot_stream_lock(struct iot_stream *was, const struct iot_call *c, FILE *fp);
/* counted.c: before, and after: then in and out are the differences.  False if these
   can't be had, or a handler has made calls meanwhile. */
void iot_count(struct iot_counts *c, const struct iot_thread *t);
bool iot_count_since(struct iot_counts *c, const struct iot_thread *t);
void iot_infer_exit(void);
/* beneath.c: bytes that went beneath a call, within its time: by how many calls is not known.
   at: the offset of the first, if m has none. */
void iot_beneath(struct iot_thread *t, const struct iot_call *around, const struct iot_moved *m,
		 uint64_t end, uint64_t at);

#pragma GCC visibility pop

#endif
