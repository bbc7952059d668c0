/* SPDX-License-Identifier: BSD-3-Clause */
/* remove.c - remove: unlink, and rmdir if that was a directory, as musl makes them. */
#include <unistd.h>

#include "wrap.h"
#include "desc_remove.h"

#pragma GCC visibility push(hidden)
int iot_hand_remove(int (*real)(const char *), uint32_t internal, void *frame, const char *path);
#pragma GCC visibility pop

extern int unlinks(const char *) __asm__("__wrap_unlink");
extern int removes_directory(const char *) __asm__("__wrap_rmdir");

int iot_hand_remove(int (*real)(const char *), uint32_t internal, void *frame, const char *path)
{
	struct iot_call c;
	const uint64_t arg[] = { (uintptr_t)path };
	int was = errno, ret;

	if (!iot_enter(&c, &IOT_DESC_NAME(remove), internal, -1, frame))
		return real(path);
	ret = unlinks(path);
	if (ret && errno == EISDIR) {
		ret = removes_directory(path);
		if (!ret)
			errno = was;
	}
	iot_leave(&c, ret, arg);
	return ret;
}
