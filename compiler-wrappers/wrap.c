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

#include <ar.h>
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iocc.h"

#define WRAP "__wrap_"

struct search {
	struct wraps found;
	const char *list; /* --wrap=NAME, a line for each of ours */
	bool run_together; /* nothing is between names */
	int fd;
	off_t size;
};

static bool is_libcs(struct search *s, const struct place *p, const char *name)
{
	if (!s->list)
		s->list = iot_read_file(iot_text("%s/wrap%s.list", p->libdir, p->variant), NULL);
	return !s->list || strstr(s->list, iot_text("=%s\n", name));
}

static const struct wraps any = { .libc = true, .fortran = true, .mpi = true };

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

/* A part of the file; NULL if it isn't there. */
static void *part(const struct search *s, uint64_t at, uint64_t n)
{
	char *to;

	if (at > (uint64_t)s->size || n > s->size - at)
		return NULL;
	to = malloc(n + 1);
	if (to && pread(s->fd, to, n, at) != (ssize_t)n) {
		free(to);
		to = NULL;
	}
	return to;
}

static void look_at_part(struct search *s, const struct place *p, uint64_t at, uint64_t n)
{
	char *text = part(s, at, n);

	if (text)
		look_at_text(s, p, text, n);
	free(text);
}

/* GCC's intermediate code has a table of its own, which is no string table. */
static bool has_names(const Elf64_Shdr *section, const char *names, size_t size)
{
	return section->sh_type == SHT_STRTAB ||
	       (names && section->sh_name < size && iot_begins(names + section->sh_name, ".gnu.lto_.symtab"));
}

/* n sections, and the number of the one that has their names */
static void look_at_sections(struct search *s, const struct place *p, const Elf64_Shdr *sections, size_t n, size_t table)
{
	size_t size = table < n ? sections[table].sh_size : 0;
	char *names = table < n ? part(s, sections[table].sh_offset, size) : NULL;

	if (names)
		names[size] = 0;
	for (size_t i = 0; i < n; i++)
		if (has_names(&sections[i], names, size))
			look_at_part(s, p, sections[i].sh_offset, sections[i].sh_size);
	free(names);
}

static void look_at_object(struct search *s, const struct place *p)
{
	Elf64_Ehdr *head = part(s, 0, sizeof(*head));
	Elf64_Shdr *first = head ? part(s, head->e_shoff, sizeof(*first)) : NULL, *sections = NULL;
	size_t n, table;

	if (first && head->e_ident[EI_CLASS] == ELFCLASS64) {
		/* where there are too many sections for the header, the first has the numbers */
		n = head->e_shnum ? head->e_shnum : first->sh_size;
		table = head->e_shstrndx == SHN_XINDEX ? first->sh_link : head->e_shstrndx;
		if (n <= (uint64_t)s->size / sizeof(*sections))
			sections = part(s, head->e_shoff, n * sizeof(*sections));
		if (sections)
			look_at_sections(s, p, sections, n, table);
	}
	free(sections);
	free(first);
	free(head);
}

/* What ranlib made of it, which comes first, and says nothing of what members refer to. */
static void look_at_archive(struct search *s, const struct place *p)
{
	struct ar_hdr *first = part(s, SARMAG, sizeof(*first));

	if (first && *first->ar_name == '/')
		look_at_part(s, p, SARMAG + sizeof(*first), strtoull(first->ar_size, NULL, 10));
	free(first);
}

static void look_at_file(struct search *s, const struct place *p, const char *path)
{
	struct stat st;
	char *magic;

	/* with -fsplit-stack libgcc wraps pthread_create */
	if (!iot_file(path) || iot_ends(path, "libgcc.a"))
		return;
	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st))
		return;
	s->size = st.st_size;
	magic = part(s, 0, SARMAG);
	if (magic && !memcmp(magic, ELFMAG, SELFMAG)) {
		look_at_object(s, p);
	} else if (magic && (!memcmp(magic, ARMAG, SARMAG) || !memcmp(magic, "!<thin>\n", SARMAG))) {
		look_at_archive(s, p);
	} else {
		s->run_together = magic && !memcmp(magic, "BC\xc0\xde", 4); /* LLVM's bitcode */
		look_at_part(s, p, 0, s->size);
		s->run_together = false;
	}
	free(magic);
	close(s->fd);
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

struct looking {
	struct search *s;
	const struct place *p;
};

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
