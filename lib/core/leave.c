/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.c - how a call ends: what it did to descriptors, and its record. */
#include <aio.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "iot.h"
#include "libc.h"
#include "sys.h"

/* An argument that is more than a word. */
struct text {
	const void *s;
	uint32_t len;
};

struct draft {
	uint64_t word[IOT_MAX_PARAMS + 1];
	struct text text[IOT_MAX_PARAMS + 1];	/* s == NULL: the word is all */
	uint32_t argc, words;
	uint64_t size, offset;
	uint32_t present;
	uint32_t path_flags;
	struct iot_path path;			/* the first, */
	const char *name;			/* absolute, */
	uint32_t name_len;
};

static void put_word(struct draft *d, uint64_t word)
{
	d->text[d->argc].s = NULL;
	d->word[d->argc++] = word;
	d->words++;
}

static void put_text(struct draft *d, const void *s, size_t len)
{
	if (!s) {
		put_word(d, 0);
		return;
	}
	d->text[d->argc++] = (struct text){ s, (uint32_t)len };
	d->words += 1 + ((uint32_t)len + 7) / 8;
}

static void put_path(struct iot_thread *t, struct draft *d, int dirfd, const char *path, uint32_t nth,
		     int fd)
{
	char *buf = t->scratch[nth ? 2 : 1];
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
		d->name = buf;
		d->name_len = len;
		d->path_flags = p.flags;
	}
	if (p.id)
		put_word(d, p.id);
	else
		put_text(d, buf, len);
}

static uint64_t iov_sum(const struct iovec *iov, uint64_t n)
{
	uint64_t sum = 0;

	/* what the kernel would refuse, it has refused */
	for (uint64_t i = 0; iov && i < n && i < 1024; i++)
		sum += iov[i].iov_len;
	return sum;
}

/* Whether a call that failed in this way had read its strings: if not, they may
   be no strings at all. */
static bool kernel_read_it(int err)
{
	return err == ENOENT || err == EEXIST || err == EACCES || err == ENOTDIR || err == EISDIR ||
	       err == ELOOP || err == EROFS || err == ENOTEMPTY || err == EXDEV;
}

/* A copy of the string at an address that may be bad; NULL if it is. */
static const char *peek(struct iot_thread *t, uint64_t addr)
{
	char *to = t->scratch[0];
	uint32_t len = 0;

	while (len < 4095) {
		uint32_t n = 4096 - (uint32_t)((addr + len) & 4095);
		struct iovec local, remote = { (void *)(addr + len), n };

		if (n > 4095 - len)
			remote.iov_len = n = 4095 - len;
		local = (struct iovec){ to + len, n };
		if (!addr || iot_syscall(SYS_process_vm_readv, (long)iot_sys_getpid(), &local, 1L,
					 &remote, 1L, 0L) != (long)n)
			return NULL;
		if (memchr(to + len, 0, n))
			return to;
		len += n;
	}
	to[len] = 0;
	return to;
}

/* Long texts are cut. */
static size_t text_len(const char *s)
{
	size_t n = 0;

	while (s && n < 2000 && s[n])
		n++;
	return n;
}

/* "" with AT_EMPTY_PATH: the call is about the descriptor itself. */
static void about_dirfd(struct iot_thread *t, struct draft *d, struct iot_call *c, int dirfd)
{
	if (dirfd >= 0) {
		struct iot_fd *e = iot_fd_get(t, dirfd);

		c->handle = e->handle;
		d->path_flags = e->flags;
	}
	put_text(d, "", 0);
}

