/* SPDX-License-Identifier: BSD-3-Clause */
/* pclose.c - pclose: fclose, then waits for the child. */
#include "inside.h"
#include "desc_pclose.h"
#include "desc_wait4.h"

#pragma GCC visibility push(hidden)
int iot_hand_pclose(int (*real)(void *), uint32_t internal, void *frame, void *stream);
#pragma GCC visibility pop

int iot_hand_pclose(int (*real)(void *), uint32_t internal, void *frame, void *stream)
{
	int fd = iot_fileno(stream), pid = iot_musl_file(stream)->pipe_pid, ret, status;
	const uint64_t arg[] = { (uintptr_t)stream };
	const uint64_t wait[] = { (uint64_t)pid, (uintptr_t)&status, 0, 0 };
	struct iot_inside in;
	struct iot_call c;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(pclose), internal, fd, frame);

	iot_go_inside(&in, (void *)real, __builtin_frame_address(0), iot_inside_only);
	ret = real(stream);
	iot_come_outside(&in);
	iot_inline(&IOT_DESC_NAME(wait4), -1, in.since, ret == -1 ? -errno : pid, wait);
	if (recorded)
		iot_leave(&c, ret, arg);
	return ret;
}
