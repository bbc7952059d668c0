/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - the files that the kernel and the loader map before the program begins: --cold evicts
 * them, and the recorder is told what of them was in the page cache (IOTRACE_FOUND).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/core/setting.h"
#include "../cache/pages.h"
#include "run.h"

#define MOST_FOUND 100000u		/* bytes: the kernel takes 128 KiB in one string of an environment */

static char **files;
static size_t n_files;

static void add(const char *path)
{
	char *copy = strdup(path);

	if (!(n_files & (n_files + 1)))
		files = realloc(files, (2 * n_files + 2) * sizeof(*files));
	if (!files || !copy)
		iot_run_die(EXIT_OURS, "out of memory");
	files[n_files++] = copy;
	files[n_files] = NULL;
}

/* NAME => PATH (ADDRESS), or PATH (ADDRESS) */
static void add_library(void *unused, char *line)
{
	char *path = strchr(line, '/'), *end = strstr(line, " (0x");

	(void)unused;
	if (!path || !end || end < path)
		return;
	*end = 0;
	add(path);
}

char **iot_run_files(const char *path, const struct iot_run_program *program)
{
	if (files)
		return files;
	add(path);
	for (unsigned i = 0; i < program->n_through; i++)
		add(program->through[i]);
	if (*program->executable && strcmp(program->executable, path) != 0)
		add(program->executable);
	if (*program->loader)
		iot_run_libraries(program->loader, program->executable, add_library, NULL);
	return files;
}

/* --- IOTRACE_FOUND ------------------------------------------------------------- */

struct found {
	FILE *to;
	int fd;
	uint64_t page, size;		/* of a page, and of the file; bytes */
	uint64_t from, end;		/* pages that are there, and not said yet */
};

static void say_run(struct found *f)
{
	if (f->end > f->from)
		fprintf(f->to, ",%" PRIx64 "-%" PRIx64, f->from, f->end);
	f->from = f->end = 0;
}

/* Pages from..end-1, in halves until each is all there or not at all. */
static void look(struct found *f, uint64_t from, uint64_t end)
{
	const uint64_t start = from * f->page, left = f->size - start, all = (end - from) * f->page;
	const int64_t there = cache_resident(f->fd, start, all < left ? all : left);

	if (there <= 0)
		return;
	if (end - from > 1 && (uint64_t)there < (all < left ? all : left)) {
		look(f, from, from + (end - from) / 2);
		look(f, from + (end - from) / 2, end);
		return;
	}
	if (f->end != from) {
		say_run(f);
		f->from = from;
	}
	f->end = end;
}

/* DEVICE.INODE,FROM-END,...; in hexadecimal pages.  Nothing, if the kernel does not tell. */
static void say_file(FILE *to, const char *path)
{
	struct found f = {.to = to, .page = (uint64_t)sysconf(_SC_PAGESIZE)};
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || (f.fd = cache_open(path, &f.size)) < 0)
		return;
	if (f.size && cache_resident(f.fd, 0, f.size) >= 0) {
		fprintf(to, "%" PRIx64 ".%" PRIx64, (uint64_t)st.st_dev, (uint64_t)st.st_ino);
		look(&f, 0, (f.size + f.page - 1) / f.page);
		say_run(&f);
		fputc(';', to);
	}
	close(f.fd);
}

static bool is_on(enum iot_setting setting)
{
	const char *name = iot_setting_name(setting), *value = getenv(name);
	uint64_t on = 0;

	if (!value || !*value)
		return iot_run_site_has(name);
	return !iot_setting_number(setting, value, &on) && on;
}

void iot_run_tell_found(const char *path, const struct iot_run_program *program)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to;

	if (!is_on(IOT_SET_FAULTS) || !is_on(IOT_SET_CACHE) || !(to = open_memstream(&text, &size)))
		return;
	/* what becomes the program is this process */
	fprintf(to, "%" PRIx64 ";", (uint64_t)getpid());
	for (char **file = iot_run_files(path, program); *file && ftell(to) < (long)MOST_FOUND; file++)
		say_file(to, *file);
	if (!fclose(to) && size < MOST_FOUND)
		iot_run_set(iot_setting_name(IOT_SET_FOUND), text);
	free(text);
}
