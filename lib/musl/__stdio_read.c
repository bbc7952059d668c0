/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * __stdio_read.c - how streams are read: into what the caller has room for, but
 * for its last byte, and the buffer, at once; into the buffer if nothing remains
 * of the first.
 */
#include <sys/uio.h>

#include "inside.h"
#include "desc_read.h"
#include "desc_readv.h"

struct reading {
	struct iot_inside in;
	struct iot_call call;
	struct iovec iov[2];
	int fd;
};

static void has_read(struct iot_inside *in, long ret)
{
	struct reading *r = (struct reading *)in;
	const uint64_t readv[] = { (uint64_t)r->fd, (uintptr_t)r->iov, 2 };
	const uint64_t read[] = { (uint64_t)r->fd, 0, r->iov[1].iov_len };

	if (r->call.t)
		iot_leave_status(&r->call, ret < 0 ? -1 : ret, ret < 0 ? (int)-ret : 0,
				 r->iov[0].iov_len ? readv : read, IOT_ST_FINISHED);
	r->call.t = NULL;
}

typedef size_t read_fn(FILE *, unsigned char *, size_t);
extern read_fn real __asm__("__real___stdio_read");
read_fn wrap __asm__("__wrap___stdio_read");
size_t wrap(FILE *fp, unsigned char *buf, size_t len)
{
	const struct iot_musl_file *f = iot_musl_file(fp);
	struct reading r;
	size_t ret;

	r.iov[0] = (struct iovec){ buf, len - !!f->buf_size };
	r.iov[1] = (struct iovec){ f->buf, f->buf_size };
	r.fd = f->fd;
	iot_go_inside(&r.in, (void *)real, __builtin_frame_address(0), has_read);
	iot_enter(&r.call, r.iov[0].iov_len ? &IOT_DESC_NAME(readv) : &IOT_DESC_NAME(read), IOT_INTERNAL,
		  r.fd, (void *)r.in.frame);
	ret = real(fp, buf, len);
	iot_come_outside(&r.in);
	return ret;
}
