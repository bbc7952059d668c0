/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame.c - compiling with frame pointers where that is possible.
 *
 * -fno-omit-frame-pointer takes %rbp away from the program, and GCC refuses asm
 * statements and variables that use it.  So when a compilation fails it is done again
 * without, and what the user sees is the second one's.  Until then nothing of the
 * first is seen.  Clang refuses nothing and makes code that does not work, and with
 * link-time optimization code is made when it is too late: there the source is looked
 * at first.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "iocc.h"

#define MOST_FILES 1000 /* of which one source may consist */

/* The register's name between quotation marks, as a clobber or of a variable */
static bool names_register(const char *text)
{
	for (const char *at = text; (at = strstr(at, "bp")); at += 2) {
		const char *from = at, *end = at + 2;

		if (*end == 'l')
			end++;
		if (from > text && (from[-1] == 'r' || from[-1] == 'e'))
			from--;
		if (from > text && from[-1] == '%')
			from--;
		if (from > text && from[-1] == '"' && *end == '"')
			return true;
	}
	return false;
}

static bool scan(const char *path, const struct request *r, struct words *seen);

/* #include "NAME", from the directory of the file that says so or one of -I */
static bool scan_included(const char *name, const char *from, const struct request *r,
			  struct words *seen)
{
	char *path = iot_text("%s/%s", iot_dir(from), name);

	for (size_t i = 0; !iot_file(path) && i < r->includes.n; i++)
		path = iot_text("%s/%s", r->includes.v[i], name);
	return iot_file(path) && scan(path, r, seen);
}

static bool scan(const char *path, const struct request *r, struct words *seen)
{
	char *text, *at;

	if (iot_has(seen, path) || seen->n == MOST_FILES)
		return false;
	iot_add(seen, path);
	text = iot_file(path) ? iot_read_file(path, NULL) : NULL;
	if (!text)
		return false;
	if (names_register(text))
		return true;
	for (at = text; (at = strstr(at, "include")); at++) {
		char *name = at + strlen("include"), *end;

		name += strspn(name, " \t");
		end = strpbrk(name + 1, "\">\n");
		if ((*name != '"' && *name != '<') || !end || *end == '\n')
			continue;
		if (scan_included(iot_text("%.*s", (int)(end - name - 1), name + 1), path, r, seen))
			return true;
	}
	free(text);
	return false;
}

bool iot_uses_frame_register(const struct request *r)
{
	struct words seen = { 0 };

	if (r->omits || (!r->lto && !iot_is_clang()))
		return false;
	for (size_t i = 0; i < r->inputs.n; i++)
		if (scan(r->inputs.v[i], r, &seen))
			return true;
	return false;
}

/* Whether all that is read can be read again: a pipe can't. */
static bool is_repeatable(const struct request *r)
{
	for (size_t i = 0; i < r->inputs.n; i++) {
		const char *path = r->inputs.v[i];
		struct stat st;

		if (!stat(*path == '@' ? path + 1 : path, &st) && !S_ISREG(st.st_mode) &&
		    strcmp(path, "/dev/null") != 0)
			return false;
	}
	return true;
}

/* Standard input, to be read from where it is now; false if that can't be. */
static bool keep_input(off_t *at)
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

void iot_compile(const struct command *c, const struct request *r)
{
	struct words with = iot_command_line(c, true), without = iot_command_line(c, false);
	struct held held[2];
	off_t at = 0;
	int status;

	if (!c->frame || r->omits)
		iot_become(&with);
	if (!is_repeatable(r) || (r->from_stdin && !keep_input(&at)))
		iot_become(&without);
	status = iot_run_held(&with, held);
	if (!status) {
		iot_write_held(held);
		exit(0);
	}
	if (r->from_stdin)
		lseek(STDIN_FILENO, at, SEEK_SET);
	iot_become(&without);
}