static void put_args(struct iot_thread *t, struct draft *d, struct iot_call *c,
		     const uint64_t *arg, long ret, bool failed)
{
	const struct iot_desc *desc = c->desc;
	int dirfd = AT_FDCWD, made = failed || desc->effect != IOT_E_OPEN ? -1 : (int)ret;
	uint32_t paths = 0;
	bool readable = !failed || kernel_read_it(c->err);

	for (uint32_t i = 0; i < desc->n; i++) {
		uint64_t v = arg[i];

		switch ((enum iot_kind)desc->kind[i]) {
		case IOT_K_NONE:
		case IOT_K_FD:
		case IOT_K_FILE:
		case IOT_K_DIR:
			break;
		case IOT_K_WORD:
		case IOT_K_OFFP:
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
		case IOT_K_DIRFD:
			dirfd = (int)v;
			put_word(d, (uint64_t)(long)dirfd);
			break;
		case IOT_K_PATH:
			dirfd = AT_FDCWD;
			/* fall through */
		case IOT_K_RELPATH:
			if (readable && v && !*(const char *)v) {
				about_dirfd(t, d, c, dirfd);
				break;
			}
			put_path(t, d, dirfd, readable ? (const char *)v : peek(t, v), paths++, made);
			break;
		case IOT_K_STR: {
			const char *s = readable ? (const char *)v : peek(t, v);

			put_text(d, s, text_len(s));
			break;
		}
		case IOT_K_SIZE:
			d->size = v;
			d->present |= IOT_HAS_SIZE;
			break;
		case IOT_K_ITEMSIZE:
			put_word(d, v);
			break;
		case IOT_K_ITEMS:
			d->size = v * arg[i - 1];
			d->present |= IOT_HAS_SIZE;
			break;
		case IOT_K_OFFSET:
			d->offset = v;
			break;
		case IOT_K_IOV:
			d->size = readable ? iov_sum((const struct iovec *)v, (uint32_t)arg[i + 1]) : 0;
			d->present |= IOT_HAS_SIZE;
			break;
		case IOT_K_MSG:
			if (v && readable) {
				const struct msghdr *m = (const struct msghdr *)v;

				d->size = iov_sum(m->msg_iov, m->msg_iovlen);
				d->present |= IOT_HAS_SIZE;
			}
			break;
		case IOT_K_ADDR:
			put_text(d, readable && arg[i + 1] <= 128 ? (const void *)v : NULL,
				 (uint32_t)arg[i + 1]);
			break;
		case IOT_K_PIPEFDS:
			if (failed || !v) {
				put_word(d, 0);
			} else {
				const int *p = (const int *)v;
				uint64_t first;

				iot_fd_closed(t, p[0]);
				iot_fd_closed(t, p[1]);
				first = iot_fd_handle(t, p[0]);
				put_word(d, first | (uint64_t)iot_fd_handle(t, p[1]) << 32);
			}
			break;
		case IOT_K_AIOCB:
			if (v) {
				const struct aiocb *cb = (const struct aiocb *)v;

				d->size = cb->aio_nbytes;
				d->offset = (uint64_t)cb->aio_offset;
				d->present |= IOT_HAS_SIZE;
			}
			break;
		}
	}
	if (desc->result == IOT_R_DIRENT)
		put_text(d, iot_entry_name((void *)ret), text_len(iot_entry_name((void *)ret)));
}

static bool is_failure(const struct iot_desc *desc, long ret)
{
	switch ((enum iot_result)desc->result) {
	case IOT_R_FILE:
	case IOT_R_DIR:
	case IOT_R_PTR:
	case IOT_R_TEXT:
	case IOT_R_WTEXT:
	case IOT_R_CWD:
		return !ret;
	case IOT_R_ERRCODE:
		return ret != 0;
	case IOT_R_BYTES:
	case IOT_R_COUNT:
	case IOT_R_POS:
	case IOT_R_MAP:
		return ret == -1;
	case IOT_R_FD:
	case IOT_R_STATUS:
	case IOT_R_EOF:
	case IOT_R_NONNEG:
	case IOT_R_CHAR:
	case IOT_R_CHARS:
	case IOT_R_PID:
		return (int)ret < 0;
	default:
		return false;
	}
}

