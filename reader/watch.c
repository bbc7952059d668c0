/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - logs that are to be followed, as they appear. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "job.h"
#include "live.h"
#include "log-bytes.h"
#include "set.h"

/* For so long (s) a log may be without its header: then it stays so. */
#define PATIENCE 10

struct waiting { /* a file without a header */
	char *file;
	time_t since;
};

struct directory {
	char *path;
	bool below;	       /* directories in it are looked at as well */
	struct timespec mtime; /* when it was read */
};

struct iotr_watch {
	struct iotr_set *set;
	iotr_message_fn *fn;
	void *arg;
	struct waiting *waiting;
	size_t n_waiting, cap_waiting;
	struct directory *dir;
	size_t n_dirs, cap_dirs;
	struct iotr_idmap seen; /* names in directories */
};

struct iotr_watch *iotr_watch_new(struct iotr_set *set, iotr_message_fn *fn, void *arg)
{
	struct iotr_watch *w = iotr_alloc(sizeof(*w));

	w->set = set;
	w->fn = fn;
	w->arg = arg;
	return w;
}

void iotr_watch_free(struct iotr_watch *w)
{
	size_t i;

	for (i = 0; i < w->n_waiting; i++)
		free(w->waiting[i].file);
	for (i = 0; i < w->n_dirs; i++)
		free(w->dir[i].path);
	free(w->waiting);
	free(w->dir);
	iotr_idmap_free(&w->seen);
	free(w);
}

static char *join(const char *dir, const char *name)
{
	size_t size = strlen(dir) + strlen(name) + 2;
	char *file = iotr_alloc(size);

	snprintf(file, size, "%s%s%s", dir, *dir ? "/" : "", name);
	return file;
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

/* Is the header still to come?  The recorder writes it in one piece and only then
   reserves space behind it, through a mapping. */
static bool unborn(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct iot_file_header h = {0};
	static const char none[sizeof(h.magic)];
	bool yes = false;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    pread(fd, &h, sizeof(h), 0) >= 0)
		yes = !memcmp(h.magic, none, sizeof(none)) ||
		      (!memcmp(h.magic, IOT_MAGIC, sizeof(h.magic)) && IOT_COUNT(h.end) <= h.text_end);
	if (fd >= 0)
		close(fd);
	return yes;
}

/* late: what is not there now will not come */
static int add_file(struct iotr_watch *w, const char *file, bool late)
{
	struct iotr_log *bytes;

	if (!late && unborn(file)) {
		struct waiting new = {join("", file), now()};

		w->waiting = iotr_grow(w->waiting, &w->cap_waiting, w->n_waiting + 1,
				       sizeof(*w->waiting));
		w->waiting[w->n_waiting++] = new;
		return 0;
	}
	bytes = iotr_log_bytes(file, w->fn, w->arg);
	return bytes ? iotr_job_each(bytes, iotr_log_begin_live, w->set) : -1;
}

static uint64_t hash(const char *dir, const char *name)
{
	return iotr_hash(IOTR_HASH ^ (uintptr_t)dir, name, strlen(name));
}

static int is_log_or_directory(const struct dirent *d)
{
	return iotr_is_log(d) || ((d->d_type == DT_DIR || d->d_type == DT_UNKNOWN) &&
				  strcmp(d->d_name, ".") && strcmp(d->d_name, ".."));
}

/* A link to a directory is none: it may lead back. */
static bool is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int add_directory(struct iotr_watch *w, const char *path, bool below);

static void add_entry(struct iotr_watch *w, const struct dirent *entry, const char *dir, bool below)
{
	uint64_t id = hash(dir, entry->d_name);
	char *file;

	if (iotr_idmap_get(&w->seen, id))
		return;
	iotr_idmap_put(&w->seen, id, w);
	file = join(dir, entry->d_name);
	if (below && is_directory(file))
		add_directory(w, file, true);
	else if (iotr_is_log(entry))
		add_file(w, file, false);
	free(file);
}

/* Adds what is new in a directory.  One that was changed just now may be changed
   again without its time showing it. */
static void read_directory(struct iotr_watch *w, size_t number)
{
	struct directory d = w->dir[number];
	struct dirent **list;
	struct timespec real;
	struct stat st;
	int i, n;

	if (stat(d.path, &st) < 0 ||
	    (st.st_mtim.tv_sec == d.mtime.tv_sec && st.st_mtim.tv_nsec == d.mtime.tv_nsec))
		return;
	clock_gettime(CLOCK_REALTIME, &real);
	n = scandir(d.path, &list, d.below ? is_log_or_directory : iotr_is_log, alphasort);
	if (n < 0 && errno == ENOMEM)
		iotr_no_memory();
	if (real.tv_sec > st.st_mtim.tv_sec + 1)
		w->dir[number].mtime = st.st_mtim;
	for (i = 0; i < n; i++) {
		add_entry(w, list[i], d.path, d.below);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static int add_directory(struct iotr_watch *w, const char *path, bool below)
{
	DIR *dir = opendir(path);

	if (!dir && errno == ENOMEM)
		iotr_no_memory();
	if (!dir) {
		iotr_unreadable(w->set, path, "can't be read", errno);
		return -1;
	}
	closedir(dir);
	w->dir = iotr_grow(w->dir, &w->cap_dirs, w->n_dirs + 1, sizeof(*w->dir));
	w->dir[w->n_dirs] = (struct directory){.path = join("", path), .below = below};
	read_directory(w, w->n_dirs++);
	return 0;
}

int iotr_watch_add(struct iotr_watch *w, const char *path, bool below)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_directory(w, path, below);
	return add_file(w, path, false);
}

/* Adds what has appeared; true if there is something to wait for: a header, or the
   first log of a directory. */
bool iotr_watch_poll(struct iotr_watch *w)
{
	size_t i, n = w->n_waiting;
	struct waiting *old = w->waiting;

	w->waiting = NULL;
	w->n_waiting = w->cap_waiting = 0;
	for (i = 0; i < n; i++) {
		time_t since = old[i].since;

		if (add_file(w, old[i].file, now() - since > PATIENCE) == 0 && w->n_waiting &&
		    !strcmp(w->waiting[w->n_waiting - 1].file, old[i].file))
			w->waiting[w->n_waiting - 1].since = since;
		free(old[i].file);
	}
	free(old);
	for (i = 0; i < w->n_dirs; i++)
		read_directory(w, i);
	return w->n_waiting || (w->n_dirs && !iotr_set_size(w->set));
}
