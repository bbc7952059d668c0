/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fds.c - descriptors and the open file descriptions behind them.
 *
 * An entry is filled when a wrapper sees the descriptor made, or, for those that
 * came from elsewhere (inherited, received, made by raw system calls), when it
 * is first used.  Entries are changed by the thread whose call changes the
 * descriptor; others read them without locks and may for an instant see the
 * file that the number stood for before, as the kernel's own callers may.
 *
 * File offsets.  While one thread alone moves an offset, adding up results gives
 * it exactly.  Once a second thread or process can move it, the kernel is asked
 * before and after each call; if calls of two threads overlapped, or the offset
 * moved by something else than the result, nobody knows whose bytes lie where, and
 * it is left out.
 *
 * Where libc's own calls are not seen, it moves offsets as well: of streams, of what it
 * is given for that, and of standard input, output and error.  The kernel is asked
 * there.
 */
#include "fds.h"

#include "arena.h"
#include "hooks.h"
#include "log-share.h"
#include "logfd.h"
#include "paths.h"
#include "seen.h"
#include "sys.h"
#include "thread.h"
#include "window.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct iot_fd iot_fd_first[IOT_FD_CHUNK];
/* What each descriptor stands for.  Those below IOT_FD_CHUNK are in iot_fd_first. */
static struct iot_fd *chunks[IOT_FD_CHUNKS];

static struct iot_pool ofds = { .size = sizeof(struct iot_ofd) };

/* pairs (fd, path) that have a handle already, for what the path stood for */
#define PAIRS 4096u
#define CLAIMED 0xffffffffu		/* in the place of a handle: another thread changes the pair */
static struct pair {
	uint32_t fd, path, handle, type;
} *pairs;

static void drop_ofd(struct iot_ofd *o)
{
	if (o && __atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) == 0)
		iot_pool_put(&ofds, o);
}

/* Gives the descriptor a new description: its old one, if no other descriptor has that.  Descriptors are
   opened and closed by the million. */
static void renew_ofd(struct iot_fd *e, struct iot_thread *owner)
{
	struct iot_ofd *o = e->ofd;

	if (!o || __atomic_load_n(&o->refs, __ATOMIC_RELAXED) != 1) {
		o = iot_pool_get(&ofds);
		if (o)
			*o = (struct iot_ofd){ .refs = 1 };
		drop_ofd(__atomic_exchange_n(&e->ofd, o, __ATOMIC_ACQ_REL));
	}
	if (o) {
		/* calls stays: a call that is under way on the old file takes itself off */
		o->pos = 0;
		o->owner = owner;
		o->user = NULL;
	}
}

/* NULL if none of its descriptors was ever seen. */
/* no descriptor above has ever been in the table */
static uint32_t reached;

static inline struct iot_fd *chunk_at(uint32_t c)
{
	return c ? __atomic_load_n(&chunks[c], __ATOMIC_ACQUIRE) : iot_fd_first;
}

static inline struct iot_fd *seen(int fd)
{
	uint32_t at = (uint32_t)fd / IOT_FD_CHUNK;
	struct iot_fd *chunk = at < IOT_FD_CHUNKS ? chunk_at(at) : NULL;

	return chunk ? chunk + (uint32_t)fd % IOT_FD_CHUNK : NULL;
}

static struct iot_fd *slot_of(int fd)
{
	uint32_t at = (uint32_t)fd / IOT_FD_CHUNK, was = __atomic_load_n(&reached, __ATOMIC_RELAXED);
	struct iot_fd *e = seen(fd);

