/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.c - file names: made absolute, written to the log once, and judged once
 * by the settings' filters.
 */
#include <string.h>

#include "share.h"
#include "sys.h"

#define TABLE_SIZE 8192u
#define PROBES	   24

static struct entry {
	uint32_t hash;			/* 0: free */
	uint32_t id;			/* 0: not yet named, or there was no room for the name */
	uint32_t name;			/* its text; two names may have one hash */
	uint16_t mode;
	uint8_t flags;
	bool opened;			/* what is defined is what was found then */
} *table;

/* Texts: the number of one is its chunk's, times IOT_NAMES, and where it is in there. */
#define CHUNKS 256u
char *iot_names[CHUNKS];
static uint32_t used;

uint32_t iot_cwd_serial;		/* how often the working directory changed */
/* What it was when it had changed cwd_of - 1 times; 0: somebody is storing it. */
static char cwd[4096];
static uint32_t cwd_len, cwd_of;

void iot_cwd_changed(void)
{
	__atomic_add_fetch(&iot_cwd_serial, 1, __ATOMIC_ACQ_REL);
}

void iot_paths_forget(void)
{
	if (table)
		memset(table, 0, TABLE_SIZE * sizeof(*table));
	used = 0;
	cwd_of = 0;
	iot_each.cwd_busy = false;
	iot_devices_forget();
}

/* In a forked child: another thread may have been storing the working directory. */
void iot_paths_forked(void)
{
	if (iot_each.cwd_busy)
		cwd_of = 0;
	iot_each.cwd_busy = false;
}

/* Returns its length, 0 if it has no name: it was removed, or lies outside of the
   root directory. */
static uint32_t put_cwd(struct iot_thread *t, char *buf)
{
	/* before the kernel is asked: it may have changed again by the time it is stored */
	uint32_t of = __atomic_load_n(&iot_cwd_serial, __ATOMIC_ACQUIRE) + 1, len;
	bool ours = !(t->flags & IOT_APART);
	long n;

	if (ours && __atomic_load_n(&cwd_of, __ATOMIC_ACQUIRE) == of) {
		len = cwd_len;
		memcpy(buf, cwd, len);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&cwd_of, __ATOMIC_RELAXED) == of)
			return len;
	}
	n = iot_syscall(SYS_getcwd, buf, 4096UL);
	if (n <= 1 || *buf != '/')
		return 0;
	len = (uint32_t)n - 1;
	if (ours && !__atomic_exchange_n(&iot_each.cwd_busy, true, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&cwd_of, 0, __ATOMIC_SEQ_CST);
		memcpy(cwd, buf, len);
		cwd_len = len;
		__atomic_store_n(&cwd_of, of, __ATOMIC_RELEASE);
		__atomic_store_n(&iot_each.cwd_busy, false, __ATOMIC_RELEASE);
	}
	return len;
}

/* The name behind a descriptor as the kernel has it, "pipe:[1234]" and the like
   included; 0 if it is not open. */
uint32_t iot_path_of_fd(int fd, char *buf)
{
	char link[32];
	struct iot_text x = { .buf = link, .cap = sizeof(link) - 1 };
	long n;

	if (fd < 0)
		return 0;
	iot_puts(&x, iot_unshared ? "/proc/thread-self/fd/" : "/proc/self/fd/");
	iot_putu(&x, (uint64_t)fd);
	link[x.len] = 0;
	n = iot_sys_readlink(link, buf, 4095);
	if (n <= 0) {
		struct stat st;

		/* a /proc that is not there says nothing about the descriptor */
		if (n == -ENOENT && iot_sys_fstat(fd, &st) == 0) {
			memcpy(buf, "?", 2);
			return 1;
		}
		return 0;
	}
	buf[n] = 0;
	return (uint32_t)n;
}

/*
 * Makes path absolute in buf (4096 bytes) and returns its length.  "//" and "."
 * go; ".." stays, since what it means depends on links.  What is relative to a
 * directory without a name stays so.
 */
uint32_t iot_path_absolute(struct iot_thread *t, char *buf, int dirfd, const char *path)
{
	bool relative = false;
	uint32_t len = 0;

	if (*path != '/') {
		len = dirfd == AT_FDCWD ? put_cwd(t, buf) : iot_path_of_fd(dirfd, buf);
		relative = !len;
		if (len == 1 && *buf == '/')
			len = 0;
	}
	while (*path) {
		const char *s = path;

		while (*s && *s != '/')
			s++;
		if (s > path && !(s == path + 1 && *path == '.')) {
			size_t n = (size_t)(s - path);

			if (n > 4094 - len)
				n = 4094 - len;
			if (len < 4094) {
				if (len || !relative)
					buf[len++] = '/';
				memcpy(buf + len, path, n);
				len += (uint32_t)n;
			}
		}
		path = *s ? s + 1 : s;
	}
	if (!len)
		buf[len++] = relative ? '.' : '/';
	buf[len] = 0;
	return len;
}

