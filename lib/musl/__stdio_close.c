/* SPDX-License-Identifier: BSD-3-Clause */
/* __stdio_close.c - how streams are closed. */
#include "wrap.h"
#include "desc_close.h"

typedef int close_fn(FILE *);
extern close_fn real __asm__("__real___stdio_close");
close_fn wrap __asm__("__wrap___stdio_close");
int wrap(FILE *fp)
{
	int fd = iot_musl_file(fp)->fd, ret;
	const uint64_t arg[] = { (uint64_t)fd };
	struct iot_call c;

	if (!iot_enter(&c, &IOT_DESC_NAME(close), IOT_INTERNAL, fd, __builtin_frame_address(0)))
		return real(fp);
	iot_fd_closed(c.t, fd);
	ret = real(fp);
	iot_leave(&c, ret, arg);
	return ret;
}
