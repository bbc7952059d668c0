/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * popen.c - popen, which closes its child's end of the pipe at last: the one that
 * it tells posix_spawn to give the child.
 */
#include "inside.h"
#include "desc_close.h"
#include "desc_popen.h"

#pragma GCC visibility push(hidden)
typedef void *popen_fn(const char *, const char *);
void *iot_hand_popen(popen_fn *real, uint32_t internal, void *frame, const char *command, const char *mode);
#pragma GCC visibility pop

struct piping {
	struct iot_inside in;
	int childs;			/* end of the pipe; -1: there is none yet */
};

extern int real_adddup2(void *, int, int) __asm__("__real_posix_spawn_file_actions_adddup2");
int wrap_adddup2(void *, int, int) __asm__("__wrap_posix_spawn_file_actions_adddup2");
int wrap_adddup2(void *actions, int fd, int to)
{
	struct iot_inside *in = iot_inside;

	if (in && in->returned == iot_inside_only)
		((struct piping *)in)->childs = fd;
	return real_adddup2(actions, fd, to);
}

void *iot_hand_popen(popen_fn *real, uint32_t internal, void *frame, const char *command, const char *mode)
{
	const uint64_t arg[] = { (uintptr_t)command, (uintptr_t)mode };
	struct piping p = { .childs = -1 };
	struct iot_call c;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(popen), internal, -1, frame);
	void *ret;

	iot_go_inside(&p.in, (void *)real, __builtin_frame_address(0), iot_inside_only);
	ret = real(command, mode);
	iot_come_outside(&p.in);
	if (p.childs >= 0) {
		const uint64_t close[] = { (uint64_t)p.childs };

		iot_inline(&IOT_DESC_NAME(close), p.childs, p.in.since, 0, close);
	}
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
