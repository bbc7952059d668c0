/* SPDX-License-Identifier: BSD-3-Clause */
/* readdir.c - readdir, which makes a getdents64 if its buffer is empty. */
#include "inside.h"
#include "desc_getdents64.h"
#include "desc_readdir.h"

#pragma GCC visibility push(hidden)
typedef void *readdir_fn(void *);
void *iot_hand_readdir(readdir_fn *real, uint32_t internal, void *frame, void *dirp);
#pragma GCC visibility pop

#define BUFFER 2048u

void *iot_hand_readdir(readdir_fn *real, uint32_t internal, void *frame, void *dirp)
{
	const struct iot_musl_dir *dir = dirp;
	const uint64_t arg[] = { (uintptr_t)dirp }, getdents[] = { (uint64_t)dir->fd, 0, BUFFER };
	bool recorded, reads = dir->pos >= dir->end;
	struct iot_call c;
	uint64_t since;
	int was = errno;
	void *ret;

	recorded = iot_enter(&c, &IOT_DESC_NAME(readdir), internal, dir->fd, frame);
	since = iot_ticks();
	errno = 0;
	ret = real(dirp);
	/* a directory that is gone is taken for one that has ended */
	if (reads)
		iot_inline(&IOT_DESC_NAME(getdents64), dir->fd, since, ret ? dir->end : -errno, getdents);
	if (!errno)
		errno = was;
	if (recorded)
		iot_leave(&c, (long)ret, arg);
	return ret;
}
