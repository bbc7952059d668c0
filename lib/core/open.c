/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open.c - files that are opened again and again: the end of such a call, the
 * fast way (see hot.h).  A cache tells what a name stood for when it was last
 * opened as the same descriptor; iot_leave fills it.
 */
#include <fcntl.h>
#include <string.h>

#include "hot.h"

#define CACHE_SIZE 512u
#define CLAIMED	   1u			/* somebody changes it */
static struct opened {
	uint64_t hash;			/* of name, descriptor, working directory; 0: free; or */
	uint32_t handle;
	bool has_offset;
} cache[CACHE_SIZE];

static uint64_t hash_of(const char *name, uint32_t serial, int fd)
{
	uint32_t len = 0;
	uint64_t h;

	/* After a system call that took so long no code is in the cache any more: to
	   call strlen would cost more than the loop. */
	while (name[len])
		len++;
	h = iot_hash(name, len) + (uint32_t)fd;
	if (*name != '/')
		h += (uint64_t)(serial + 1) << 32;
	h *= 0x9e3779b97f4a7c15ULL;
	return h | 2;	/* neither 0 nor CLAIMED */
}

/* name, given when the working directory had changed serial times, is that path. */
void iot_opened_note(const char *name, uint32_t serial, int fd, const struct iot_path *path)
{
	struct opened *o;
	uint64_t hash, was;

	if ((uint32_t)fd >= IOT_FD_CHUNK || !path->id || path->flags || !path->mode)
		return;
	hash = hash_of(name, serial, fd);
	o = &cache[hash >> 32 & (CACHE_SIZE - 1)];
	/* of two threads that note something here at once one gives way: else the hash
	   of one could end up with the handle of the other */
	was = __atomic_load_n(&o->hash, __ATOMIC_RELAXED);
	if (was == CLAIMED || !__atomic_compare_exchange_n(&o->hash, &was, CLAIMED, false,
							   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&o->handle, iot_fd_first[fd].handle, __ATOMIC_RELAXED);
	__atomic_store_n(&o->has_offset, iot_has_offset(path->mode), __ATOMIC_RELAXED);
	__atomic_store_n(&o->hash, hash, __ATOMIC_RELEASE);
}

void iot_opened_forget(void)
{
	memset(cache, 0, sizeof(cache));
}

/* What fd, opened under this name, is; handle 0: not known. */
static struct opened look_up(const char *name, int fd)
{
	uint64_t hash = hash_of(name, __atomic_load_n(&iot_cwd_serial, __ATOMIC_ACQUIRE), fd);
	const struct opened *o = &cache[hash >> 32 & (CACHE_SIZE - 1)];
	struct opened found;

	if (__atomic_load_n(&o->hash, __ATOMIC_ACQUIRE) != hash)
		return (struct opened){ 0 };
	found.handle = __atomic_load_n(&o->handle, __ATOMIC_RELAXED);
	found.has_offset = __atomic_load_n(&o->has_offset, __ATOMIC_RELAXED);
	/* another thread may have been changing it */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&o->hash, __ATOMIC_RELAXED) != hash)
		found.handle = 0;
	return found;
}

__attribute__((hot))
bool iot_hot_opened(struct iot_thread *t, uint32_t id, uint64_t start, uint32_t stack, int fd,
		    const char *name, uint32_t flags, uint32_t mode)
{
	uint64_t end = iot_ticks(), dur = end - start, dt;
	struct iot_fd *e = &iot_fd_first[fd];
	struct iot_ofd *ofd;
	struct opened o;

	if (iot_unlikely((uint32_t)fd >= IOT_FD_CHUNK || !iot_hot_take(t)))
		return false;
	dt = start - t->base;
	ofd = e->ofd;
	/* the description that the number had is its own (see renew_ofd) */
	if (iot_unlikely(!ofd || ofd->refs != 1 || end - t->base > t->limit || t->used + 24 > t->cap))
		goto slow;
	o = look_up(name, fd);
	if (iot_unlikely(!o.handle || (dur | dt | (uint64_t)o.handle << 16 | (uint64_t)stack << 8) >> 32))
		goto slow;
	e->handle = 0;
	iot_barrier();
	ofd->pos = 0;
	ofd->user = NULL;
	ofd->owner = !o.has_offset ? IOT_OFD_NONE : flags & O_APPEND ? IOT_OFD_APPEND : IOT_OFD_FRESH;
	e->flags = 0;
	__atomic_store_n(&e->handle, o.handle, __ATOMIC_RELEASE);
	iot_put_compact(t, id | o.handle << IOT_HANDLE_SHIFT, dt, dur, flags, mode, stack, true);
	iot_hot_done(t);
	return true;
slow:
	iot_hot_drop(t);
	return false;
}
