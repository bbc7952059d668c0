/* SPDX-License-Identifier: BSD-3-Clause */
/* fdopen.c - fdopen, by which fopen and tmpfile make streams too. */
#include <string.h>

#include "terminal.h"
#include "desc_fcntl.h"
#include "desc_fdopen.h"

#pragma GCC visibility push(hidden)
typedef void *fdopen_fn(int, const char *);
void *iot_hand_fdopen(fdopen_fn *real, uint32_t internal, void *frame, int fd, const char *mode);
#pragma GCC visibility pop

static void has_called(int fd, uint64_t cmd, uint64_t value, uint64_t since, long ret)
{
	const uint64_t arg[] = { (uint64_t)fd, cmd, value };

	iot_inline(&IOT_DESC_NAME(fcntl), fd, since, ret, arg);
}

/* What it did to the descriptor, whose flags were those. */
static void inner_calls(int fd, const char *mode, uint64_t since, int flags)
{
	if (strchr(mode, 'e'))
		has_called(fd, F_SETFD, FD_CLOEXEC, since, flags < 0 ? flags : 0);
	if (*mode == 'a') {
		has_called(fd, F_GETFL, 0, since, flags);
		/* an error is taken for flags, with O_APPEND among them or not */
		if (!(flags & O_APPEND))
			has_called(fd, F_SETFL, (uint64_t)(flags | O_APPEND), since, flags < 0 ? flags : 0);
	}
	if (*mode != 'r' || strchr(mode, '+'))
		iot_asked_for_terminal(fd, since);
}

void *iot_hand_fdopen(fdopen_fn *real, uint32_t internal, void *frame, int fd, const char *mode)
{
	struct iot_call c;
	const uint64_t arg[] = { (uint64_t)fd, (uintptr_t)mode };
	struct iot_inside in;
	bool recorded;
	int flags;
	void *ret;

	iot_inside_next();
	recorded = iot_enter(&c, &IOT_DESC_NAME(fdopen), internal, fd, frame);
	flags = iot_sys_fcntl(fd, F_GETFL, 0);
	iot_go_inside(&in, (void *)real, __builtin_frame_address(0), iot_inside_only);
	ret = real(fd, mode);
	if (ret)
		inner_calls(fd, mode, in.since, flags);
	iot_come_outside(&in);
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
