/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * __stdio_write.c - how streams are written: what the buffer holds and what comes
 * after it, by as many writev as it takes.
 */
#include <sys/uio.h>

#include "inside.h"
#include "desc_writev.h"

struct writing {
	struct iot_inside in;
	struct iot_call call;
	struct iovec iov[2];
	int fd;
	int first;			/* iov[] from here on is yet to be written */
};

static void begin(struct writing *w)
{
	iot_enter(&w->call, &IOT_DESC_NAME(writev), IOT_INTERNAL, w->fd, (void *)w->in.frame);
}

static void written(struct iot_inside *in, long ret)
{
	struct writing *w = (struct writing *)in;
	const uint64_t arg[] = { (uint64_t)w->fd, (uintptr_t)&w->iov[w->first], 2 - (uint64_t)w->first };
	size_t left = w->iov[1].iov_len + (w->first ? 0 : w->iov[0].iov_len), n = (size_t)ret;

	if (w->call.t)
		iot_leave_status(&w->call, ret < 0 ? -1 : ret, ret < 0 ? (int)-ret : 0, arg, IOT_ST_FINISHED);
	w->call.t = NULL;
	if (ret < 0 || n >= left)
		return;
	/* the rest is next */
	if (!w->first && n > w->iov[0].iov_len) {
		n -= w->iov[0].iov_len;
		w->first = 1;
	}
	w->iov[w->first].iov_base = (char *)w->iov[w->first].iov_base + n;
	w->iov[w->first].iov_len -= n;
	begin(w);
}

typedef size_t write_fn(FILE *, const unsigned char *, size_t);
extern write_fn real __asm__("__real___stdio_write");
write_fn wrap __asm__("__wrap___stdio_write");
size_t wrap(FILE *fp, const unsigned char *buf, size_t len)
{
	const struct iot_musl_file *f = iot_musl_file(fp);
	struct writing w;
	size_t ret;

	iot_inside_next();
	w.iov[0] = (struct iovec){ f->wbase, (size_t)(f->wpos - f->wbase) };
	w.iov[1] = (struct iovec){ (void *)(uintptr_t)buf, len };
	w.fd = f->fd;
	w.first = 0;
	iot_go_inside(&w.in, (void *)real, __builtin_frame_address(0), written);
	begin(&w);
	ret = real(fp, buf, len);
	iot_come_outside(&w.in);
	return ret;
}
