/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - what the arguments of a call say, by their kinds. */
#include <aio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "arg-structs.h"
#include "fetch.h"
#include "libc.h"
#include "paths.h"
#include "record-draft.h"
#include "result.h"
#include "seen.h"
#include "sys.h"
#include "thread.h"

static void put_word(struct iot_draft *d, uint64_t word)
{
	d->text[d->argc].s = NULL;
	d->word[d->argc++] = word;
	d->words++;
}

static void put_text(struct iot_draft *d, const void *s, size_t len)
{
	if (!s) {
		put_word(d, 0);
		return;
	}
	d->text[d->argc++] = (struct iot_arg_text){ s, (uint32_t)len };
	d->words += 1 + ((uint32_t)len + 7) / 8;
}

static void put_path(struct iot_thread *t, struct iot_draft *d, int dirfd, const char *path, uint32_t nth,
		     int fd)
{
	char *buf = t->scratch[nth ? 2 : 1];
	uint32_t serial = iot_cwd_serial();
	struct iot_path p;
	uint32_t len;

	if (!path) {
		put_word(d, 0);
		return;
	}
	if (!*path) {
		put_text(d, "", 0);
		return;
	}
	len = iot_path_absolute(t, buf, dirfd, path);
	p = iot_path_intern(t, buf, len, fd);
	if (!nth) {
		d->path = p;
		d->given = dirfd == AT_FDCWD || *path == '/' ? path : NULL;
		d->serial = serial;
		d->name = buf;
		d->name_len = len;
		d->path_flags = p.flags;
	} else {
		/* of a rename, either name is enough */
		d->path_flags &= p.flags;
	}
	if (p.id)
		put_word(d, p.id);
	else
		put_text(d, buf, len);
}

/* What the program's memory may be taken for. */
struct trust {
	bool all;		/* the call has read or written what it was given */
	bool copies;		/* of our own */
	bool first_name;	/* the first name, at least */
	bool vectors;		/* what iovecs it was given, at least */
	uint32_t texts;		/* copied so far */
};

#define MAX_IOV 1024u		/* what the kernel would refuse, it has refused */

static uint64_t iov_sum(const struct iovec *iov, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n && i < MAX_IOV; i++)
		sum += iov[i].iov_len;
	return sum;
}

/* The same of what may be anything: 0 if it is. */
static IOT_COLD uint64_t fetch_iov_sum(struct iot_thread *t, const struct iovec *iov, uint64_t n)
{
	const uint64_t most = sizeof(t->scratch[0]) / sizeof(*iov);
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i += most) {
		uint64_t part = n - i < most ? n - i : most;

		if (n > MAX_IOV || !iot_fetch(t->scratch[0], iov + i, part * sizeof(*iov)))
			return 0;
		sum += iov_sum((const struct iovec *)(void *)t->scratch[0], part);
	}
	return sum;
}

/* Bytes of vectors that the kernel has taken. */
uint64_t iot_vectors_sum(struct iot_thread *t, const struct iovec *iov, uint64_t n)
{
	if (n <= MAX_IOV && iot_stays(t, iov, n * sizeof(*iov)))
		return iov_sum(iov, n);
	return fetch_iov_sum(t, iov, n);
}

/* What is received may have been written over the header, or the vector. */
static IOT_COLD uint64_t msg_size(struct iot_thread *t, const struct iot_desc *desc, const struct trust *trust,
			 const struct msghdr *from)
{
	bool received = desc->sys == SYS_recvmsg + 1, known = trust->all || trust->vectors;
	struct msghdr m;
	size_t size;

	if (!(known ? iot_fetch_used(t, &m, from, sizeof(m)) : iot_fetch(&m, from, sizeof(m))))
		return 0;
	if ((uint64_t)m.msg_iovlen > MAX_IOV)
		return 0;
	size = (size_t)m.msg_iovlen * sizeof(*m.msg_iov);
	if (known && (received ? iot_on_stack(t, m.msg_iov, size) : iot_stays(t, m.msg_iov, size)))
		return iov_sum(m.msg_iov, (uint64_t)m.msg_iovlen);
	return fetch_iov_sum(t, m.msg_iov, (uint64_t)m.msg_iovlen);
}

/* Whether a system call that failed in this way had read its first name.  Of a second,
   or another text, that says nothing: the kernel may have had enough of the first. */
