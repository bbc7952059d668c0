/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources.c - what sources say, and the headers that they include, as far as these
 * are the program's: the system's directories are not searched.
 */
#include "config.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iocc.h"

#define MOST_FILES 1000 /* of which the sources of a command may consist */

static struct words include_dirs(const struct request *r)
{
	static const char *const variables[] = { "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH" };
	struct words dirs = { 0 };

	iot_add_all(&dirs, &r->includes);
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *set = getenv(variables[i]);
		struct words words = iot_split(set ? set : "", ":");

		iot_add_all(&dirs, &words);
	}
	return dirs;
}

struct text {
	const char *text;
	size_t n;
};

/* All that a command consists of.  Several look at it, one after the other: it is read once. */
struct sources {
	struct text *v;
	size_t n;
	bool read, unknown; /* unknown: there was something that could not be read */
	struct words dirs, seen;
};

static void read_named(struct sources *s, const char *path);

/* In the directory of the file that says so, or one of -I */
static void read_included(struct sources *s, const char *name, const char *dir)
{
	char *path = *name == '/' ? iot_text("%s", name) : iot_text("%s/%s", dir, name);

	for (size_t i = 0; !iot_file(path) && i < s->dirs.n; i++)
		path = iot_text("%s/%s", s->dirs.v[i], name);
	if (iot_file(path))
		read_named(s, path);
}

static void read_includes(struct sources *s, const char *text, const char *dir)
{
	for (const char *at = text; (at = strstr(at, "include")); at++) {
		const char *name = at + strlen("include"), *end;
		bool directive = at > text && strchr("# \t", at[-1]);

		name += strspn(name, " \t");
		end = *name ? strpbrk(name + 1, "\"'>\n") : NULL;
		if (*name && strchr("\"'<", *name) && end && *end != '\n') {
			read_included(s, iot_text("%.*s", (int)(end - name - 1), name + 1), dir);
		} else if (directive && (isalpha((unsigned char)*name) || *name == '_')) {
			/* a macro tells which; or it is in a comment */
			while (at > text && strchr(" \t", at[-1]))
				at--;
			s->unknown |= at > text && at[-1] == '#';
			at = name;
		}
	}
}

static void add_text(struct sources *s, const char *text, size_t n, const char *dir)
{
	s->v = reallocarray(s->v, s->n + 1, sizeof(*s->v));
	if (!s->v)
		iot_die(1, "out of memory");
	s->v[s->n++] = (struct text){ text, n };
	read_includes(s, text, dir);
}

static void read_named(struct sources *s, const char *path)
{
	char *text;
	size_t n;

	if (iot_has(&s->seen, path))
		return;
	if (s->seen.n == MOST_FILES) {
		s->unknown = true;
		return;
	}
	iot_add(&s->seen, path);
	text = iot_read_file(path, &n);
	if (text)
		add_text(s, text, n, iot_dir(path));
}

/* A pipe can't be read again. */
static bool is_repeatable(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || !strcmp(path, "/dev/null");
}

bool iot_is_repeatable(const struct request *r)
{
	for (size_t i = 0; i < r->inputs.n; i++) {
		const char *path = r->inputs.v[i];

		if (!is_repeatable(*path == '@' ? path + 1 : path))
			return false;
	}
	return true;
}

bool iot_keep_input(off_t *at)
{
	char *text;
	size_t n;
	int fd;

	*at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (*at >= 0)
		return true;
	*at = 0;
	text = iot_read_all(STDIN_FILENO, &n);
	fd = memfd_create("stdin", MFD_CLOEXEC);
	return text && fd >= 0 && write(fd, text, n) == (ssize_t)n && !lseek(fd, 0, SEEK_SET) &&
	       dup2(fd, STDIN_FILENO) == STDIN_FILENO;
}

static void read_stdin(struct sources *s)
{
	char *text = NULL;
	off_t at;
	size_t n;

	if (iot_keep_input(&at)) {
		text = iot_read_all(STDIN_FILENO, &n);
		lseek(STDIN_FILENO, at, SEEK_SET);
	}
	s->unknown |= !text;
	if (text)
		add_text(s, text, n, ".");
}

static ssize_t read_start(const char *path, char *start, size_t size)
{
	int fd = iot_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd < 0 ? -1 : read(fd, start, size);

	if (fd >= 0)
		close(fd);
	return n;
}

bool iot_is_binary(const char *path)
{
	char start[512];
	ssize_t n = read_start(path, start, sizeof(start));

	return n > 0 && memchr(start, 0, n);
}

static bool is_text(const char *path)
{
	return iot_file(path) && !iot_is_binary(path);
}

static void read_all(struct sources *s, const struct request *r)
{
	s->read = true;
	s->dirs = include_dirs(r);
	for (size_t i = 0; i < r->forced.n; i++)
		read_included(s, r->forced.v[i], ".");
	for (size_t i = 0; i < r->inputs.n; i++) {
		const char *path = r->inputs.v[i];

		if (!strcmp(path, "-"))
			read_stdin(s);
		else if (is_text(path))
			read_named(s, path);
		s->unknown |= !is_repeatable(path);
	}
}

bool iot_scan(struct scan *scan, const struct request *r)
{
	static struct sources sources;

	if (!sources.read)
		read_all(&sources, r);
	scan->unknown = sources.unknown;
	for (size_t i = 0; i < sources.n; i++)
		if (scan->look(scan->arg, sources.v[i].text, sources.v[i].n))
			return true;
	return false;
}
