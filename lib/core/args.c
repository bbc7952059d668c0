/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - what the arguments of a call say, by their kinds. */
#include <aio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "draft.h"
#include "libc.h"
#include "sys.h"

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
	uint32_t serial = __atomic_load_n(&iot_cwd_serial, __ATOMIC_ACQUIRE);
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

/* The same for structures, which the kernel reads early. */
static bool kernel_may_not_have(int err)
{
	return err == EFAULT || err == EBADF || err == EINVAL || err == ENOTSOCK || err == ENOSYS;
}

/* A copy of the string at an address that may be bad; NULL if it is. */
static const char *peek(struct iot_thread *t, uint64_t addr)
{
	char *to = t->scratch[0];
	uint32_t len = 0;

	while (len < 4095) {
		uint32_t n = 4096 - (uint32_t)((addr + len) & 4095);

		if (n > 4095 - len)
			n = 4095 - len;
		if (!addr || !iot_sys_fetch(to + len, (const void *)(addr + len), n))
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

	while (s && n < IOT_NAME_MAX && s[n])
		n++;
	return n;
}

/* "" with AT_EMPTY_PATH: the call is about the descriptor itself. */
static void about_dirfd(struct iot_thread *t, struct iot_draft *d, struct iot_call *c, int dirfd)
{
	if (dirfd >= 0) {
		struct iot_fd *e = iot_fd_get(t, dirfd);

		c->handle = e->handle;
		d->path_flags = e->flags;
	}
	put_text(d, "", 0);
}

static void put_pipe(struct iot_thread *t, struct iot_draft *d, const int *fds)
{
	uint64_t first;

	if (!fds) {
		put_word(d, 0);
		return;
	}
	/* whatever had these numbers before is gone */
	iot_fd_closed(t, fds[0]);
	iot_fd_closed(t, fds[1]);
	first = iot_fd_handle(t, fds[0]);
	put_word(d, first | (uint64_t)iot_fd_handle(t, fds[1]) << 32);
}

void iot_draft_args(struct iot_thread *t, struct iot_draft *d, struct iot_call *c,
		     const uint64_t *arg, long ret, bool failed)
{
	const struct iot_desc *desc = c->desc;
	int dirfd = AT_FDCWD, made = -1;
	uint32_t paths = 0;
	/* statements' texts are copies */
	bool readable = !failed || c->err >= (int)IOT_ERR_MPI || desc->family == IOT_FORTRAN ||
			kernel_read_it(c->err);
	bool struct_readable = !failed || !kernel_may_not_have(c->err);

	if (!failed && (iot_effect(desc) == IOT_E_OPEN || iot_effect(desc) == IOT_E_REOPEN))
		made = (int)iot_result_value(desc, ret, false);
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
		case IOT_K_NAME: {
			uint32_t id = v ? iot_name_intern(t, (const char *)v) : 0;

			if (id)
				put_word(d, id);
			else
				put_text(d, (const char *)v, text_len((const char *)v));
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
			d->size = struct_readable ? iov_sum((const struct iovec *)v, (uint32_t)arg[i + 1]) : 0;
			d->present |= IOT_HAS_SIZE;
			break;
		case IOT_K_MSG:
			if (v && struct_readable) {
				const struct msghdr *m = (const struct msghdr *)v;

				d->size = iov_sum(m->msg_iov, m->msg_iovlen);
				d->present |= IOT_HAS_SIZE;
			}
			break;
		case IOT_K_ADDR:
			put_text(d, struct_readable && arg[i + 1] <= 128 ? (const void *)v : NULL,
				 (uint32_t)arg[i + 1]);
			break;
		case IOT_K_PIPEFDS:
			put_pipe(t, d, failed ? NULL : (const int *)v);
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
