/* SPDX-License-Identifier: BSD-3-Clause */
/* close.c - close.  To the program the log's descriptor is not there. */
#include "wrap.h"
#include "desc_close.h"

#pragma GCC visibility push(hidden)
int iot_hand_close(int (*real)(int), uint32_t internal, void *frame, int fd);
#pragma GCC visibility pop

static __attribute__((noinline, noclone))
int iot_at_leisure(int (*real)(int), uint32_t internal, void *frame, int fd)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)fd };
	int ret;

	if (iot_unlikely(iot_log_owns(fd))) {
		c.t = NULL;
		errno = EBADF;
		return -1;
	}
	if (!iot_enter(&c, &IOT_DESC_NAME(close), internal, fd, frame))
		return real(fd);
	/* before the call: another thread may be given the number at once */
	iot_fd_closed(c.t, fd);
	ret = real(fd);
	iot_leave(&c, ret, arg);
	return ret;
}

/* The log's descriptor has no handle: iot_hot_enter leaves it alone. */
__attribute__((hot))
int iot_hand_close(int (*real)(int), uint32_t internal, void *frame, int fd)
{
	struct iot_hot hot IOT_HOT_CLEANUP;
	struct iot_thread *t;
	int ret;

	hot.t = NULL;
	if (internal || !iot_likely(iot_hot_enter(&hot, IOT_ID_close, IOT_POSIX, false, 0, true, fd, frame)))
		return iot_at_leisure(real, internal, frame, fd);
	t = hot.t;
	iot_fd_closed(t, fd);
	ret = real(fd);
	if (iot_unlikely(!iot_hot_leave(&hot, IOT_ID_close, false, ret, 0, ret == 0, IOT_UNKNOWN, false))) {
		const uint64_t arg[] = { (uint64_t)fd };

		iot_hot_give_up(hot, t, &IOT_DESC_NAME(close), fd, frame, ret, arg, NULL);
	}
	return ret;
}
