/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - our files that a link adds: each has to be the one with which this program was built.
 *
 * A linker takes an empty list, an archive that lacks members, or those of another iotrace, without
 * a word, and the executable records nothing, or not all.  So it would be while they are built or
 * installed, and after a disk was full.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "iocc.h"
#include "whole.h"

static const struct part {
	const char *name; /* in the build's directory: lib/... or mpi/... */
	uint64_t bytes;	  /* see whole.h */
} parts[] = {
#include "compiler-wrappers/parts.def"
};

#define EACH_PART(part) (const struct part *part = parts; part < parts + sizeof(parts) / sizeof(*parts); part++)

static const char *path_of(const struct part *part, const struct place *p)
{
	return iot_text("%s/%s", iot_begins(part->name, "mpi/") ? p->mpidir : p->libdir, part->name + strlen("lib/"));
}

static bool is_whole(const struct part *part, const struct place *p)
{
	const char *path = path_of(part, p);

	if (iot_whole_bytes(path) == part->bytes)
		return true;
	if (iot_file(path))
		iot_not_instrumented("%s is incomplete, or of another iotrace (install iotrace anew)", path);
	else
		iot_not_instrumented("no %s (install iotrace or set IOTRACE_LIBDIR)", path);
	return false;
}

static const struct part *find(const char *name)
{
	for EACH_PART(part)
		if (!strcmp(part->name + strlen("lib/"), name))
			return part;
	return NULL;
}

bool iot_is_part(const char *name)
{
	return find(name);
}

bool iot_part_is_whole(const char *name, const struct place *p)
{
	const struct part *part = find(name);

	return part && is_whole(part, p);
}

/* COPY.of says of what COPY is one (direct.sh). */
static bool is_of_copy(const struct part *part)
{
	return iot_ends(part->name, ".of");
}

/* Whether the words have the linker read it: by its name, or as a libc by that of its directory. */
static bool is_named(const struct words *words, const struct part *part, const struct place *p)
{
	const char *path = path_of(part, p);
	const char *file = iot_text("%.*s", (int)(strlen(path) - (is_of_copy(part) ? strlen(".of") : 0)), path);
	const char *search = strchr(part->name + strlen("lib/"), '/') ? iot_text("-L%s", iot_dir(path)) : file;

	for (size_t i = 0; i < words->n; i++)
		if (strstr(words->v[i], file) || !strcmp(words->v[i], search))
			return true;
	return false;
}

static bool is_added(const struct command *c, const struct part *part, const struct place *p)
{
	return is_named(&c->before, part, p) || is_named(&c->after, part, p);
}

/* Of a library that may have changed since. */
static void check_copy(const char *path)
{
	char *of = iot_read_file(path, NULL);
	long long size, when;
	struct stat st;
	int n;

	if (!of || sscanf(of, "%lld %lld %n", &size, &when, &n) != 2)
		return;
	of[strcspn(of, "\n")] = 0;
	if (stat(of + n, &st) || st.st_size != size || st.st_mtime != when)
		iot_warn("%s has changed since iotrace was built, and a copy of the old one is linked (build iotrace anew)",
			 of + n);
}

bool iot_added_is_whole(const struct command *c, const struct place *p)
{
	for EACH_PART(part)
		if (is_added(c, part, p) && !is_whole(part, p))
			return false;
	for EACH_PART(part)
		if (is_of_copy(part) && is_added(c, part, p))
			check_copy(path_of(part, p));
	return true;
}
