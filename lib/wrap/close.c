/* SPDX-License-Identifier: BSD-3-Clause */
/* close.c - close.  To the program the log's descriptor is not there. */
#include "wrap.h"
#include "desc_close.h"

#pragma GCC visibility push(hidden)
int iot_hand_close(int (*real)(int), uint32_t internal, void *frame, int fd);
#pragma GCC visibility pop

int iot_hand_close(int (*real)(int), uint32_t internal, void *frame, int fd)
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
