/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.c - file names: made absolute, written to the log once, and judged once
 * by the settings' filters.
 */
#include "paths.h"

#include "arena.h"
#include "bytes.h"
#include "conf.h"
#include "fds.h"
#include "filesystem.h"
#include "log-share.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
#include "window.h"

#include <string.h>

#define TABLE_SIZE 8192u
#define PROBES	   24
#define NAME_MOST  4095u		/* bytes of a text */

static struct entry {
	uint32_t hash;			/* 0: free */
	uint32_t id;			/* 0: not yet named, or there was no room for the name */
	uint32_t name;			/* its text; two names may have one hash */
	uint32_t dir;			/* id of the directory's, if that is not in the text; 0 */
	uint16_t mode;
	uint8_t flags;
	bool opened;			/* what is defined is what was found then */
} *table;

/*
 * Texts: the number of one is its chunk's, times IOT_NAMES, and where it is in there.  One
 * that is IOT_NAME_BELOW has the number of its directory's in the four bytes before it.
 * Names of directories are kept as texts that are no paths: in the log, too, they are
 * there once.
 */
#define LONG_DIR 128u			/* bytes of a directory's name that is kept once */
#define CHUNKS 256u
char *iot_names[CHUNKS];
static uint32_t used;

uint32_t iot_cwd_changes;		/* how often this process went to another */
/* What it was when iot_cwd_serial said cwd_of - 1; 0: somebody is storing it. */
static char cwd[4096];
static uint32_t cwd_len, cwd_of;

void iot_cwd_changed(void)
{
	__atomic_add_fetch(&iot_cwd_changes, 1, __ATOMIC_ACQ_REL);
}

/* A file or directory has another name. */
void iot_cwd_renamed(void)
{
	if (iot_share)
		__atomic_add_fetch(&iot_share->renamed, 1, __ATOMIC_ACQ_REL);
}

/* How often ids were given anew. */
uint32_t iot_paths_forgotten;

void iot_paths_forget(void)
{
	iot_paths_forgotten++;
	if (table)
		memset(table, 0, TABLE_SIZE * sizeof(*table));
	used = 0;
	cwd_of = 0;
	iot_each.cwd_busy = false;
	iot_devices_forget();
}

/* In a forked child: another thread may have been storing the working directory. */
IOT_EACH void iot_paths_forked(void)
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
	uint32_t of = iot_cwd_serial() + 1, len;
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

void iot_cwd_look(struct iot_thread *t)
{
	if (!(t->flags & IOT_APART))
		put_cwd(t, t->scratch[1]);
}

/* The name behind a descriptor as the kernel has it, "pipe:[1234]" and the like
   included; "?" if it tells none, 0 if the descriptor is not open. */
