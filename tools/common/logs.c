/* SPDX-License-Identifier: BSD-3-Clause */
/* logs.c - the logs that a command line names. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "logs.h"
#include "message.h"
#include "unnamed.h"

const char *iot_logs_run;
static bool recursive;

static const struct argp_option options[] = {
	{"recursive", 'r', NULL, 0, "Take the logs below directories as well", 3},
	{0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	if (key == ARGP_KEY_NO_ARGS)
		iot_die("no log is given; name logs or directories with logs (--help says more)");
	if (key != 'r')
		return ARGP_ERR_UNKNOWN;
	recursive = true;
	return 0;
}

const struct argp iot_logs_argp = {.options = options, .parser = on_option};

/* ---- files that were seen ---- */

struct seen {
	dev_t dev;
	ino_t ino;
	char name[];
};
static void *tree; /* of struct seen */

static int by_inode(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Under which name it was seen before; NULL: it was not. */
static const char *seen_as(const char *file, const struct stat *st)
{
	struct seen *s = malloc(sizeof(*s) + strlen(file) + 1), **there;

	if (!s)
		iot_die("out of memory");
	*s = (struct seen){.dev = st->st_dev, .ino = st->st_ino};
	memcpy(s->name, file, strlen(file) + 1);
	there = tsearch(s, &tree, by_inode);
	if (!there)
		iot_die("out of memory");
	if (*there == s)
		return NULL;
	free(s);
	return (*there)->name;
}

static void found(const char *file, bool in_directory, iot_log_fn *fn, void *arg)
{
	const char *before;
	struct stat st;

	/* what can't be looked at is for those to complain about who open it */
	before = strcmp(file, "-") && stat(file, &st) == 0 ? seen_as(file, &st) : NULL;
	if (before)
		iot_say(file, "is left out: %s is the same log", before);
	else
		fn(arg, file, in_directory);
}

/* ---- directories ---- */

static bool is_log_name(const char *name)
{
	size_t n = strlen(name), m = strlen(".iotrace");

	return n > m && !strcmp(name + n - m, ".iotrace");
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static int is_wanted(const struct dirent *d)
{
	return is_log_name(d->d_name) ||
	       (recursive && !is_dots(d->d_name) && (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN));
}

/* No link to a directory: it may lead back. */
static bool is_directory(const char *path, bool follow)
{
	struct stat st;

	return (follow ? stat(path, &st) : lstat(path, &st)) == 0 && S_ISDIR(st.st_mode);
}

/* Returns how many logs it has. */
static size_t walk(const char *path, iot_log_fn *fn, void *arg)
{
	struct dirent **entry;
	int i, n = scandir(path, &entry, is_wanted, alphasort);
	size_t logs = 0;

	if (n < 0) {
		iot_complain(STATUS_TROUBLE, path, "can't be read: %s", strerror(errno));
		return 1; /* nobody knows */
	}
	for (i = 0; i < n; i++) {
		char *file;

		if (asprintf(&file, "%s/%s", path, entry[i]->d_name) < 0)
			iot_die("out of memory");
		if (recursive && is_directory(file, false)) {
			logs += walk(file, fn, arg);
		} else if (is_log_name(entry[i]->d_name)) {
			logs++;
			found(file, true, fn, arg);
		}
		free(file);
		free(entry[i]);
	}
	free(entry);
	return logs;
}

void iot_logs_each(char **name, iot_log_fn *fn, void *arg)
{
	for (; *name; name++) {
		if (!strcmp(*name, "-") || !is_directory(*name, true))
			found(*name, false, fn, arg);
		else if (!walk(*name, fn, arg))
			iot_complain(STATUS_TROUBLE, *name,
				     recursive ? "has no logs (*.iotrace) in it or below"
					       : "is a directory without logs (*.iotrace); -r looks "
						 "below it, too");
	}
	tdestroy(tree, free);
	tree = NULL;
}

/* ---- what has no file of its own: standard input, logs in a database ---- */

static int read_stdin(void)
{
	static char buf[1 << 16];
	int fd = iot_unnamed("standard input");
	ssize_t n;

	while ((n = read(STDIN_FILENO, buf, sizeof(buf)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			iot_die("standard input can't be read: %s", strerror(errno));
		for (ssize_t done = 0, m; done < n; done += m) {
			m = write(fd, buf + done, (size_t)(n - done));
			if (m < 0 && errno == EINTR)
				m = 0;
			else if (m < 0)
				iot_die("standard input doesn't fit into TMPDIR: %s", strerror(errno));
		}
	}
	return fd;
}

/* Its bytes come once. */
int iot_logs_stdin(void)
{
	static int fd = -1;
	int copy;

	if (fd < 0)
		fd = read_stdin();
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		iot_die("standard input can't be read: %s", strerror(errno));
	return copy;
}

static void add_bytes(void *set, const char *name, int fd)
{
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	const void *data = "";

	/* the file is nobody else's, and stays as it is */
	if (size)
		data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		iot_die("%s can't be mapped: %s", name, strerror(errno));
	close(fd);
	iotr_set_add_mem(set, data, size, name);
}

/* ---- logs that are read ---- */

static char **added;
static size_t n_added;

static void note_added(const char *file)
{
	added = reallocarray(added, n_added + 1, sizeof(*added));
	if (!added || !(added[n_added++] = strdup(file)))
		iot_die("out of memory");
}

static void add(void *set, const char *file, bool in_directory)
{
	(void)in_directory;
	if (!strcmp(file, "-"))
		add_bytes(set, "(standard input)", iot_logs_stdin());
	else if (!iot_database_is(file))
		iotr_set_add(set, file);
	else if (!iot_database_logs(file, iot_logs_run, add_bytes, set))
		return;
	note_added(file);
}

void iot_logs_add(struct iotr_set *set, char **name)
{
	iot_logs_each(name, add, set);
}

void iot_logs_again(void fn(void *arg, const char *log, int fd), void *arg)
{
	size_t i;
	int fd;

	for (i = 0; i < n_added; i++) {
		if (!strcmp(added[i], "-"))
			fn(arg, "(standard input)", iot_logs_stdin());
		else if (iot_database_is(added[i]))
			iot_database_logs(added[i], iot_logs_run, fn, arg);
		else if ((fd = open(added[i], O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) >= 0)
			fn(arg, added[i], fd);
	}
}

/* ---- what is followed ---- */

void iot_logs_follow(struct iotr_follow *f, char **name)
{
	for (; *name; name++) {
		if (!strcmp(*name, "-"))
			iot_die("-: standard input can't be followed; name the log");
		if (iot_database_is(*name))
			iot_die("%s: is a database, to which no program writes; leave out what follows logs", *name);
		if (recursive)
			iotr_follow_add_below(f, *name);
		else
			iotr_follow_add(f, *name);
	}
}
