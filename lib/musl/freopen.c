/* SPDX-License-Identifier: BSD-3-Clause */
/* freopen.c - freopen, which without a name sets the descriptor's flags. */
#include "inside.h"
#include "desc_fcntl.h"
#include "desc_freopen.h"

#pragma GCC visibility push(hidden)
typedef void *freopen_fn(const char *, const char *, void *);
void *iot_hand_freopen(freopen_fn *real, uint32_t internal, void *frame, const char *path,
		       const char *mode, void *stream);
#pragma GCC visibility pop

struct reopening {
	struct iot_inside in;
	const char *mode;
	int fd;
};

static void flags_set(struct iot_inside *in, long ret)
{
	const struct reopening *r = (const struct reopening *)in;
	uint64_t flags = iot_mode_flags(r->mode);
	const uint64_t cloexec[] = { (uint64_t)r->fd, F_SETFD, FD_CLOEXEC };
	const uint64_t setfl[] = { (uint64_t)r->fd, F_SETFL, flags & ~(uint64_t)(O_CREAT | O_EXCL | O_CLOEXEC) };

	if (flags & O_CLOEXEC)
		iot_inline(&IOT_DESC_NAME(fcntl), r->fd, in->since, 0, cloexec);
	iot_inline(&IOT_DESC_NAME(fcntl), r->fd, in->since, ret, setfl);
}

void *iot_hand_freopen(freopen_fn *real, uint32_t internal, void *frame, const char *path,
		       const char *mode, void *stream)
{
	struct iot_call c;
	const uint64_t arg[] = { (uintptr_t)path, (uintptr_t)mode, (uintptr_t)stream };
	struct reopening r = { .mode = mode, .fd = iot_fileno(stream) };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(freopen), internal, r.fd, frame);
	void *ret;

	if (recorded)
		iot_closes(&c);
	iot_go_inside(&r.in, (void *)real, __builtin_frame_address(0), flags_set);
	ret = real(path, mode, stream);
	iot_come_outside(&r.in);
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