static void define(struct iot_thread *t, uint32_t id, const char *abs, uint32_t len,
		   const struct stat *st)
{
	uint64_t *p = iot_define(t, IOT_DEF_PATH, 7 + (len + 7) / 8);

	*p++ = id;
	*p++ = st->st_dev;
	*p++ = st->st_ino;
	*p++ = st->st_mode;
	p = iot_put_bytes(p, abs, len);
	if (st->st_mode) {
		*p++ = (uint64_t)st->st_size;
		*p++ = (uint64_t)st->st_blksize;
	}
	iot_define_done(t, p);
}

static void look(const char *abs, int fd, struct stat *st)
{
	long r = fd >= 0 ? iot_sys_fstat(fd, st) :
			   iot_sys_fstatat(AT_FDCWD, abs, st, 0);

	if (r < 0)
		*st = (struct stat){ 0 };
}

/* Keeps a text: its number in *name.  False: no room. */
static bool keep(const char *text, uint32_t len, uint32_t *name)
{
	uint32_t was = __atomic_load_n(&used, __ATOMIC_RELAXED);
	char *chunk;

	do {
		*name = was;
		if (was % IOT_NAMES + len >= IOT_NAMES)
			*name += IOT_NAMES - was % IOT_NAMES;
		if (*name / IOT_NAMES >= CHUNKS)
			return false;
	} while (!__atomic_compare_exchange_n(&used, &was, *name + len + 1, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	chunk = iot_map_once(&iot_names[*name / IOT_NAMES], IOT_NAMES);
	if (!chunk)
		return false;
	memcpy(chunk + *name % IOT_NAMES, text, len);
	chunk[*name % IOT_NAMES + len] = 0;
	return true;
}

/* The hash of a path, or of another text: these have entries of their own. */
static uint32_t hash_of(const char *text, uint32_t len, bool path)
{
	uint64_t hash = iot_hash(text, len);

	return ((uint32_t)(hash >> 32) & ~3u) | (path ? 1 : 2);
}

/*
 * The text's entry.  What is mine is to be given an id; what has none, and is not, is
 * another thread's, or there was no room for its name.  NULL: no room for it.
 */
static struct entry *find(uint32_t hash, const char *text, uint32_t len, bool *mine)
{
	uint32_t at = hash / 4 % TABLE_SIZE;

	*mine = false;
	if (!iot_map_once(&table, TABLE_SIZE * sizeof(*table)))
		return NULL;
	for (int i = 0; i < PROBES; i++, at = (at + 1) % TABLE_SIZE) {
		struct entry *e = &table[at];
		uint32_t found = __atomic_load_n(&e->hash, __ATOMIC_ACQUIRE);
		const char *name;

		if (!found) {
			*mine = __atomic_compare_exchange_n(&e->hash, &found, hash, false,
							    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
			if (*mine)
				return keep(text, len, &e->name) ? e : NULL;
		}
		if (found != hash)
			continue;
		if (!__atomic_load_n(&e->id, __ATOMIC_ACQUIRE))
			return e;
		name = iot_path_text(e->name);
		if (!strncmp(name, text, len) && !name[len])
			return e;
	}
	return NULL;
}

/*
 * The id of a text that is no path, and has none of a path's properties; 0: no room,
 * write it inline.  t is busy.
 */
uint32_t iot_name_intern(struct iot_thread *t, const char *name)
{
	uint32_t len = (uint32_t)strnlen(name, IOT_NAMES - 1), id;
	bool mine = false;
	struct entry *e = find(hash_of(name, len, false), name, len, &mine);

	if (!e)
		return 0;
	if (!mine)
		return __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
	id = __atomic_add_fetch(&iot_share->n_paths, 1, __ATOMIC_RELAXED);
	define(t, id, name, len, &(struct stat){ 0 });
	__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
	return id;
}

/*
 * The path's id and what is known of it; new ones are defined in busy t's
 * window.  fd: a descriptor on it, or -1.  Id 0: no room, write the name inline.
 */
struct iot_path iot_path_intern(struct iot_thread *t, const char *abs, uint32_t len, int fd)
{
	struct stat st;
	bool mine;
	struct entry *e = find(hash_of(abs, len, true), abs, len, &mine);
	uint32_t id;

	if (!e) {
		look(abs, fd, &st);
		return (struct iot_path){ 0, iot_config_path(abs, len), st.st_mode, 0 };
	}
	if (mine) {
		id = __atomic_add_fetch(&iot_share->n_paths, 1, __ATOMIC_RELAXED);
		look(abs, fd, &st);
		e->flags = (uint8_t)iot_config_path(abs, len);
		e->mode = (uint16_t)st.st_mode;
		e->opened = fd >= 0;
		define(t, id, abs, len, &st);
		if (!(e->flags & IOT_FD_UNTRACED))
			iot_filesystem_of(t, id, &st, abs, fd);
		__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
	} else {
		id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
		if (!id)	/* another thread is at it */
			return (struct iot_path){ 0, iot_config_path(abs, len), 0, 0 };
		if (!e->opened && fd >= 0) {
			/* was not there, or not open, when its name first came up */
			look(abs, fd, &st);
			define(t, id, abs, len, &st);
			if (!(e->flags & IOT_FD_UNTRACED))
				iot_filesystem_of(t, id, &st, abs, fd);
			e->mode = (uint16_t)st.st_mode;
			e->opened = true;
		}
	}
	return (struct iot_path){ id, e->flags, e->mode, e->name };
}