	if (!e && at < IOT_FD_CHUNKS && iot_map_once(&chunks[at], IOT_FD_CHUNK * sizeof(*e)))
		e = seen(fd);
	while (e && was <= (uint32_t)fd &&
	       !__atomic_compare_exchange_n(&reached, &was, (uint32_t)fd + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return e;
}

static void define(struct iot_thread *t, uint32_t handle, int fd, const struct iot_path *path,
		   const char *name, uint32_t len)
{
	uint64_t *p = iot_define(t, IOT_DEF_HANDLE, 5 + (len + 7) / 8);

	*p++ = handle;
	*p++ = (uint64_t)fd;
	if (path->id || !len)
		*p++ = path->id;
	else
		p = iot_put_bytes(p, name, len);
	*p++ = path->mode & S_IFMT;
	iot_define_done(t, p);
}

/* The handle of this descriptor on this path.  t is busy. */
static IOT_COLD uint32_t handle_for(struct iot_thread *t, int fd, const struct iot_path *path,
			   const char *name, uint32_t len)
{
	struct pair *pair = NULL;
	uint32_t handle, was = 0;

	if (iot_map_once(&pairs, PAIRS * sizeof(*pairs)) && path->id) {
		/* This is a cache: a pair that lost its place gets another handle. */
		pair = &pairs[(path->id * 31 + (uint32_t)fd + (path->mode & S_IFMT) / 64) % PAIRS];
		was = __atomic_load_n(&pair->handle, __ATOMIC_ACQUIRE);
		if (was && was != CLAIMED && __atomic_load_n(&pair->fd, __ATOMIC_RELAXED) == (uint32_t)fd &&
		    __atomic_load_n(&pair->type, __ATOMIC_RELAXED) == (path->mode & S_IFMT) &&
		    __atomic_load_n(&pair->path, __ATOMIC_ACQUIRE) == path->id &&
		    was == __atomic_load_n(&pair->handle, __ATOMIC_ACQUIRE))
			return was;
	}
	handle = __atomic_add_fetch(&iot_share->n_handles, 1, __ATOMIC_RELAXED);
	define(t, handle, fd, path, name, len);
	/* if two threads change the pair at once, one gives way */
	if (pair && was != CLAIMED &&
	    __atomic_compare_exchange_n(&pair->handle, &was, CLAIMED, false, __ATOMIC_SEQ_CST,
					__ATOMIC_RELAXED)) {
		__atomic_store_n(&pair->fd, (uint32_t)fd, __ATOMIC_RELAXED);
		__atomic_store_n(&pair->type, path->mode & S_IFMT, __ATOMIC_RELAXED);
		__atomic_store_n(&pair->path, path->id, __ATOMIC_RELAXED);
		__atomic_store_n(&pair->handle, handle, __ATOMIC_RELEASE);
	}
	return handle;
}

/* Does libc read or write this descriptor by itself, unseen?  It does for messages, and for streams that
   no call has made. */
static bool is_of_libc(int fd)
{
	return (uint32_t)fd <= STDERR_FILENO && iot_libc_unseen();
}

static void fill(struct iot_thread *t, struct iot_fd *e, int fd, const struct iot_path *path,
		 const char *name, uint32_t len, struct iot_thread *owner, bool append)
{
	__atomic_store_n(&e->handle, 0, __ATOMIC_RELEASE);
	renew_ofd(e, !iot_has_offset(path->mode) ? IOT_OFD_NONE : is_of_libc(fd) ? IOT_OFD_SHARED : owner);
	e->flags = path->flags | (append && iot_has_offset(path->mode) ? IOT_FD_APPEND : 0);
	__atomic_store_n(&e->handle, handle_for(t, fd, path, name, len), __ATOMIC_RELEASE);
}

static bool is_append(int fd, const struct iot_path *path)
{
	int flags = iot_has_offset(path->mode) ? iot_sys_fcntl(fd, F_GETFL, 0) : 0;

	return flags > 0 && flags & O_APPEND;
}

/* A description of which nothing is remembered from one call to the next.  A handler that comes
   in between lets the call that it interrupts see others (iot_ofd_leave). */
static struct iot_ofd *spare_ofd(struct iot_thread *t, const struct iot_path *path)
{
	struct iot_ofd *o = &t->spare_ofd;

	if (!iot_has_offset(path->mode))
		return NULL;
	*o = (struct iot_ofd){ .pos = IOT_UNKNOWN, .owner = IOT_OFD_SHARED, .user = IOT_OFD_SHARED, .refs = 1,
			       .calls = (uint32_t)o->calls + 1 };
	return o;
}

/*
 * What a descriptor stands for.  The kernel is asked if that is not known.  t is busy.  A descriptor that
 * is not open has a handle too, which a failing call names, but is not remembered.
 */
struct iot_fd *iot_fd_get(struct iot_thread *t, int fd)
{
	struct iot_fd *e = slot_of(fd);
	struct iot_path path = { 0 };
	uint32_t len;

	if (e && e->handle && !(t->flags & IOT_APART))
		return e;
	if (!e || iot_log_owns(fd) || (t->flags & IOT_APART))
		e = &t->spare_fd;
	len = iot_path_of_fd(fd, t->scratch[0]);
	if (len)
		path = iot_path_intern(t, t->scratch[0], len, fd);
	if (!len || e == &t->spare_fd) {
		e = &t->spare_fd;
		e->ofd = spare_ofd(t, &path);
		e->flags = path.flags | (is_append(fd, &path) ? IOT_FD_APPEND : 0);
		e->handle = handle_for(t, fd, &path, t->scratch[0], len);
		return e;
	}
	fill(t, e, fd, &path, t->scratch[0], len, IOT_OFD_SHARED, is_append(fd, &path));
	return e;
}

/* A handle for a file that has a name and no descriptor, as MPI's files.  flags becomes its IOT_FD_*. */
uint32_t iot_handle_of_path(struct iot_thread *t, const char *name, uint32_t *flags)
{
	struct iot_path path;
	uint32_t len, handle;

	iot_busy(t);
	len = iot_path_absolute(t, t->scratch[1], AT_FDCWD, name);
	path = iot_path_intern(t, t->scratch[1], len, -1);
	handle = handle_for(t, -1, &path, t->scratch[1], len);
	iot_idle(t);
	*flags = path.flags;
	return handle;
}

uint32_t iot_fd_handle(struct iot_thread *t, int fd)
{
	return fd < 0 ? 0 : iot_fd_get(t, fd)->handle;
}

/* The program opened a file; t is busy. */
void iot_fd_opened(struct iot_thread *t, int fd, const struct iot_path *path, const char *name,
		   uint32_t len, bool append)
{
	struct iot_fd *e = slot_of(fd);

	if (e && !(t->flags & IOT_APART))
		fill(t, e, fd, path, name, len, append ? IOT_OFD_APPEND : IOT_OFD_FRESH, append);
}

/* The program opened a file without a name (O_TMPFILE): the kernel has a name for it. */
IOT_COLD void iot_fd_opened_nameless(struct iot_thread *t, int fd, bool append)
{
	uint32_t len = iot_path_of_fd(fd, t->scratch[0]);
	struct iot_path path = iot_path_intern(t, t->scratch[0], len, fd);

	iot_fd_opened(t, fd, &path, t->scratch[0], len, append);
}

/* The number is free, or will be at once, or stands for something new. */
void iot_fd_closed(struct iot_thread *t, int fd)
{
	struct iot_fd *e = seen(fd);
	struct iot_ofd *o;

	if (!e || (t && t->flags & IOT_APART))
		return;
	if (iot_uring_closed)
		iot_uring_closed(t, fd);
	e->handle = 0;
	/* another thread or a handler may close it too */
	o = e->ofd;
	if (o && __atomic_load_n(&o->refs, __ATOMIC_RELAXED) != 1)
		drop_ofd(__atomic_exchange_n(&e->ofd, NULL, __ATOMIC_ACQ_REL));
}

IOT_COLD void iot_fd_closed_range(struct iot_thread *t, uint32_t first, uint32_t last)
{
	for (uint32_t c = first / IOT_FD_CHUNK; c < IOT_FD_CHUNKS && c <= last / IOT_FD_CHUNK; c++)
		for (uint32_t i = 0; chunk_at(c) && i < IOT_FD_CHUNK; i++)
			if (c * IOT_FD_CHUNK + i >= first && c * IOT_FD_CHUNK + i <= last)
				iot_fd_closed(t, (int)(c * IOT_FD_CHUNK + i));
}

/* The descriptor to now stands for what from stands for.  t is busy. */
IOT_COLD void iot_fd_dup(struct iot_thread *t, int from, int to)
{
	struct iot_fd *f, *e;

	if (from == to || (t->flags & IOT_APART))
		return;
	iot_fd_closed(t, to);
	if (iot_uring_dup)
		iot_uring_dup(from, to);
	f = iot_fd_get(t, from);
	e = slot_of(to);
	if (!e || f == &t->spare_fd || !f->ofd)
		return;
	/* The file is the same under another number: its name is asked for once more, by number. */
	__atomic_add_fetch(&f->ofd->refs, 1, __ATOMIC_RELAXED);
	drop_ofd(__atomic_exchange_n(&e->ofd, f->ofd, __ATOMIC_ACQ_REL));
	e->flags = f->flags;
	if (is_of_libc(to))
		iot_fd_shared(to);
	uint32_t len = iot_path_of_fd(to, t->scratch[0]);
	struct iot_path path = iot_path_intern(t, t->scratch[0], len, to);

	__atomic_store_n(&e->handle, handle_for(t, to, &path, t->scratch[0], len), __ATOMIC_RELEASE);
}

/* Makes a new description t's.  Returns whose it was. */
static struct iot_thread *claim(struct iot_thread *t, struct iot_ofd *o)
{
	struct iot_thread *owner = IOT_OFD_FRESH;

	iot_fds_renew();
	__atomic_compare_exchange_n(&o->owner, &owner, t, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	return owner;
}

/* The offset of a new description.  IOT_UNKNOWN: it is a pipe's, though its name was a file's when the
   name was looked at. */
static uint64_t where_new(const struct iot_ofd *o, int fd)
{
	long pos = iot_sys_lseek(fd, 0, SEEK_CUR);

	if (iot_unlikely(pos == -ESPIPE))
		return IOT_UNKNOWN;
	/* a filter of the program's may forbid this question */
	return pos < 0 ? o->pos : (uint64_t)pos;
}

/* The name by which the descriptor was opened now names something that has no offset. */
static IOT_COLD void is_no_file(struct iot_thread *t, struct iot_ofd *o, int fd)
{
	struct iot_fd *e = seen(fd);
	uint32_t handle = e ? e->handle : 0, len = 0;
	struct iot_path path = { 0 };
	struct stat st;

	__atomic_store_n(&o->owner, IOT_OFD_NONE, __ATOMIC_RELAXED);
	if (!handle || iot_sys_fstat(fd, &st))
		return;
	for (uint32_t i = 0; pairs && i < PAIRS && !path.id; i++)
		if (__atomic_load_n(&pairs[i].handle, __ATOMIC_ACQUIRE) == handle)
			path.id = __atomic_load_n(&pairs[i].path, __ATOMIC_RELAXED);
	iot_busy(t);
	/* a pair that lost its place: the kernel's name for the descriptor is taken */
	if (!path.id) {
		len = iot_path_of_fd(fd, t->scratch[0]);
		path = iot_path_intern(t, t->scratch[0], len, fd);
	}
	path.mode = st.st_mode;
	__atomic_store_n(&e->handle, handle_for(t, fd, &path, t->scratch[0], len), __ATOMIC_RELEASE);
	iot_idle(t);
}

/* A call of lseek set the offset to pos. */
void iot_fd_seek(struct iot_thread *t, int fd, uint64_t pos)
{
	struct iot_fd *e = slot_of(fd);
	struct iot_ofd *o = e ? e->ofd : NULL;

	if (!o || (t->flags & IOT_APART))
		return;
	if (o->owner == IOT_OFD_FRESH && claim(t, o) != IOT_OFD_FRESH)
		iot_ofd_enter(t, o, fd, NULL);
	if (o->owner == t)
		o->pos = pos;
	if (iot_offset_moving(t))
		iot_fd_shared(fd);
}

/* The offset at which t is.  IOT_UNKNOWN: somebody else may have gone on meanwhile. */
uint64_t iot_fd_at(const struct iot_thread *t, const struct iot_ofd *o, int fd)
{
	struct iot_thread *owner;

	iot_fds_renew();
	owner = o ? __atomic_load_n(&o->owner, __ATOMIC_RELAXED) : IOT_OFD_NONE;
	if (owner == IOT_OFD_FRESH)
		return where_new(o, fd);
	return owner == t ? o->pos : IOT_UNKNOWN;
}

/* Something other than read, write and lseek may have moved the offset. */
void iot_fd_shared(int fd)
{
	struct iot_fd *e = slot_of(fd);

	if (e && e->ofd && __atomic_load_n(&e->ofd->owner, __ATOMIC_RELAXED) != IOT_OFD_NONE)
		__atomic_store_n(&e->ofd->owner, IOT_OFD_SHARED, __ATOMIC_RELAXED);
}

/* From now on, what is written through the descriptor, or others of its description, goes to the file's
   end (append), or to the offset. */
IOT_COLD void iot_fd_appends(int fd, bool append)
{
	const struct iot_fd *e = seen(fd);
	const struct iot_ofd *o = e && e->handle ? e->ofd : NULL;

	if (!o || o->owner == IOT_OFD_NONE || !(e->flags & IOT_FD_APPEND) == !append)
		return;
	/* other processes may have the description, and this one may have it by a message */
	if (o->owner == IOT_OFD_SHARED)
		__atomic_fetch_add(&iot_header->appended, 1, __ATOMIC_RELAXED);
	iot_fd_shared(fd);
	for (uint32_t c = 0; c < IOT_FD_CHUNKS; c++)
		for (uint32_t i = 0; chunk_at(c) && i < IOT_FD_CHUNK; i++)
			if (chunk_at(c)[i].ofd == o)
				chunk_at(c)[i].flags ^= IOT_FD_APPEND;
}

/* A call of t's moved the offset, nobody saw how far. */
void iot_ofd_ask(struct iot_thread *t, struct iot_ofd *o, int fd)
{
	if (__atomic_load_n(&o->owner, __ATOMIC_RELAXED) == t)
		o->pos = (uint64_t)iot_sys_lseek(fd, 0, SEEK_CUR);
}

/* A call on the handle was left without returning: nobody saw how far it moved the offset. */
IOT_COLD void iot_fd_left(struct iot_thread *t, uint32_t handle)
{
	for (uint32_t c = 0; handle && c < IOT_FD_CHUNKS; c++)
		for (uint32_t i = 0; chunk_at(c) && i < IOT_FD_CHUNK; i++) {
			const struct iot_fd *e = &chunk_at(c)[i];

			if (e->handle == handle && e->ofd)
				iot_ofd_ask(t, e->ofd, (int)(c * IOT_FD_CHUNK + i));
		}
}

/* A child process has all descriptors, too. */
IOT_COLD void iot_fds_shared(void)
{
	for (uint32_t fd = 0, end = __atomic_load_n(&reached, __ATOMIC_RELAXED); fd < end; fd++) {
		const struct iot_fd *e = seen((int)fd);

		if (e && e->handle && e->ofd && __atomic_load_n(&e->ofd->owner, __ATOMIC_RELAXED) != IOT_OFD_SHARED)
			iot_fd_shared((int)fd);
	}
}

uint64_t iot_taken;

/* Asks the kernel which descriptions append, of those that other processes have, too. */
static void ask_whether_appended(void)
{
	for (uint32_t fd = 0, end = __atomic_load_n(&reached, __ATOMIC_RELAXED); fd < end; fd++) {
		struct iot_fd *e = seen((int)fd);
		int flags;

		if (!e || !e->handle || !e->ofd || __atomic_load_n(&e->ofd->owner, __ATOMIC_RELAXED) != IOT_OFD_SHARED)
			continue;
		flags = iot_sys_fcntl((int)fd, F_GETFL, 0);
		if (flags >= 0 && !(flags & O_APPEND) != !(e->flags & IOT_FD_APPEND))
			e->flags ^= IOT_FD_APPEND;
	}
}

/* Another process has taken a descriptor (taken-fds.c), or a process of this log has changed whether one
   appends, and did not say which. */
IOT_COLD void iot_fds_taken(void)
{
	uint64_t taken = iot_taken_now();

	if ((taken ^ iot_taken) << 32)
		iot_fds_shared();
	if ((taken ^ iot_taken) >> 32)
		ask_whether_appended();
	__atomic_store_n(&iot_taken, taken, __ATOMIC_RELEASE);
}

/* In a forked child: its parent has the same offsets, and calls of its parent's other threads are not
   under way here. */
IOT_EACH void iot_fds_forked(void)
{
	for (uint32_t fd = 0, end = __atomic_load_n(&reached, __ATOMIC_RELAXED); fd < end; fd++) {
		const struct iot_fd *e = seen((int)fd);
		struct iot_ofd *o = e && e->handle ? e->ofd : NULL;

		if (!o)
			continue;
		if (o->owner != IOT_OFD_NONE && o->owner != IOT_OFD_SHARED)
			o->owner = IOT_OFD_SHARED;
		if (o->calls >> 32)
			o->calls = 0;
		if (o->user)
			o->user = NULL;
	}
}

/* Another log begins. */
IOT_COLD void iot_fds_forget(void)
{
	for (uint32_t c = 0; c < IOT_FD_CHUNKS; c++)
		if (chunk_at(c))
			memset(chunk_at(c), 0, IOT_FD_CHUNK * sizeof(struct iot_fd));
	if (pairs)
		memset(pairs, 0, PAIRS * sizeof(*pairs));
}

/*
 * Before a call that moves the offset of a description that is not known to be
 * t's alone.  Returns the offset, IOT_UNKNOWN if it is to be asked afterwards.
 * *ticket becomes non-zero if this call is alone so far.
 */
uint64_t iot_ofd_enter(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t *ticket)
{
	struct iot_thread *owner = claim(t, o);
	uint64_t mine;
	long pos;

	if (owner == IOT_OFD_FRESH) {
		mine = where_new(o, fd);
		if (mine == IOT_UNKNOWN)
			is_no_file(t, o, fd);
		else
			o->pos = mine;
		return mine;
	}
	if (owner == t)
		return o->pos;
	if (owner == IOT_OFD_NONE)
		return IOT_UNKNOWN;
	if (owner != IOT_OFD_APPEND)
		__atomic_store_n(&o->owner, IOT_OFD_SHARED, __ATOMIC_RELAXED);
	if (!ticket)
		return IOT_UNKNOWN;
	/* low half: calls begun; high half: calls under way */
	mine = __atomic_add_fetch(&o->calls, (1ULL << 32) + 1, __ATOMIC_ACQ_REL);
	*ticket = mine;
	if (owner == IOT_OFD_APPEND && __atomic_load_n(&o->pos, __ATOMIC_RELAXED))	/* has been asked */
		return IOT_UNKNOWN;
	pos = iot_sys_lseek(fd, 0, SEEK_CUR);
	if (iot_unlikely(pos == -ESPIPE)) {
		__atomic_fetch_sub(&o->calls, 1ULL << 32, __ATOMIC_ACQ_REL);
		*ticket = 0;
		is_no_file(t, o, fd);
		return IOT_UNKNOWN;
	}
	if (owner != IOT_OFD_APPEND)
		return (uint64_t)pos;
	__atomic_store_n(&o->pos, 1, __ATOMIC_RELAXED);
	return IOT_UNKNOWN;
}

uint64_t iot_end_of(int fd)
{
	struct stat st;

	return iot_sys_fstatat(fd, "", &st, AT_EMPTY_PATH) < 0 || !S_ISREG(st.st_mode) ? IOT_UNKNOWN :
											(uint64_t)st.st_size;
}

/* After it: the offset at which the call took place.  end: where the file ended before
   the call, if what was written went there. */
uint64_t iot_ofd_leave(struct iot_thread *t, struct iot_ofd *o, int fd, uint64_t before,
		       uint64_t end, uint64_t ticket, long ret)
{
	uint64_t now;
	long pos;

	iot_fds_renew();
	if (!ticket) {
		if (__atomic_load_n(&o->owner, __ATOMIC_RELAXED) == t) {
			if (o->pos == before) {
				o->pos += ret > 0 ? (uint64_t)ret : 0;
				return before;
			}
			/* a handler's own call in between left the order unknown */
			o->pos = (uint64_t)iot_sys_lseek(fd, 0, SEEK_CUR);
			return IOT_UNKNOWN;
		}
		/* another thread came while the call was under way: who was first? */
		return IOT_UNKNOWN;
	}
	/* asked before it is seen that no other thread came in between */
	pos = iot_sys_lseek(fd, 0, SEEK_CUR);
	now = __atomic_fetch_sub(&o->calls, 1ULL << 32, __ATOMIC_ACQ_REL);
	if (now != ticket || ticket >> 32 != 1 || pos < 0)
		return IOT_UNKNOWN;
	if (ret > 0)
		pos -= ret;
	if (pos < 0)
		return IOT_UNKNOWN;
	if (before == (uint64_t)pos || end == (uint64_t)pos)
		return (uint64_t)pos;
	/* others may have opened the file, too, but its end was not looked at */
	return end == IOT_UNKNOWN && __atomic_load_n(&o->owner, __ATOMIC_RELAXED) == IOT_OFD_APPEND ?
		       (uint64_t)pos : IOT_UNKNOWN;
}