static uint64_t wide_len(const wchar_t *s)
{
	uint64_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* What the log says for a result. */
static uint64_t result_value(const struct iot_desc *desc, long ret, bool failed)
{
	switch ((enum iot_result)desc->result) {
	case IOT_R_FILE:
		return failed ? ~0ULL : (uint64_t)(long)iot_fileno((FILE *)ret);
	case IOT_R_DIR:
		return failed ? ~0ULL : (uint64_t)(long)iot_dirfd((void *)ret);
	case IOT_R_TEXT:
		return failed ? ~0ULL : strlen((char *)ret);
	case IOT_R_WTEXT:
		return failed ? ~0ULL : wide_len((const wchar_t *)ret);
	case IOT_R_CWD:
		return failed ? ~0ULL : strlen((char *)ret) + 1;
	case IOT_R_DIRENT:
		return ret != 0;
	case IOT_R_ERRCODE:
	case IOT_R_FD:
	case IOT_R_STATUS:
	case IOT_R_EOF:
	case IOT_R_NONNEG:
	case IOT_R_CHAR:
	case IOT_R_CHARS:
	case IOT_R_PID:
	case IOT_R_MASK:
		return (uint64_t)(long)(int)ret;
	default:
		return (uint64_t)ret;
	}
}

/* stdio's results are errors only if the stream says so: EOF is none. */
static int stream_error(const struct iot_desc *desc, const uint64_t *arg, int err)
{
	if (desc->family != IOT_STDIO || desc->result == IOT_R_FILE || desc->result == IOT_R_EOF ||
	    desc->result == IOT_R_STATUS)
		return err;
	for (uint32_t i = 0; i < desc->n; i++)
		if (desc->kind[i] == IOT_K_FILE && arg[i])
			return iot_ferror((FILE *)arg[i]) ? err : 0;
	return err;
}

static void do_effect(struct iot_thread *t, struct iot_call *c, long ret, const uint64_t *arg,
		      struct draft *d)
{
	const struct iot_desc *desc = c->desc;
	/* open has three parameters and openat four; creat has no flags */
	int flags = desc->n >= 3 ? (int)arg[desc->n - 2] : 0;

	switch ((enum iot_effect)desc->effect) {
	case IOT_E_OPEN:
		if (d->name)
			iot_fd_opened(t, (int)ret, &d->path, d->name, d->name_len, flags & O_APPEND);
		else
			iot_fd_closed(t, (int)ret);
		break;
	case IOT_E_DUP:
		iot_fd_dup(t, c->fd, (int)ret);
		break;
	case IOT_E_DUP2:
		iot_fd_dup(t, (int)arg[0], (int)arg[1]);
		break;
	case IOT_E_FCNTL:
		if ((int)arg[1] == F_DUPFD || (int)arg[1] == F_DUPFD_CLOEXEC)
			iot_fd_dup(t, c->fd, (int)ret);
		else if ((int)arg[1] == F_SETFL && (int)arg[2] & O_APPEND)
			iot_fd_shared(c->fd);
		break;
	case IOT_E_SOCKET:
		iot_fd_closed(t, (int)ret);
		break;
	case IOT_E_SEEK:
		iot_fd_seek(t, c->fd, (uint64_t)ret);
		break;
	case IOT_E_CHDIR:
		iot_cwd_changed();
		break;
	case IOT_E_MOVES:
		for (uint32_t i = 0; i < desc->n; i++)
			if (desc->kind[i] == IOT_K_FD || desc->kind[i] == IOT_K_FD2)
				iot_fd_shared((int)arg[i]);
		break;
	case IOT_E_DLOPEN:
		iot_maps_define(t);
		break;
	case IOT_E_NONE:
	case IOT_E_CLOSE:
		break;
	}
}

/* The call's place among the calls in progress is free again. */
static void pop(struct iot_thread *t, uint32_t depth)
{
	if (depth < IOT_MAX_SLOTS)
		iot_slots(t)[depth].start = 0;
	t->depth = depth;
}

/* Stores the record.  t is busy. */
static void store(struct iot_thread *t, const struct iot_call *c, const struct draft *d, uint64_t end,
		  uint64_t ret, int err, uint32_t status)
{
	uint32_t present = d->present, words, depth = c->depth;
	uint64_t dur = end - c->start, *p, *q;

	if (end - t->base > t->limit)
		iot_rebase(t, c->start > t->base ? c->start : end);
	if (d->offset != IOT_UNKNOWN)
		present |= IOT_HAS_OFFSET;
	if (dur >> 32)
		present |= IOT_HAS_DUR;
	/* iot_reserve may begin a new block and with it a new base: room for all */
	p = iot_reserve(t, 4 + 5 + d->words);
	if (c->start < t->base || (c->start - t->base) >> 32)
		present |= IOT_HAS_START;
	q = p + 4;
	if (present & IOT_HAS_START)
		*q++ = c->start;
	if (present & IOT_HAS_DUR)
		*q++ = dur;
	if (present & IOT_HAS_SIZE)
		*q++ = d->size;
	if (present & IOT_HAS_OFFSET)
		*q++ = d->offset;
	if (present & IOT_HAS_RET)
		*q++ = ret;
	for (uint32_t i = 0; i < d->argc; i++) {
		if (d->text[i].s)
			q = iot_put_bytes(q, d->text[i].s, d->text[i].len);
		else
			*q++ = d->word[i];
	}
	words = (uint32_t)(q - p);
	p[0] = c->desc->id | IOT_GENERAL << IOT_FORM_SHIFT | c->internal |
	       (uint64_t)(depth < IOT_DEPTH_MAX ? depth : IOT_DEPTH_MAX) << IOT_DEPTH_SHIFT |
	       (uint64_t)(c->handle & 0xffff) << IOT_HANDLE_SHIFT |
	       (present & IOT_HAS_START ? 0 : (c->start - t->base) << IOT_DT_SHIFT);
	p[1] = (present & IOT_HAS_DUR ? 0 : dur) | (uint64_t)words << 32 | (uint64_t)present << 48;
	p[2] = c->handle | (uint64_t)c->stack << 32;
	p[3] = (uint64_t)err | (uint64_t)depth << 16 | (uint64_t)status << 32 | (uint64_t)d->argc << 40;
	if (c->start < t->win->base)
		t->win->n_late++;
	iot_commit(t, words);
}

/* After a fork inside the call: the recorder of this process, if it has one. */
static struct iot_thread *survivor(struct iot_call *c)
{
	struct iot_thread *t = iot_self;

	if (!t || t->state != IOT_IDLE)
		t = iot_attach_slow(t);
	c->handle = c->stack = 0;
	c->ofd = NULL;
	return t;
}

void iot_leave_status(struct iot_call *c, long ret, int err, const uint64_t *arg, uint32_t status)
{
	uint64_t end = iot_ticks(), value = 0;
	struct iot_thread *t = c->t;
	struct draft d = { .offset = IOT_UNKNOWN };
	bool failed = status != IOT_ST_NORETURN && is_failure(c->desc, ret);

	if (iot_unlikely(t->state != IOT_IDLE || c->generation != iot_generation))
		t = survivor(c);
	if (!t)
		return;
	if (iot_unlikely(t->depth > c->depth + 1))
		iot_abandon(t, c->depth + 1);
	t->state = IOT_BUSY;
	iot_barrier();
	if (c->desc->result == IOT_R_ERRCODE)
		err = (int)ret;
	c->err = failed ? stream_error(c->desc, arg, err) : 0;
	put_args(t, &d, c, arg, ret, failed);
	/* readv2 and its like are sequential if they are given no offset */
	if (c->ofd && c->desc->flags & IOT_D_SEQ) {
		uint64_t at = iot_ofd_leave(t, c->ofd, c->fd, c->offset, c->ticket,
					    d.offset == IOT_UNKNOWN ? ret : 0);

		if (d.offset == IOT_UNKNOWN)
			d.offset = at;
	}
	if (!failed && status != IOT_ST_NORETURN && c->desc->effect)
		do_effect(t, c, ret, arg, &d);
	if (status != IOT_ST_NORETURN && c->desc->result != IOT_R_VOID) {
		value = result_value(c->desc, ret, failed);
		d.present |= IOT_HAS_RET;
	}
	/* libc found something wrong before it came to the system call */
	if (c->no_syscall || (c->desc->flags & IOT_D_THIN && t->thin >> (c->depth & 63) & 1))
		status |= IOT_ST_NO_SYSCALL;
	if (!c->silent && !(d.path_flags & IOT_FD_UNTRACED))
		store(t, c, &d, end, value, c->err, status);
	if ((status & 3) != IOT_ST_NORETURN)
		pop(t, c->depth);
	iot_barrier();
	t->state = IOT_IDLE;
}

void iot_leave(struct iot_call *c, long ret, const uint64_t *arg)
{
	iot_leave_status(c, ret, errno, arg, IOT_ST_FINISHED);
	c->t = NULL;
}

/* Before a call that will not return: its record, and those of the calls around
   it, which will not return either, are in their slots. */
void iot_noreturn(struct iot_call *c, const uint64_t *arg)
{
	iot_leave_status(c, 0, 0, arg, IOT_ST_NORETURN);
}

/* Records that the calls in progress from depth on were left without returning. */
void iot_abandon(struct iot_thread *t, uint32_t depth)
{
	uint64_t end = iot_ticks();

	for (uint32_t i = t->depth; i > depth; i--) {
		struct iot_slot *s = i <= IOT_MAX_SLOTS ? &iot_slots(t)[i - 1] : NULL;
		struct iot_desc desc = { .id = s ? s->call & 0xffff : 0 };
		struct draft d = { .offset = IOT_UNKNOWN };
		struct iot_call c = { .desc = &desc, .depth = i - 1 };

		if (!s || !s->start)
			continue;
		c.start = s->start;
		c.handle = s->handle;
		c.stack = s->stack;
		c.internal = s->call & IOT_SLOT_INTERNAL ? IOT_INTERNAL : 0;
		t->state = IOT_BUSY;
		iot_barrier();
		store(t, &c, &d, end, 0, 0, IOT_ST_ABANDONED);
		s->start = 0;
		iot_barrier();
		t->state = IOT_IDLE;
	}
	t->depth = depth;
}
