/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opened.c - files that are opened again and again: the end of such a call, the
 * fast way (see hot.h).  A cache tells what a name stood for when it was last
 * opened as the same descriptor; iot_leave fills it.
 */
#include "opened.h"

#include "bytes.h"
#include "fetch.h"
#include "hot.h"
#include "logfd.h"
#include "paths.h"
#include "thread.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define CACHE_SIZE 256u
#define CLAIMED	   1u			/* somebody changes it */
static struct opened {
	uint64_t hash;			/* of all in struct asked; 0: free; or CLAIMED */
	uint32_t handle, serial;
	uint32_t path, len;		/* the text of the path that it is */
	int fd;
	uint32_t type;			/* S_IF* of what it was */
} cache[CACHE_SIZE];

/* What is looked for: a name as it was given, for which descriptor, and in which of the
   working directories. */
struct asked {
	const char *name;
	uint32_t len, serial;
	int fd;
};

static inline struct asked ask(const char *name, uint32_t serial, int fd)
{
	while (name[0] == '.' && name[1] == '/')
		name += 2;
	return (struct asked){ name, (uint32_t)iot_length(name), serial, fd };
}

static inline uint64_t hash_of(const struct asked *a)
{
	uint64_t h = iot_hash(a->name, a->len) + (uint32_t)a->fd;

	if (*a->name != '/')
		h += (uint64_t)(a->serial + 1) << 32;
	h *= 0x9e3779b97f4a7c15ULL;
	return h | 2;	/* neither 0 nor CLAIMED */
}

/* Two may have one hash: the name is what the path ends with, the rest of it the working
   directory. */
static inline bool is(const struct asked *a, uint32_t path, uint32_t len)
{
	const char *end;

	if (iot_unlikely(path & IOT_NAME_BELOW))
		return (len == a->len || (len > a->len && *a->name != '/')) && iot_path_ends(path, a->name, a->len);
	end = iot_path_text(path) + len - a->len;
	return (len == a->len || (len > a->len && *a->name != '/' && end[-1] == '/')) && iot_same(end, a->name, a->len);
}

/* A device of /dev is one the next time, and so is a directory if it is opened as such (see look_up).
   Another name of what is no file is looked at each time that it is opened: it may be a file's by then. */
static bool stays(const struct iot_path *path, uint32_t len)
{
	return iot_has_offset(path->mode) || S_ISDIR(path->mode) ||
	       (S_ISCHR(path->mode) && !(path->name & IOT_NAME_BELOW) && len > 5 &&
		!memcmp(iot_path_text(path->name), "/dev/", 5));
}

/* name, given when the working directory had changed serial times, is that path. */
void iot_opened_note(const char *name, uint32_t serial, int fd, const struct iot_path *path)
{
	struct asked a = ask(name, serial, fd);
	struct opened *o;
	uint64_t hash, was;
	uint32_t len;

	if ((uint32_t)fd >= IOT_FD_CHUNK || !path->id || path->flags || !path->mode)
		return;
	len = iot_path_length(path->name);
	if (!is(&a, path->name, len) || !stays(path, len))
		return;
	hash = hash_of(&a);
	o = &cache[hash >> 32 & (CACHE_SIZE - 1)];
	/* of two threads that note something here at once one gives way: else the hash
	   of one could end up with the handle of the other */
	was = __atomic_load_n(&o->hash, __ATOMIC_RELAXED);
	if (was == CLAIMED || !__atomic_compare_exchange_n(&o->hash, &was, CLAIMED, false,
							   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&o->handle, iot_fd_first[fd].handle, __ATOMIC_RELAXED);
	__atomic_store_n(&o->type, path->mode & S_IFMT, __ATOMIC_RELAXED);
	__atomic_store_n(&o->serial, serial, __ATOMIC_RELAXED);
	__atomic_store_n(&o->path, path->name, __ATOMIC_RELAXED);
	__atomic_store_n(&o->len, len, __ATOMIC_RELAXED);
	__atomic_store_n(&o->fd, fd, __ATOMIC_RELAXED);
	__atomic_store_n(&o->hash, hash, __ATOMIC_RELEASE);
}

void iot_opened_forget(void)
{
	memset(cache, 0, sizeof(cache));
}

/* The handle of fd, opened under this name with these flags; 0: not known. */
static inline uint32_t look_up(const char *name, int fd, uint32_t flags, bool *has_offset)
{
	struct asked a = ask(name, iot_cwd_serial(), fd);
	uint64_t hash = hash_of(&a);
	const struct opened *o = &cache[hash >> 32 & (CACHE_SIZE - 1)];
	uint32_t handle, path, len, type;
	bool same;

	if (__atomic_load_n(&o->hash, __ATOMIC_ACQUIRE) != hash)
		return 0;
	handle = __atomic_load_n(&o->handle, __ATOMIC_RELAXED);
	path = __atomic_load_n(&o->path, __ATOMIC_RELAXED);
	len = __atomic_load_n(&o->len, __ATOMIC_RELAXED);
	same = __atomic_load_n(&o->fd, __ATOMIC_RELAXED) == fd &&
	       (*a.name == '/' || __atomic_load_n(&o->serial, __ATOMIC_RELAXED) == a.serial);
	type = __atomic_load_n(&o->type, __ATOMIC_RELAXED);
	*has_offset = iot_has_offset(type);
	/* another thread may have been changing it */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!same || __atomic_load_n(&o->hash, __ATOMIC_RELAXED) != hash || !is(&a, path, len))
		return 0;
	/* only then the kernel says that it is still one */
	if (S_ISDIR(type) && !(flags & O_DIRECTORY))
		return 0;
	return handle;
}

__attribute__((hot))
bool iot_hot_opened(struct iot_thread *t, uint32_t id, uint64_t start, uint32_t stack, int fd,
		    const char *name, uint32_t flags, uint32_t mode)
{
	uint64_t end = iot_ticks(), dur = end - start, dt;
	struct iot_fd *e;
	struct iot_ofd *ofd;
	uint32_t handle;
	bool has_offset;

	/* not those that libc uses of itself: see fds.c */
	if (iot_unlikely((uint32_t)fd - 3 >= IOT_FD_CHUNK - 3 ||
			 fd >= __atomic_load_n(&iot_log_near, __ATOMIC_RELAXED) || flags & IOT_O_TMPFILE ||
			 (iot_has_threads && !iot_on_stack(t, name, 1)) || !iot_hot_take(t)))
		return false;
	dt = start - t->base;
	e = &iot_fd_first[fd];
	ofd = e->ofd;
	/* the description that the number had is its own (see renew_ofd) */
	if (iot_unlikely(!ofd || ofd->refs != 1 || end - t->base > t->limit || t->used + 24 > t->cap))
		goto slow;
	handle = look_up(name, fd, flags, &has_offset);
	if (iot_unlikely(!handle || (dur | dt | (uint64_t)handle << 16 | (uint64_t)stack << 8) >> 32))
		goto slow;
	e->handle = 0;
	iot_barrier();
	ofd->pos = 0;
	ofd->user = NULL;
	ofd->owner = !has_offset ? IOT_OFD_NONE : flags & O_APPEND ? IOT_OFD_APPEND : IOT_OFD_FRESH;
	e->flags = has_offset && flags & O_APPEND ? IOT_FD_APPEND : 0;
	__atomic_store_n(&e->handle, handle, __ATOMIC_RELEASE);
	iot_put_compact(t, id | handle << IOT_HANDLE_SHIFT, dt, dur, flags, mode, stack, true);
	iot_hot_done(t);
	return true;
slow:
	iot_hot_drop(t);
	return false;
}
