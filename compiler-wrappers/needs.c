/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * needs.c - what a link would be without us.
 *
 * Whether an executable needs MPI's library has to be known for linkers that take from an archive
 * what shared libraries refer to as well (LLVM's, mold): see add_mpi in link.c.  The linker itself
 * tells, unless a shared library refers to MPI's functions.  Then symbols of the program's objects
 * may tell.  What is in archives, in sources and in what link-time optimization reads is used or
 * not: if such things mention MPI, the program is linked without us first, and looked at.
 */
#define _GNU_SOURCE
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "object.h"
#include "needs.h"

/* How names of MPI's functions begin */
static const char *const mpi_names[] = { "MPI_", "PMPI_", NULL };

struct seen {
	bool library; /* a shared library refers to MPI's functions */
	bool object;  /* an object does, which is linked in any case */
	bool mention; /* something mentions them that may be linked */
};

static void look_at_file(struct seen *s, const char *path)
{
	struct elf e = iot_elf_open(path);

	if (iot_elf_is_shared(&e))
		s->library |= iot_elf_refers(&e, mpi_names, false);
	else if (e.head && iot_elf_refers(&e, mpi_names, false))
		s->object = true;
	else if (e.text)
		s->mention |= memmem(e.text, e.size, "MPI_", 4) != NULL;
	iot_elf_close(&e);
}

/* The file of -lNAME, the shared library if there is one; NULL: it is not found. */
static const char *find_library(const struct words *dirs, const char *name)
{
	for (size_t i = 0; i < dirs->n; i++) {
		const char *shared = iot_text("%s/lib%s.so", dirs->v[i], name);
		const char *archive = iot_text("%s/lib%s.a", dirs->v[i], name);

		if (*name == ':')
			shared = archive = iot_text("%s/%s", dirs->v[i], name + 1);
		if (iot_file(shared))
			return shared;
		if (iot_file(archive))
			return archive;
	}
	return NULL;
}

const char *iot_linked_file(const char *linked, const struct request *r, const struct words *dirs)
{
	const char *name = linked + strlen("-l");

	if (!iot_begins(linked, "-l"))
		return linked;
	return find_library(dirs, r->is_static && *name != ':' ? iot_text(":lib%s.a", name) : name);
}

/* A library that is not found, or is a linker script, may be anything. */
static void look_at_library(struct seen *s, const struct words *dirs, const char *name)
{
	const char *path = find_library(dirs, name);

	if (path)
		look_at_file(s, path);
	else
		s->library = s->mention = true;
}

/* Fortran has MPI's functions by other names than C, but for what it says in quotes. */
static bool look_at_source(void *arg, const char *text, size_t n)
{
	struct seen *s = arg;

	if (!iot_self.fortran)
		s->mention |= memmem(text, n, "MPI_", 4) != NULL;
	else
		s->mention |= memmem(text, n, "\"MPI_", 5) || memmem(text, n, "'MPI_", 5);
	return s->mention;
}

static void look_at_libraries(struct seen *s, const struct request *r, const struct mpi *m)
{
	struct request mpis = { .ld = "default" };
	struct words dirs = iot_library_dirs(r);

	if (iot_self.driver == DRIVER_MPI) {
		const struct words *shown = iot_shown_by_mpi();

		iot_read_arguments(&mpis, shown->v + 1, shown->n ? shown->n - 1 : 0);
		iot_add_all(&dirs, &mpis.lib_dirs);
	}
	for (size_t i = 0; i < m->libs.n; i++)
		look_at_library(s, &dirs, m->libs.v[i] + strlen("-l"));
	for (size_t i = 0; i < r->libs.n; i++)
		look_at_library(s, &dirs, r->libs.v[i]);
	for (size_t i = 0; i < r->linked.n; i++)
		look_at_file(s, r->linked.v[i]);
	for (size_t i = 0; i < r->inputs.n; i++)
		if (iot_is_binary(r->inputs.v[i]))
			look_at_file(s, r->inputs.v[i]);
}

const char *iot_tmpdir(void)
{
	const char *tmp = getenv("TMPDIR");

	return tmp && *tmp ? tmp : "/tmp";
}

/* What the compiler says meanwhile, the command that follows says again. */
struct plain iot_link_without_us(const struct command *c, const struct request *r)
{
	char *dir = iot_text("%s/ioccXXXXXX", iot_tmpdir()), *file;
	struct words link = { 0 }, rm = { 0 };
	struct plain plain = { 0 };
	struct held held[2];
	off_t at = 0;

	if (!iot_is_repeatable(r) || (r->from_stdin && !iot_keep_input(&at)) || !mkdtemp(dir))
		return plain;
	plain.tried = true;
	file = iot_text("%s/a.out", dir);
	iot_add_all(&link, &iot_self.command);
	iot_add_all(&link, &c->args);
	iot_add(&link, "-o");
	iot_add(&link, file);
	plain.links = !iot_run_held(&link, held);
	if (plain.links) {
		struct elf e = iot_elf_open(file);

		plain.known = e.head;
		iot_elf_add_needed(&plain.needed, &e);
		iot_elf_close(&e);
	}
	if (r->from_stdin)
		lseek(STDIN_FILENO, at, SEEK_SET);
	iot_add(&rm, "rm");
	iot_add(&rm, "-rf");
	iot_add(&rm, dir);
	iot_ask_program("rm", &rm, NULL, false);
	return plain;
}

static bool needs_without_us(const struct command *c, const struct request *r, const struct mpi *m)
{
	struct plain plain = iot_link_without_us(c, r);

	return !plain.links || !plain.known || iot_has_beginning(&plain.needed, iot_mpi_soname(m));
}

bool iot_needs_mpi(const struct command *c, const struct request *r, const struct mpi *m)
{
	struct seen s = { 0 };
	struct scan scan = { .look = look_at_source, .arg = &s };

	look_at_libraries(&s, r, m);
	if (!s.library || s.object)
		return true;
	if (!s.mention)
		s.mention = iot_scan(&scan, r) || scan.unknown;
	return s.mention && needs_without_us(c, r, m);
}

static void add_needed(struct words *names, const char *path)
{
	struct elf e = iot_elf_open(path);

	if (iot_elf_is_shared(&e))
		iot_elf_add_needed(names, &e);
	iot_elf_close(&e);
}

void iot_add_behind(struct words *names, const struct words *dirs)
{
	for (size_t i = 0; i < names->n; i++) {
		const char *path = find_library(dirs, iot_text(":%s", names->v[i]));

		if (path)
			add_needed(names, path);
	}
}

struct words iot_libraries_behind(const struct request *r)
{
	struct words dirs = iot_library_dirs(r), names = { 0 };

	for (size_t i = 0; i < r->libs.n; i++) {
		const char *path = find_library(&dirs, r->libs.v[i]);

		if (path)
			add_needed(&names, path);
	}
	for (size_t i = 0; i < r->linked.n; i++)
		add_needed(&names, r->linked.v[i]);
	for (size_t i = 0; i < r->inputs.n; i++)
		if (iot_is_binary(r->inputs.v[i]))
			add_needed(&names, r->inputs.v[i]);
	iot_add_behind(&names, &dirs);
	return names;
}
