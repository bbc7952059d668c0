/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap.c - wrappers that the program has itself, as tests with mock functions do.
 *
 * In a static executable our wrappers are called __wrap_NAME, and the linker leads calls
 * of NAME there.  A program's own __wrap_NAME would be a second one of that name, or, if
 * the program has no --wrap, be called where it never was.  Then ours get in by another
 * way (link.c).  The program's are found by its --wrap options, or by their names: in the
 * symbol tables of objects and archives, which is a page or two of each, and in sources and
 * their headers.  The other way is right for any program, so what can't be looked at counts
 * as one that has wrappers.
 */
#define _GNU_SOURCE
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

#define WRAP "__wrap_"

struct search {
	struct wraps found;
	const char *list; /* --wrap=NAME, a line for each of ours */
	bool run_together; /* nothing is between names */
};

static bool is_libcs(struct search *s, const struct place *p, const char *name)
{
	if (!s->list)
		s->list = iot_read_file(iot_text("%s/wrap%s.list", p->libdir, p->variant), NULL);
	return !s->list || strstr(s->list, iot_text("=%s\n", name));
}

static const struct wraps any = { .libc = true, .fortran = true, .mpi = true, .libaio = true, .liburing = true };

static void note(struct search *s, const struct place *p, const char *name)
{
	if (!*name) /* a macro adds the name */
		s->found = any;
	else if (iot_begins(name, "MPI_") || iot_begins(name, "PMPI_"))
		s->found.mpi = true;
	else if (iot_begins(name, "_gfortran"))
		s->found.fortran = true;
	else if (s->run_together || is_libcs(s, p, name))
		s->found.libc = true;
	if (iot_begins(name + strspn(name, "_"), "io_uring_"))
		s->found.liburing = true;
	else if (iot_begins(name, "io_"))
		s->found.libaio = true;
}

/* All names that some text mentions, which may be the ends of others. */
static void look_at_text(struct search *s, const struct place *p, const char *text, size_t n)
{
	const char *at = text, *end = text + n;

	while ((at = memmem(at, end - at, WRAP, strlen(WRAP)))) {
		const char *name = at += strlen(WRAP);

		while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
			at++;
		note(s, p, iot_text("%.*s", (int)(at - name), name));
	}
}

struct looking {
	struct search *s;
	const struct place *p;
};

static void look_at_names(void *arg, const char *text, size_t n)
{
	struct looking *l = arg;

	look_at_text(l->s, l->p, text, n);
}

/* What ranlib made of an archive says nothing of what members refer to. */
static void look_at_file(struct search *s, const struct place *p, const char *path)
{
	struct looking looking = { s, p };
	struct elf e;

	/* with -fsplit-stack libgcc wraps pthread_create */
	if (iot_ends(path, "libgcc.a"))
		return;
	e = iot_elf_open(path);
	s->run_together = iot_elf_is_bitcode(&e);
	iot_elf_names(&e, look_at_names, &looking);
	s->run_together = false;
	iot_elf_close(&e);
}

/* Where the linker looks for libraries, as far as they may be the program's. */
struct words iot_library_dirs(const struct request *r)
{
	const char *path = getenv("LIBRARY_PATH");
	struct words dirs = { 0 }, others = iot_split(path ? path : "", ":");

	iot_add_all(&dirs, &r->lib_dirs);
	iot_add_all(&dirs, &others);
	iot_add(&dirs, "/usr/local/lib");
	iot_add(&dirs, iot_dir(LIBC_A));
	return dirs;
}

static void look_at_library(struct search *s, const struct place *p, const struct words *dirs, const char *name)
{
	for (size_t i = 0; i < dirs->n; i++) {
		const char *dir = dirs->v[i];
		const char *path = *name == ':' ? iot_text("%s/%s", dir, name + 1) :
						  iot_text("%s/lib%s.a", dir, name);

		if (iot_file(path)) {
			look_at_file(s, p, path);
			return;
		}
	}
}

static bool look_at_source(void *arg, const char *text, size_t n)
{
	struct looking *l = arg;

	look_at_text(l->s, l->p, text, n);
	return false;
}

static void look_at_linked(struct search *s, const struct place *p, const struct request *r)
{
	struct words dirs = iot_library_dirs(r);

	for (size_t i = 0; i < r->linked.n; i++)
		look_at_file(s, p, r->linked.v[i]);
	for (size_t i = 0; i < r->libs.n; i++)
		look_at_library(s, p, &dirs, r->libs.v[i]);
}

struct wraps iot_program_wraps(const struct request *r, const struct place *p)
{
	struct search s = { 0 };
	struct looking looking = { &s, p };
	struct scan scan = { .look = look_at_source, .arg = &looking };

	for (size_t i = 0; i < r->wraps.n; i++)
		note(&s, p, r->wraps.v[i]);
	for (size_t i = 0; i < r->mentions.n; i++)
		look_at_text(&s, p, r->mentions.v[i], strlen(r->mentions.v[i]));
	for (size_t i = 0; i < r->inputs.n; i++)
		look_at_file(&s, p, r->inputs.v[i]);
	look_at_linked(&s, p, r);
	iot_scan(&scan, r);
	return scan.unknown ? any : s.found;
}
