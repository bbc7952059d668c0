/* SPDX-License-Identifier: BSD-3-Clause */
/* isatty.c - isatty: an ioctl. */
#include <sys/ioctl.h>

#include "inside.h"
#include "desc_ioctl.h"
#include "desc_isatty.h"

#pragma GCC visibility push(hidden)
int iot_hand_isatty(int (*real)(int), uint32_t internal, void *frame, int fd);
#pragma GCC visibility pop

int iot_hand_isatty(int (*real)(int), uint32_t internal, void *frame, int fd)
{
	const uint64_t arg[] = { (uint64_t)fd }, ioctl[] = { (uint64_t)fd, TIOCGWINSZ, 0 };
	struct iot_call c;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(isatty), internal, fd, frame);
	uint64_t since = iot_ticks();
	int ret = real(fd), err = errno;

	iot_inline(&IOT_DESC_NAME(ioctl), fd, since, ret ? 0 : -err, ioctl);
	errno = err;
	if (recorded)
		iot_leave(&c, ret, arg);
	return ret;
}