static bool kernel_read_it(const struct iot_desc *desc, int err)
{
	/* a filter's errors are any; a link's text is judged before its name */
	if (!desc->sys || iot_filtered || (err == ENOENT && desc->kind[0] == IOT_K_STR))
		return false;
	return err == ENOENT || err == EEXIST || err == EACCES || err == ENOTDIR || err == EISDIR ||
	       err == ELOOP || err == EROFS || err == ENOTEMPTY || err == EXDEV;
}

/* scratch[1] and [2] have names when they are absolute, the first before the second;
   [0] has halves for two other texts, or the second name as it was given. */
static const char *name(struct iot_thread *t, const struct trust *trust, const char *given, uint32_t nth)
{
	bool known = trust->all || (trust->first_name && !nth);

	if (!given || trust->copies || (known && iot_stays(t, given, 1)))
		return given;
	return iot_fetch_text(t->scratch[nth ? 0 : 2], sizeof(t->scratch[0]), given);
}

static const char *text(struct iot_thread *t, struct trust *trust, const char *given)
{
	const uint32_t half = sizeof(t->scratch[0]) / 2;

	_Static_assert(sizeof(t->scratch[0]) / 2 > IOT_NAME_MAX, "a text fits");
	if (!given || trust->copies || (trust->all && iot_stays(t, given, 1)))
		return given;
	return iot_fetch_text(t->scratch[0] + (trust->texts++ % 2) * half, half, given);
}

/* What an offset was before the call, which has added what it moved. */
static IOT_COLD uint64_t offset_before(const struct iot_thread *t, const struct trust *trust, const int64_t *p, long ret)
{
	int64_t value;

	if (!p)
		return IOT_UNKNOWN;
	if (trust->all)
		return iot_fetch_used(t, &value, p, sizeof(value)) ? (uint64_t)(value - ret) : IOT_UNKNOWN;
	return iot_fetch(&value, p, sizeof(value)) ? (uint64_t)value : IOT_UNKNOWN;
}

/* Long texts are cut. */
static size_t text_len(const char *s)
{
	size_t n = 0;

	while (s && n < IOT_NAME_MAX && s[n])
		n++;
	return n;
}

/* "" with AT_EMPTY_PATH: the call is about the descriptor itself. */
static IOT_COLD void about_dirfd(struct iot_thread *t, struct iot_draft *d, struct iot_call *c, int dirfd)
{
	if (dirfd >= 0) {
		struct iot_fd *e = iot_fd_get(t, dirfd);

		c->handle = e->handle;
		d->path_flags = e->flags;
	}
	put_text(d, "", 0);
}

/* libc may have looked at no more than the result in it. */
static IOT_COLD void put_aiocb(struct iot_draft *d, const struct aiocb *from)
{
	struct aiocb cb;

	if (!iot_fetch(&cb, from, sizeof(cb)))
		return;
	d->size = cb.aio_nbytes;
	d->offset = (uint64_t)cb.aio_offset;
	d->present |= IOT_HAS_SIZE;
}

static IOT_COLD void put_pipe(struct iot_thread *t, struct iot_draft *d, const int *given)
{
	uint64_t first;
	int fds[2];

	if (!given || !iot_fetch_used(t, fds, given, sizeof(fds))) {
		put_word(d, 0);
		return;
	}
	/* whatever had these numbers before is gone */
	iot_fd_closed(t, fds[0]);
	iot_fd_closed(t, fds[1]);
	first = iot_fd_handle(t, fds[0]);
	put_word(d, first | (uint64_t)iot_fd_handle(t, fds[1]) << 32);
}

/* What these calls' texts are, is there whatever the call's result. */
static bool is_sure(const struct iot_desc *desc)
{
	enum { PROGRAM, SURE };
	const uint32_t sure = 0
#define IOT_FAMILY(id, name, usual, inside, text, ...) | (uint32_t)(text) << IOT_##id
#include "../../table/families.def"
		;

	return sure >> desc->family & 1;
}

static struct trust trust_in(const struct iot_call *c, enum iot_outcome outcome)
{
	const struct iot_desc *desc = c->desc;
	struct trust trust = { 0 };

	/* statements' texts are copies */
	if (is_sure(desc))
		trust.all = trust.copies = true;
	else if (desc->flags & IOT_D_UNREAD)
		; /* not even an error tells */
	else if (outcome == IOT_SUCCEEDED)
		trust.all = true;
	else if (outcome == IOT_HAS_FAILED && kernel_read_it(desc, c->err))
		trust.first_name = true;
	else if (outcome == IOT_HAS_FAILED && c->err == EAGAIN && desc->sys && !iot_filtered)
		trust.vectors = true;
	return trust;
}

