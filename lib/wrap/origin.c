/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin.c - _dl_get_origin, by which a static program finds its own directory
 * before main.  It makes its system call inline: one readlink, whose result is
 * the length of the name that the recorder has read too.
 */
#include <string.h>

#include "log-header.h"
#include "sys.h"
#include "wrap.h"
#include "desc_readlink.h"

extern const char *real(void) __asm__("__real__dl_get_origin");
const char *wrap(void) __asm__("__wrap__dl_get_origin");
const char *wrap(void)
{
	static const char exe[] = "/proc/self/exe";
	const uint64_t arg[] = { (uintptr_t)exe, 0, 4096 };
	struct iot_call c;
	const char *ret;
	long n;

	if (!iot_enter(&c, &IOT_DESC_NAME(readlink), IOT_INTERNAL, -1, __builtin_frame_address(0)))
		return real();
	ret = real();
	n = (long)strlen(iot_exe());
	if (ret == (const char *)-1)	/* why? */
		n = iot_sys_readlink(exe, c.t->scratch[0], 4096);
	if (n < 0)
		errno = (int)-n;
	iot_leave(&c, n < 0 ? -1 : n, arg);
	return ret;
}
