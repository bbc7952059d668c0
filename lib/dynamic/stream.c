/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - what libc.so moved beneath a call of stdio: see stream.h. */
#include "stream.h"

#include "libc.h"
#include "next.h"
#include "seen.h"
#include "sys.h"
#include "thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* libc writes out what waits on stdout before it waits for input.  With several
   threads nobody knows how much that is. */
static size_t prompt_on(const FILE *out)
{
	const int of = IOT_F_LINKED | IOT_F_NO_WRITES | IOT_F_LINE_BUFFERED;

	if (!out || (out->_flags & of) != (IOT_F_LINKED | IOT_F_LINE_BUFFERED) || out->_mode > 0 ||
	    iot_fileno(out) < 0)
		return 0;
	return out->_flags2 & IOT_F2_NEED_LOCK ? IOT_ANY : iot_stream_pending(out);
}

static void add(struct iot_moved *m, const struct iot_desc *desc, int fd, uint64_t bytes)
{
	if (!bytes || m->n == IOT_MAX_MOVED)
		return;
	m->of[m->n].desc = desc;
	m->of[m->n].fd = fd;
	m->of[m->n].at = IOT_UNKNOWN;
	m->of[m->n++].bytes = bytes;
}

/* Adds what all streams of t's own hold.  libc's lock keeps the streams from being freed. */
static void add_pending(struct iot_thread *t, struct iot_moved *m)
{
	FILE **first = iot_next("_IO_list_all", NULL);
	void (*lock)(void) = (void (*)(void))iot_next("_IO_list_lock", NULL);
	void (*unlock)(void) = (void (*)(void))iot_next("_IO_list_unlock", NULL);

	if (!first || !lock || !unlock)
		return;
	lock();
	for (FILE *fp = *first; fp; fp = fp->_chain) {
		int fd = iot_fileno(fp);

		if (fd < 0 || fp->_mode > 0 || iot_ferror(fp) || !iot_stream_is_alone(t, fp) ||
		    ((uint32_t)fd < IOT_FD_CHUNK && iot_fd_first[fd].flags & IOT_FD_UNTRACED))
			continue;
		add(m, &iot_desc_write, fd, iot_stream_pending(fp));
	}
	unlock();
}

/* The call that ends the process.  The first thread that makes such a call has it for good; a
   forked child that inherits it, and a thread that comes second, tell nothing of theirs. */
static struct {
	int tid;
	int fd;
	int64_t at;		/* the descriptor's offset; -1: not known */
	struct iot_counts counts;
} last;