/* A text by its id, or if it has none, as it is. */
static void put_name(struct iot_draft *d, uint32_t id, const char *s)
{
	if (id)
		put_word(d, id);
	else
		put_text(d, s, text_len(s));
}

/* What is told of a call, while its arguments are gone through. */
struct telling {
	struct iot_thread *t;
	struct iot_draft *d;
	struct iot_call *call;
	const struct iot_desc *desc;
	const uint64_t *arg;
	long ret;
	struct trust *trust;
	bool failed;
	int dirfd;		/* where the next name begins */
	int made;		/* the descriptor that the call made, or -1 */
	uint32_t names;		/* so far */
	uint32_t n_found;	/* words that are stored behind those of the arguments */
	uint64_t *found;
};

static IOT_COLD void put_addr(struct iot_thread *t, struct iot_draft *d, bool known, const void *addr, uint64_t len)
{
	if (len > 128 || (!known && !iot_fetch(t->scratch[0], addr, len)))
		addr = NULL;
	put_text(d, addr && !known ? t->scratch[0] : addr, (uint32_t)len);
}

static void put_kept(struct iot_thread *t, struct iot_draft *d, struct iot_kept *kept)
{
	put_name(d, kept ? iot_kept_id(t, kept) : 0, kept ? kept->text : NULL);
}

IOT_FAST void put_file_name(struct telling *w, enum iot_kind kind, const char *given)
{
	bool known = w->trust->all || w->trust->first_name;
	const char *s;

	/* a task with a directory of its own has left a directory that we don't know */
	if (kind == IOT_K_PATH)
		w->dirfd = iot_effect(w->desc) == IOT_E_CHDIR && !w->failed && w->t->flags & IOT_APART ? -1 : AT_FDCWD;
	s = name(w->t, w->trust, given, w->names);
	if (s && !*s && known)
		about_dirfd(w->t, w->d, w->call, w->dirfd);
	else
		put_path(w->t, w->d, w->dirfd, s, w->names, w->made);
	w->names++;
}

/* Words that the argument leads to: of the place of a lock or a pipe's end, or of a structure that
   the kernel has filled.  Returns how many. */
static IOT_COLD uint32_t find_words(struct iot_thread *t, const struct iot_call *c, const uint64_t *arg, uint32_t i,
				    const struct trust *trust, bool failed, uint64_t *found)
{
	const void *from = (const void *)arg[i];

	switch ((enum iot_kind)c->desc->kind[i]) {
	case IOT_K_FLOCK:
		return iot_lock_words(t, (int)arg[i - 1], from, trust->all, found);
	case IOT_K_VMSPLICE:
		return failed ? 0 : iot_end_words(c->fd, found);
	default: /* STAT, STATX */
		return trust->all && from ? iot_stat_words(t, from, c->desc->kind[i] == IOT_K_STATX, found) : 0;
	}
}

static void set_size(struct iot_draft *d, uint64_t size)
{
	d->size = size;
	d->present |= IOT_HAS_SIZE;
}

IOT_FAST void set_iov_size(struct telling *w, const struct iovec *iov, uint32_t n)
{
	if ((w->trust->all || w->trust->vectors) && iot_stays(w->t, iov, n * sizeof(*iov)))
		set_size(w->d, iov_sum(iov, n));
	else
		set_size(w->d, fetch_iov_sum(w->t, iov, n));
}

/* A call of MPI that failed need not have had a type. */
static bool has_no_type(const struct iot_desc *desc, uint64_t size)
{
	return size == IOT_UNKNOWN && (desc->family == IOT_MPIIO || desc->family == IOT_MPI);
}

/* An argument's size, offset or structure of these. */
IOT_FAST void put_extent(struct telling *w, uint32_t i)
{
	uint64_t v = w->arg[i];

	switch ((enum iot_kind)w->desc->kind[i]) {
	case IOT_K_ITEMS:
		set_size(w->d, v * w->arg[i - 1]);
		break;
	case IOT_K_OFFSET:
		w->d->offset = v;
		break;
	case IOT_K_IOV:
		set_iov_size(w, (const struct iovec *)v, (uint32_t)w->arg[i + 1]);
		break;
	case IOT_K_MSG:
		if (v)
			set_size(w->d, msg_size(w->t, w->desc, w->trust, (const struct msghdr *)v));
		break;
	case IOT_K_AIOCB:
		put_aiocb(w->d, (const struct aiocb *)v);
		break;
	default: /* a size, or a line's length */
		if (!has_no_type(w->desc, v))
			set_size(w->d, v);
		break;
	}
}