uint32_t iot_path_of_fd(int fd, char *buf)
{
	char link[40];
	struct iot_text x = { .buf = link, .cap = sizeof(link) - 1 };
	long n;

	/* programs close all that there may be: to look for a name that there is not takes long */
	if (fd < 0 || iot_sys_fcntl(fd, F_GETFD, 0) == -EBADF)
		return 0;
	/* the first thread, which is /proc/self, may have ended */
	iot_puts(&x, "/proc/thread-self/fd/");
	iot_putu(&x, (uint64_t)fd);
	link[x.len] = 0;
	n = iot_sys_readlink(link, buf, 4095);
	if (n <= 0) {
		struct stat st;

		/* a /proc that is not there says nothing about the descriptor, nor does a name that
		   is too long */
		if (iot_sys_fstat(fd, &st) == 0) {
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
		if (len == 1 && *buf == '?')
			len = 0;
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

/* The text of a path, or what comes behind that of its directory. */
static void define(struct iot_thread *t, uint32_t id, uint32_t dir, const char *text, uint32_t len,
		   const struct stat *st)
{
	uint64_t *p = iot_define(t, IOT_DEF_PATH, 7 + (len + 7) / 8);

	*p++ = id;
	*p++ = st->st_dev;
	*p++ = st->st_ino;
	*p++ = st->st_mode | (uint64_t)dir << 32;
	p = iot_put_bytes(p, text, len);
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

/* Keeps a text, and which one it is below (0: none): its number in *name.  False: no room. */
static bool keep(const char *text, uint32_t len, uint32_t below, uint32_t *name)
{
	uint32_t was = __atomic_load_n(&used, __ATOMIC_RELAXED), at;
	char *chunk;

	do {
		at = was + (uint32_t)sizeof(below);
		if (was % IOT_NAMES + sizeof(below) + len >= IOT_NAMES)
			at += IOT_NAMES - was % IOT_NAMES;
		if (at / IOT_NAMES >= CHUNKS)
			return false;
	} while (!__atomic_compare_exchange_n(&used, &was, at + len + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	chunk = iot_map_once(&iot_names[at / IOT_NAMES], IOT_NAMES);
	if (!chunk)
		return false;
	chunk += at % IOT_NAMES;
	memcpy(chunk - sizeof(below), &below, sizeof(below));
	memcpy(chunk, text, len);
	chunk[len] = 0;
	*name = at | (below ? IOT_NAME_BELOW : 0);
	return true;
}

/* The text of a name as it was kept, and that of its directory; NULL: it is in the first. */
static const char *kept(uint32_t name, const char **dir)
{
	const char *text = iot_path_text(name & ~IOT_NAME_BELOW);
	uint32_t below;

	*dir = NULL;
	if (name & IOT_NAME_BELOW) {
		memcpy(&below, text - sizeof(below), sizeof(below));
		*dir = iot_path_text(below);
	}
	return text;
}

uint32_t iot_path_length(uint32_t name)
{
	const char *dir, *text = kept(name, &dir);

	return (uint32_t)(strlen(text) + (dir ? strlen(dir) + 1 : 0));
}

/* Whether it ends with that, which is all of it or begins behind a slash. */
bool iot_path_ends(uint32_t name, const char *end, uint32_t len)
{
	const char *dir, *text = kept(name, &dir);
	uint32_t own = (uint32_t)strlen(text), n;

	if (!dir || len <= own) {
		n = own - len;
		return len <= own && !memcmp(text + n, end, len) && (!n || text[n - 1] == '/');
	}
	if (memcmp(end + len - own, text, own) || end[len - own - 1] != '/')
		return false;
	len -= own + 1;
	n = (uint32_t)strlen(dir);
	return len <= n && !memcmp(dir + n - len, end, len) && (n == len || dir[n - len - 1] == '/');
}

/* The hash of a path, or of another text: these have entries of their own. */
static uint32_t hash_of(const char *text, uint32_t len, bool path)
{
	/* the last letters, by which names of a row differ, have not come to all bits yet */
	uint64_t hash = iot_hash(text, len) * 0x9e3779b97f4a7c15ULL;

	return ((uint32_t)(hash >> 32) & ~3u) | (path ? 1 : 2);
}

static struct entry *intern(struct iot_thread *t, const char *text, uint32_t len);

/* How much of a path is the name of a directory that is kept by itself; 0: none is. */
static uint32_t dir_of(uint32_t hash, const char *text, uint32_t len)
{
	while (len && text[len - 1] != '/')
		len--;
	return hash & 1 && *text == '/' && len > LONG_DIR ? len - 1 : 0;
}

/* Keeps the text of a new entry. */
static bool keep_name(struct iot_thread *t, struct entry *e, const char *text, uint32_t len)
{
	uint32_t n = dir_of(e->hash, text, len);
	struct entry *dir = n ? intern(t, text, n) : NULL;

	e->dir = dir ? __atomic_load_n(&dir->id, __ATOMIC_ACQUIRE) : 0;
	if (!e->dir)
		return keep(text, len, 0, &e->name);
	return keep(text + n + 1, len - n - 1, dir->name, &e->name);
}

/*
 * The text's entry.  What is mine is to be given an id; what has none, and is not, is
 * another thread's, or there was no room for its name.  NULL: no room for it.
 */
static struct entry *find(struct iot_thread *t, uint32_t hash, const char *text, uint32_t len, bool *mine)
{
	uint32_t at = hash / 4 % TABLE_SIZE;

	*mine = false;
	if (!iot_map_once(&table, TABLE_SIZE * sizeof(*table)))
		return NULL;
	for (int i = 0; i < PROBES; i++, at = (at + 1) % TABLE_SIZE) {
		struct entry *e = &table[at];
		uint32_t found = __atomic_load_n(&e->hash, __ATOMIC_ACQUIRE);

		if (!found) {
			*mine = __atomic_compare_exchange_n(&e->hash, &found, hash, false,
							    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
			if (*mine)
				return keep_name(t, e, text, len) ? e : NULL;
		}
		if (found != hash)
			continue;
		if (!__atomic_load_n(&e->id, __ATOMIC_ACQUIRE))
			return e;
		if (iot_path_length(e->name) == len && iot_path_ends(e->name, text, len))
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
	const struct entry *e = intern(t, name, (uint32_t)strnlen(name, NAME_MOST));

	return e ? __atomic_load_n(&e->id, __ATOMIC_ACQUIRE) : 0;
}

static struct entry *intern(struct iot_thread *t, const char *text, uint32_t len)
{
	bool mine = false;
	struct entry *e = find(t, hash_of(text, len, false), text, len, &mine);
	uint32_t id;

	if (!mine || !e)
		return e;
	id = __atomic_add_fetch(&iot_share->n_paths, 1, __ATOMIC_RELAXED);
	define(t, id, 0, text, len, &(struct stat){ 0 });
	__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
	return e;
}

/* A path's properties, and in the log what they are; the text is the name as it was kept. */
static void define_path(struct iot_thread *t, uint32_t id, const struct entry *e, const struct stat *st,
			const char *abs, int fd)
{
	const char *dir, *text = kept(e->name, &dir);

	define(t, id, e->dir, text, (uint32_t)strlen(text), st);
	if (!(e->flags & IOT_FD_UNTRACED))
		iot_filesystem_of(t, id, st, abs, fd);
}

uint32_t iot_kept_look_up(struct iot_thread *t, struct iot_kept *kept)
{
	uint32_t id = iot_name_intern(t, kept->text);

	__atomic_store_n(&kept->known, (uint64_t)iot_paths_forgotten << 32 | id, __ATOMIC_RELAXED);
	return id;
}

/* What the path stands for now.  The log has what it was when it was first open, and that it
   became a file. */
static void look_again(struct iot_thread *t, struct entry *e, uint32_t id, const char *abs, int fd)
{
	struct stat st;
	bool other;

	look(abs, fd, &st);
	other = e->opened && st.st_mode && (e->mode ^ st.st_mode) & S_IFMT;
	if (!e->opened || (other && S_ISREG(st.st_mode)))
		define_path(t, id, e, &st, abs, fd);
	if (!e->opened || other)
		e->mode = (uint16_t)st.st_mode;
	e->opened = true;
}

/*
 * The path's id and what is known of it; new ones are defined in busy t's
 * window.  fd: a descriptor on it, or -1.  Id 0: no room, write the name inline.
 */
struct iot_path iot_path_intern(struct iot_thread *t, const char *abs, uint32_t len, int fd)
{
	struct stat st;
	bool mine;
	struct entry *e = find(t, hash_of(abs, len, true), abs, len, &mine);
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
		define_path(t, id, e, &st, abs, fd);
		__atomic_store_n(&e->id, id, __ATOMIC_RELEASE);
	} else {
		id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
		if (!id)	/* another thread is at it */
			return (struct iot_path){ 0, iot_config_path(abs, len), 0, 0 };
		/* was not there, or not open, when its name first came up; or was no file, and may be one now */
		if (fd >= 0 && (!e->opened || !iot_has_offset(e->mode)))
			look_again(t, e, id, abs, fd);
	}
	return (struct iot_path){ id, e->flags, e->mode, e->name };
}
