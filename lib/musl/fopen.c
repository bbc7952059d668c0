/* SPDX-License-Identifier: BSD-3-Clause */
/* fopen.c - fopen: open, fcntl if it is to be closed by exec, then fdopen. */
#include "inside.h"
#include "desc_fcntl.h"
#include "desc_fopen.h"
#include "desc_open.h"

#pragma GCC visibility push(hidden)
typedef void *fopen_fn(const char *, const char *);
void *iot_hand_fopen(fopen_fn *real, uint32_t internal, void *frame, const char *path, const char *mode);
#pragma GCC visibility pop

struct opening {
	struct iot_inside in;
	const char *path, *mode;
	int fd;				/* -1: not opened */
};

static void flagged(struct iot_inside *in)
{
	struct opening *o = (struct opening *)in;
	const uint64_t fcntl[] = { (uint64_t)o->fd, F_SETFD, FD_CLOEXEC };

	iot_inline(&IOT_DESC_NAME(fcntl), o->fd, in->since, 0, fcntl);
}

static void opened(struct iot_inside *in, long ret)
{
	struct opening *o = (struct opening *)in;
	uint64_t flags = iot_mode_flags(o->mode);
	const uint64_t open[] = { (uintptr_t)o->path, flags, flags & O_CREAT ? 0666 : 0 };

	iot_inline(&IOT_DESC_NAME(open), -1, in->since, ret, open);
	in->since = iot_ticks();
	o->fd = (int)ret;
	if (ret >= 0 && flags & O_CLOEXEC)
		in->next = flagged;
}

void *iot_hand_fopen(fopen_fn *real, uint32_t internal, void *frame, const char *path, const char *mode)
{
	struct iot_call c;
	const uint64_t arg[] = { (uintptr_t)path, (uintptr_t)mode };
	struct opening o = { .path = path, .mode = mode, .fd = -1 };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(fopen), internal, -1, frame);
	void *ret;

	iot_go_inside(&o.in, (void *)real, __builtin_frame_address(0), opened);
	ret = real(path, mode);
	iot_come_outside(&o.in);
	if (!ret && o.fd >= 0)
		iot_inside_closed(&o.in, o.fd);
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