IOT_FAST void put_arg(struct telling *w, uint32_t i)
{
	enum iot_kind kind = w->desc->kind[i];
	struct iot_thread *t = w->t;
	struct iot_draft *d = w->d;
	uint64_t v = w->arg[i];
	const char *s;

	switch (kind) {
	case IOT_K_NONE:
	case IOT_K_MMSG:
	case IOT_K_FD:
	case IOT_K_FILE:
	case IOT_K_DIR:
		break;
	case IOT_K_WORD:
	case IOT_K_TIMESPEC:
	case IOT_K_TIMEVAL:
	case IOT_K_ITEMSIZE:
		put_word(d, v);
		break;
	case IOT_K_INT:
		put_word(d, (uint64_t)(int)v);
		break;
	case IOT_K_UINT:
		put_word(d, (uint32_t)v);
		break;
	case IOT_K_FD2:
		put_word(d, iot_fd_handle(t, (int)v));
		break;
	case IOT_K_OFFP:
		put_word(d, offset_before(t, w->trust, (const int64_t *)v, w->ret));
		break;
	case IOT_K_LOCKF:
		put_word(d, (uint64_t)(int)v);
		d->offset = iot_fd_at(t, w->call->ofd, w->call->fd);
		break;
	case IOT_K_DIRFD:
		w->dirfd = (int)v;
		put_word(d, (uint64_t)(long)w->dirfd);
		break;
	case IOT_K_PATH:
	case IOT_K_RELPATH:
		put_file_name(w, kind, (const char *)v);
		break;
	case IOT_K_STR:
		s = text(t, w->trust, (const char *)v);
		put_text(d, s, text_len(s));
		break;
	case IOT_K_NAME:
		put_name(d, v ? iot_name_intern(t, (const char *)v) : 0, (const char *)v);
		break;
	case IOT_K_KEPT:
		put_kept(t, d, (struct iot_kept *)v);
		break;
	case IOT_K_SIZE:
	case IOT_K_LINE:
	case IOT_K_ITEMS:
	case IOT_K_OFFSET:
	case IOT_K_IOV:
	case IOT_K_MSG:
	case IOT_K_AIOCB:
		put_extent(w, i);
		break;
	case IOT_K_FLOCK:
		put_word(d, v);
		w->n_found = find_words(t, w->call, w->arg, i, w->trust, w->failed, w->found);
		break;
	case IOT_K_VMSPLICE:
		put_word(d, (uint32_t)v);
		w->n_found = find_words(t, w->call, w->arg, i, w->trust, w->failed, w->found);
		break;
	case IOT_K_STAT:
	case IOT_K_STATX:
		w->n_found = find_words(t, w->call, w->arg, i, w->trust, w->failed, w->found);
		break;
	case IOT_K_ADDR:
		put_addr(t, d, w->trust->all && iot_stays(t, (const void *)v, w->arg[i + 1]), (const void *)v, w->arg[i + 1]);
		break;
	case IOT_K_PIPEFDS:
		put_pipe(t, d, w->trust->all ? (const int *)v : NULL);
		break;
	}
}

void iot_draft_args(struct iot_thread *t, struct iot_draft *d, struct iot_call *c,
		     const uint64_t *arg, long ret, enum iot_outcome outcome)
{
	const struct iot_desc *desc = c->desc;
	struct trust trust = trust_in(c, outcome);
	uint64_t found[IOT_MAX_FOUND];
	struct telling w;

	w.t = t;
	w.d = d;
	w.call = c;
	w.desc = desc;
	w.arg = arg;
	w.ret = ret;
	w.trust = &trust;
	w.failed = outcome == IOT_HAS_FAILED;
	w.dirfd = AT_FDCWD;
	w.made = -1;
	w.names = w.n_found = 0;
	w.found = found;
	if (!w.failed && (iot_effect(desc) == IOT_E_OPEN || iot_effect(desc) == IOT_E_REOPEN))
		w.made = (int)iot_result_value(desc, ret, false);
	for (uint32_t i = 0; i < desc->n; i++)
		put_arg(&w, i);
	for (uint32_t i = 0; i < w.n_found; i++)
		put_word(d, found[i]);
	if (desc->result == IOT_R_DIRENT)
		put_text(d, iot_entry_name((void *)ret), text_len(iot_entry_name((void *)ret)));
}