void iot_stream_last(const struct iot_call *c)
{
	int none = 0, tid = iot_sys_gettid();

	if (!iot_infers(c->desc) || c->fd < 0 || c->untraced)
		return;
	if (!__atomic_compare_exchange_n(&last.tid, &none, tid, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    none != tid)
		return;
	last.fd = c->fd;
	last.at = c->ofd && c->ofd->owner != IOT_OFD_NONE ? iot_sys_lseek(c->fd, 0, SEEK_CUR) : -1;
	iot_count(&last.counts, c->t);
}

void iot_stream_add_last(const struct iot_thread *t, struct iot_moved *m)
{
	uint32_t n = m->n;

	if (__atomic_load_n(&last.tid, __ATOMIC_RELAXED) != iot_sys_gettid() || !iot_count_since(&last.counts, t))
		return;
	add(m, &iot_desc_write, last.fd, last.counts.out);
	if (m->n > n && last.at >= 0 && iot_sys_lseek(last.fd, 0, SEEK_CUR) - last.at == (int64_t)last.counts.out)
		m->of[n].at = (uint64_t)last.at;
}

static bool at_exit;

static bool is_at_exit(void)
{
	return __atomic_load_n(&at_exit, __ATOMIC_RELAXED);
}

void iot_stream_at_exit(struct iot_thread *t, struct iot_moved *m)
{
	add_pending(t, m);
	__atomic_store_n(&at_exit, true, __ATOMIC_RELAXED);
}

/* Will neither the stream nor its descriptor tell what the call moved? */
static bool is_silent(const struct iot_stream *was, const struct iot_call *c, size_t may_fill)
{
	const struct iot_desc *desc = c->desc;

	if (was->fp->_flags2 & IOT_F2_MAPPED)
		return false;
	switch ((enum iot_effect)desc->effect) {
	case IOT_E_REOPEN:
		return was->wide || was->pending;
	case IOT_E_CLOSE:
		return was->wide || (was->pending && (desc->result != IOT_R_EOF || iot_ferror(was->fp)));
	default:
		break;
	}
	if (was->prompt == IOT_ANY || was->flags & IOT_F_IN_BACKUP || iot_ferror(was->fp))
		return true;
	if (desc->stream == IOT_S_SEEK)
		return was->wide;
	/* the descriptor may be another thread's as well */
	if (desc->flags & IOT_D_COUNTED || (desc->stream == IOT_S_OUT && desc->bytes == IOT_S_ASK && !was->wide))
		return true;
	/* what a descriptor that has no offset would have been asked for */
	return (desc->bytes == IOT_S_ASK || was->wide || may_fill > was->unread) &&
	       (was->asked < 0 || was->flags & IOT_F_APPENDING);
}

void iot_stream_before(struct iot_stream *was, struct iot_call *c, FILE *fp, size_t may_fill,
		       struct iot_moved *all)
{
	const struct iot_desc *desc = c->desc;

	was->unlock = NULL;
	was->counts.valid = false;
	/* on the fast way, the thread is known to be alone with the stream */
	if (iot_dispatching && fp && c->fd >= 0)
		iot_stream_is_alone(c->t, fp);
	if (!iot_infers(desc) || is_at_exit())
		return;
	if (!fp && all) {
		all->n = 0;
		add_pending(c->t, all);
		was->fp = NULL;
		was->all = all;
		was->turn = ++c->t->stream_turn;
		c->stream = was;
	}
	/* The lock of a stream that will be closed is nobody else's business any more; what this thread
	   writes of a message the kernel counts, and whoever holds that lock may wait for another. */
	if (c->fd < 0 || c->untraced ||
	    (desc->effect != IOT_E_CLOSE && !(desc->flags & IOT_D_COUNTED) && !iot_stream_is_own(c->t, fp) &&
	     !iot_stream_lock(was, c, fp)))
		return;
	iot_stream_look(was, c->t, fp);
	c->stream = was;
	was->wide = fp->_mode > 0;
	was->offset = fp->_offset;
	was->held = (size_t)(fp->_IO_read_end - fp->_IO_buf_base);
	was->prompt = 0;
	if (desc->stream == IOT_S_IN && fp->_flags & (IOT_F_UNBUFFERED | IOT_F_LINE_BUFFERED))
		was->prompt = prompt_on(stdout);
	was->asked = -1;
	if ((desc->bytes == IOT_S_ASK || was->wide || may_fill > was->unread) && c->ofd &&
	    c->ofd->owner != IOT_OFD_NONE)
		was->asked = iot_sys_lseek(c->fd, 0, SEEK_CUR);
	if (is_silent(was, c, may_fill))
		iot_count(&was->counts, c->t);
}

/* How far the descriptor's offset has moved since it was asked for before the call. */
static int64_t asked(const struct iot_stream *was, const struct iot_call *c)
{
	int64_t now;

	if (was->asked < 0 || was->flags & IOT_F_APPENDING)
		return 0;
	now = iot_sys_lseek(c->fd, 0, SEEK_CUR);
	return now - was->asked;
}

static bool at_end(const FILE *fp)
{
	return fp->_flags & 0x10;	/* _IO_EOF_SEEN */
}

/* Bytes that the call took from the program or gave to it; -1: not known. */
static int64_t handed(const struct iot_call *c, const uint64_t *arg, long ret)
{
	const struct iot_desc *desc = c->desc;
	const FILE *fp = c->stream->fp;
	uint64_t itemsize = 0, size = 0, n;
	bool in = desc->stream == IOT_S_IN;

	if (desc->bytes == IOT_S_ASK || c->stream->wide)
		return -1;
	for (uint32_t i = 0; i < desc->n; i++) {
		switch ((enum iot_kind)desc->kind[i]) {
		case IOT_K_ITEMSIZE:
			itemsize = arg[i];
			break;
		case IOT_K_ITEMS:
		case IOT_K_SIZE:
		case IOT_K_LINE:
			size = arg[i];
			break;
		default:
			break;
		}
	}
	switch ((enum iot_result)desc->result) {
	case IOT_R_ITEMS:
		/* a part of the last item may have been moved */
		return (uint64_t)ret == size || (itemsize == 1 && in) ? ret * (long)itemsize : -1;
	case IOT_R_CHAR:
		return (int)ret != -1 ? desc->bytes : in && at_end(fp) && desc->bytes == 1 ? 0 : -1;
	case IOT_R_NONNEG:
		return (int)ret < 0 ? -1 : (int64_t)size;
	case IOT_R_TEXT:
		if (!ret)
			return at_end(fp) ? 0 : -1;
		/* what looks like its end may have been a byte of the file */
		n = strlen((const char *)ret);
		return n && (n + 1 == size || ((const char *)ret)[n - 1] == '\n') ? (long)n : -1;
	case IOT_R_BYTES:
	case IOT_R_CHARS:
		ret = desc->result == IOT_R_CHARS ? (int)ret : ret;
		return ret >= 0 ? ret : in && at_end(fp) ? 0 : -1;
	default:
		return -1;
	}
}

/* Where bytes went that the kernel has counted: there, if the descriptor was moved by as many. */
static void add_written(const struct iot_call *c, int fd, uint64_t bytes, struct iot_moved *m)
{
	uint32_t n = m->n;

	add(m, &iot_desc_write, fd, bytes);
	if (m->n > n && fd == c->fd && asked(c->stream, c) == (int64_t)bytes)
		m->of[n].at = (uint64_t)c->stream->asked;
}

/* Sets what was moved, by the kernel's count. */
static void after_counting(const struct iot_call *c, struct iot_moved *m)
{
	const struct iot_stream *was = c->stream;
	bool in = c->desc->stream == IOT_S_IN;
	int to = c->fd;

	/* of both the stream's own and the prompt it does not say which */
	if (in && was->prompt)
		to = was->pending || was->wide ? -1 : iot_fileno(stdout);
	if (to >= 0)
		add_written(c, to, was->counts.out, m);
	if (in || c->desc->stream == IOT_S_SEEK)
		add(m, &iot_desc_read, c->fd, was->counts.in);
}

static void after_reading(const struct iot_call *c, int64_t bytes, struct iot_moved *m)
{
	const struct iot_stream *was = c->stream;
	const FILE *fp = was->fp;
	int64_t in;

	if ((was->flags | fp->_flags) & IOT_F_IN_BACKUP)
		return;
	if (was->prompt && !iot_ferror(stdout) && !iot_stream_pending(stdout))
		add(m, &iot_desc_write, iot_fileno(stdout), was->prompt);
	/* bytes that were pending are written first */
	if (!was->wide && was->pending && !iot_stream_pending(fp))
		add(m, &iot_desc_write, c->fd, was->pending);
	if (bytes >= 0)
		in = bytes + (int64_t)iot_stream_unread(fp) - (int64_t)was->unread;
	else
		in = was->pending ? 0 : asked(was, c);
	if (in > 0)
		add(m, &iot_desc_read, c->fd, (uint64_t)in);
}

static void after_writing(const struct iot_call *c, int64_t bytes, struct iot_moved *m)
{
	const struct iot_stream *was = c->stream;
	int64_t out = 0;

	if (bytes >= 0)
		out = bytes + (int64_t)was->pending - (int64_t)iot_stream_pending(was->fp);
	else if (was->wide && !was->unread)
		out = asked(was, c);
	if (out > 0)
		add(m, &iot_desc_write, c->fd, (uint64_t)out);
}

/* To get to a place beyond the file's end libc reads from the beginning of the block that
   the place is in; it drops what there was. */
static uint64_t dropped(const struct iot_stream *was, int fd, bool relative)
{
	const FILE *fp = was->fp;
	uint64_t size = (uint64_t)(fp->_IO_buf_end - fp->_IO_buf_base), to = (uint64_t)fp->_offset;
	uint64_t first = to & ~(size - 1);
	/* after it has appended, it doesn't know where it is, and goes on from there as it is told */
	bool lost = was->offset < 0 || (was->pending && was->flags & IOT_F_APPENDING);
	struct stat st;

	if (fp->_flags & IOT_F_NO_READS || to - first > size || (relative && lost) ||
	    iot_sys_fstatat(fd, "", &st, AT_EMPTY_PATH) < 0 || !S_ISREG(st.st_mode))
		return 0;
	/* had it been as long then, it would have been read as far as the place */
	return (uint64_t)st.st_size > first && (uint64_t)st.st_size < to ? (uint64_t)st.st_size - first : 0;
}

/* How much a seek made libc read.  A buffer that holds the place already is not filled again. */
static uint64_t filled(const struct iot_call *c, const uint64_t *arg)
{
	const struct iot_stream *was = c->stream;
	const FILE *fp = was->fp;
	int64_t to = fp->_offset - (int64_t)iot_stream_unread(fp);

	if (!was->pending && was->offset >= 0 && to >= was->offset - (int64_t)was->held && to < was->offset)
		return 0;
	if (fp->_IO_read_end == fp->_IO_buf_base)
		return dropped(was, c->fd, c->desc->n == 3 && (int)arg[2] == SEEK_CUR);
	return (uint64_t)(fp->_IO_read_end - fp->_IO_buf_base);
}

static void after_seeking(const struct iot_call *c, const uint64_t *arg, long ret, struct iot_moved *m)
{
	const struct iot_stream *was = c->stream;
	const FILE *fp = was->fp;

	if ((int)ret || was->wide || (was->flags | fp->_flags) & IOT_F_IN_BACKUP || fp->_offset < 0)
		return;
	/* rewind forgets errors; after one it is not where it was to go */
	if (c->desc->result == IOT_R_VOID && (fp->_offset || was->offset == 0))
		return;
	if (was->pending && !iot_stream_pending(fp))
		add(m, &iot_desc_write, c->fd, was->pending);
	add(m, &iot_desc_read, c->fd, filled(c, arg));
}

/* To ask costs as much as a small write.  What fills a buffer, or comes from one, is worth it. */
#define WORTH 4096u

static bool is_worth_it(const struct iot_stream *was, const struct iot_moved *m, uint64_t bytes)
{
	return bytes >= WORTH || was->asked >= 0 ||
	       (m->of[m->n - 1].desc == &iot_desc_read && was->fp->_IO_buf_end - was->fp->_IO_buf_base >= (long)WORTH);
}

/*
 * Where the bytes of the stream's own descriptor went or came from.  The kernel says where that
 * is now.  If it was asked before the call, or when the stream was last moved (o->pos, plus what
 * went since), and all has gone to that place or come from there, nobody else has moved it.
 */
static void place(const struct iot_call *c, struct iot_moved *m)
{
	const struct iot_stream *was = c->stream;
	struct iot_ofd *o = c->ofd;
	bool seeks = c->desc->stream == IOT_S_SEEK;
	uint64_t bytes = 0, at, before;
	uint32_t n = 0;
	int64_t now;

	if (!o || (o->owner != IOT_OFD_SHARED && o->owner != IOT_OFD_FRESH && o->owner != c->t))
		return;
	for (uint32_t i = 0; i < m->n; i++) {
		bytes += m->of[i].fd == c->fd ? m->of[i].bytes : 0;
		n += m->of[i].fd == c->fd;
	}
	before = was->asked >= 0 ? (uint64_t)was->asked : o->pos;
	if (!n || m->of[m->n - 1].fd != c->fd || !is_worth_it(was, m, bytes)) {
		o->pos = seeks && was->fp->_offset >= 0 ? (uint64_t)was->fp->_offset : before + bytes;
		return;
	}
	now = iot_sys_lseek(c->fd, 0, SEEK_CUR);
	o->pos = (uint64_t)now;
	at = (uint64_t)now - bytes;
	/* the block that it went to, after what it wrote elsewhere */
	if (seeks && now == was->fp->_offset && was->fp->_IO_read_end - was->fp->_IO_buf_base == (long)m->of[m->n - 1].bytes)
		m->of[m->n - 1].at = (uint64_t)now - m->of[m->n - 1].bytes;
	for (uint32_t i = 0; i < m->n && !seeks && now >= 0 && at == before; i++)
		if (m->of[i].fd == c->fd) {
			m->of[i].at = at;
			at += m->of[i].bytes;
			before = at;
		}
}

void iot_stream_after(struct iot_thread *t, const struct iot_call *c, const uint64_t *arg, long ret,
		      struct iot_moved *m)
{
	struct iot_stream *was = c->stream;

	m->n = 0;
	if (!iot_infers(c->desc) || is_at_exit())
		return;
	if (c->desc->stream == IOT_S_DIRECT) {
		if ((int)ret > 0)
			add(m, &iot_desc_write, c->fd, (uint64_t)ret);
		return;
	}
	/* a handler's call came in between */
	if (was->turn != t->stream_turn)
		return;
	if (!was->fp) {
		if (!(int)ret)
			*m = *was->all;
		return;
	}
	if (was->counts.valid) {
		/* to become wide, it may have read about the characters first */
		if (iot_count_since(&was->counts, t) &&
		    (was->wide || c->desc->effect == IOT_E_CLOSE || was->fp->_mode <= 0))
			after_counting(c, m);
		return;
	}
	if (c->desc->effect == IOT_E_CLOSE) {
		if (!(int)ret && !was->wide && c->desc->result == IOT_R_EOF)
			add(m, &iot_desc_write, c->fd, was->pending);
		return;
	}
	if (c->desc->effect == IOT_E_REOPEN || iot_ferror(was->fp) || was->fp->_flags2 & IOT_F2_MAPPED ||
	    !(was->unlock || iot_stream_was_own(t, was->fp)))
		return;
	switch ((enum iot_stream_way)c->desc->stream) {
	case IOT_S_IN:
		after_reading(c, handed(c, arg, ret), m);
		break;
	case IOT_S_OUT:
		after_writing(c, handed(c, arg, ret), m);
		break;
	case IOT_S_FLUSH:
		if (!(int)ret)
			after_writing(c, was->wide ? -1 : 0, m);
		break;
	case IOT_S_SEEK:
		after_seeking(c, arg, ret, m);
		break;
	case IOT_S_NONE:
	case IOT_S_DIRECT:
		break;
	}
	place(c, m);
}
