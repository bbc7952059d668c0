/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * needs.c - what a link would be without us.
 *
 * Ours define functions of some libraries, and name these again: a link would succeed that
 * fails without us, where the library is not named at all, or in front of what calls it.  Then
 * the executable would lack the library, and build systems that try would believe that there is
 * no need of one.  So if something mentions such functions and no such library comes behind it,
 * the program is linked without us first.  If that fails, the compiler is left alone, and says
 * what it says without us.
 *
 * Whether an executable needs MPI's library has to be known for linkers that take from an archive
 * what shared libraries refer to as well (LLVM's, mold): see add_mpi in link.c.  The linker itself
 * tells, unless a shared library refers to MPI's functions.  Then symbols of the program's objects
 * may tell.  What is in archives, in sources and in what link-time optimization reads is used or
 * not: if such things mention MPI, the program is linked without us first, and looked at.
 */
#define _GNU_SOURCE
#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iocc.h"

struct elf {
	const char *text;
	size_t size;
	const Elf64_Ehdr *head; /* NULL: it is something else */
};

static const void *part(const struct elf *e, uint64_t at, uint64_t n)
{
	return at <= e->size && n <= e->size - at && !(at % 8) ? e->text + at : NULL;
}

static struct elf read_elf(const char *path)
{
	struct elf e = { 0 };
	int fd = iot_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0) {
		e.size = (size_t)st.st_size;
		e.text = mmap(NULL, e.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (e.text == MAP_FAILED)
			e.text = NULL;
	}
	if (fd >= 0)
		close(fd);
	e.head = e.text ? part(&e, 0, sizeof(*e.head)) : NULL;
	if (e.head && (memcmp(e.text, ELFMAG, SELFMAG) || e.head->e_ident[EI_CLASS] != ELFCLASS64))
		e.head = NULL;
	return e;
}

static void close_elf(const struct elf *e)
{
	if (e->text)
		munmap((void *)e->text, e->size);
}

static const Elf64_Shdr *section(const struct elf *e, size_t i)
{
	return part(e, e->head->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

/* The name, in the section that belongs to a table of names' numbers.  NULL: there is none. */
static const char *text_at(const struct elf *e, const Elf64_Shdr *table, uint64_t name)
{
	const Elf64_Shdr *names = section(e, table->sh_link);
	uint64_t at = names ? names->sh_offset + name : 0;

	return names && at >= name && at < e->size && memchr(e->text + at, 0, e->size - at) ? e->text + at : NULL;
}

static bool begins(const struct elf *e, const Elf64_Shdr *table, uint64_t name, const char *with)
{
	const char *text = text_at(e, table, name);

	return text && iot_begins(text, with);
}

/* How names of MPI's functions begin */
static const char *const mpi_names[] = { "MPI_", "PMPI_", NULL };

/* Whether it has to have a function from elsewhere whose name begins with one of these. */
static bool refers(const struct elf *e, const char *const *names)
{
	const Elf64_Shdr *table;

	for (size_t i = 0; (table = section(e, i)) && i < e->head->e_shnum; i++) {
		const Elf64_Sym *symbols = part(e, table->sh_offset, table->sh_size);

		if (!symbols || (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM))
			continue;
		for (size_t k = 0; k < table->sh_size / sizeof(*symbols); k++)
			for (const char *const *name = names; *name && symbols[k].st_shndx == SHN_UNDEF; name++)
				if (ELF64_ST_BIND(symbols[k].st_info) == STB_GLOBAL &&
				    begins(e, table, symbols[k].st_name, *name))
					return true;
	}
	return false;
}

static bool has_needed(const struct elf *e, const char *soname)
{
	const Elf64_Shdr *table;

	for (size_t i = 0; (table = section(e, i)) && i < e->head->e_shnum; i++) {
		const Elf64_Dyn *entries = part(e, table->sh_offset, table->sh_size);

		if (!entries || table->sh_type != SHT_DYNAMIC)
			continue;
		for (size_t k = 0; k < table->sh_size / sizeof(*entries); k++)
			if (entries[k].d_tag == DT_NEEDED && begins(e, table, entries[k].d_un.d_val, soname))
				return true;
	}
	return false;
}

struct seen {
	bool library; /* a shared library refers to MPI's functions */
	bool object;  /* an object does, which is linked in any case */
	bool mention; /* something mentions them that may be linked */
};

static void look_at_file(struct seen *s, const char *path)
{
	struct elf e = read_elf(path);

	if (e.head && e.head->e_type == ET_DYN)
		s->library |= refers(&e, mpi_names);
	else if (e.head && refers(&e, mpi_names))
		s->object = true;
	else if (e.text)
		s->mention |= memmem(e.text, e.size, "MPI_", 4) != NULL;
	close_elf(&e);
}

/* The file of -lNAME, the shared library if there is one; NULL: it is not found. */
static const char *find(const struct words *dirs, const char *name)
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

/* A library that is not found, or is a linker script, may be anything. */
static void look_at_library(struct seen *s, const struct words *dirs, const char *name)
{
	const char *path = find(dirs, name);

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

/*
 * Links without us and looks at what comes of it.  What the compiler says meanwhile, the command
 * that follows says again.  False: that can't be done twice.
 */
static bool link_without_us(const struct command *c, const struct request *r, bool *links, bool *needs, const char *soname)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = iot_text("%s/ioccXXXXXX", tmp && *tmp ? tmp : "/tmp"), *file;
	struct words link = { 0 }, rm = { 0 };
	struct held held[2];
	off_t at = 0;

	if (!iot_is_repeatable(r) || (r->from_stdin && !iot_keep_input(&at)) || !mkdtemp(dir))
		return false;
	file = iot_text("%s/a.out", dir);
	iot_add_all(&link, &iot_self.command);
	iot_add_all(&link, &c->args);
	iot_add(&link, "-o");
	iot_add(&link, file);
	*links = !iot_run_held(&link, held);
	if (*links && soname) {
		struct elf e = read_elf(file);

		*needs = !e.head || has_needed(&e, soname);
		close_elf(&e);
	}
	if (r->from_stdin)
		lseek(STDIN_FILENO, at, SEEK_SET);
	iot_add(&rm, "rm");
	iot_add(&rm, "-rf");
	iot_add(&rm, dir);
	iot_ask_program("rm", &rm, NULL, false);
	return true;
}

static bool needs_without_us(const struct command *c, const struct request *r, const struct mpi *m)
{
	bool links, needs = true;

	return !link_without_us(c, r, &links, &needs, iot_mpi_soname(m)) || needs;
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

/* Adds the names of the libraries that a shared library needs to those that are there. */
static void add_needed(struct words *names, const char *path)
{
	struct elf e = read_elf(path);
	const Elf64_Shdr *table;

	for (size_t i = 0; e.head && e.head->e_type == ET_DYN && (table = section(&e, i)) && i < e.head->e_shnum; i++) {
		const Elf64_Dyn *entries = part(&e, table->sh_offset, table->sh_size);

		if (!entries || table->sh_type != SHT_DYNAMIC)
			continue;
		for (size_t k = 0; k < table->sh_size / sizeof(*entries); k++) {
			const char *name = entries[k].d_tag == DT_NEEDED ? text_at(&e, table, entries[k].d_un.d_val) : NULL;

			if (name && !iot_has(names, name))
				iot_add(names, iot_text("%s", name));
		}
	}
	close_elf(&e);
}

struct words iot_libraries_behind(const struct request *r)
{
	struct words dirs = iot_library_dirs(r), names = { 0 };

	for (size_t i = 0; i < r->libs.n; i++) {
		const char *path = find(&dirs, r->libs.v[i]);

		if (path)
			add_needed(&names, path);
	}
	for (size_t i = 0; i < r->linked.n; i++)
		add_needed(&names, r->linked.v[i]);
	for (size_t i = 0; i < r->inputs.n; i++)
		if (iot_is_binary(r->inputs.v[i]))
			add_needed(&names, r->inputs.v[i]);
	/* and behind these */
	for (size_t i = 0; i < names.n; i++) {
		const char *path = find(&dirs, iot_text(":%s", names.v[i]));

		if (path)
			add_needed(&names, path);
	}
	return names;
}

/* A library, some of whose functions ours define. */
struct library {
	const char *name;	      /* as the names of its files begin */
	const char *const *functions; /* and theirs */
	bool behind;		      /* it comes behind what is being looked at */
	bool sources;		      /* there are sources that it does not come behind */
};

/* Those that there may be, up to one without a name. */
#define EACH_LIBRARY(l, libraries) (struct library *l = (libraries); l->name; l++)

static bool mentions(const struct library *l, const char *text, size_t n)
{
	for (const char *const *name = l->functions; *name; name++)
		if (memmem(text, n, *name, strlen(*name)))
			return true;
	return false;
}

static bool look_for_libraries(void *arg, const char *text, size_t n)
{
	for EACH_LIBRARY(l, arg)
		if (l->sources && mentions(l, text, n))
			return true;
	return false;
}

/* Whether what is linked, a file or -lNAME, is the library itself. */
static bool is_library(const struct library *l, const char *linked)
{
	if (iot_begins(linked, "-l") && linked[2] != ':')
		return iot_begins(linked + strlen("-l"), l->name + strlen("lib"));
	return iot_begins(iot_base(linked) + (iot_begins(linked, "-l:") ? strlen("-l:") : 0), l->name);
}

/* Whether it may call the library's functions.  A shared library that needs the library has it. */
static bool may_call(const struct library *l, const struct elf *e)
{
	if (e->head && e->head->e_type == ET_DYN)
		return refers(e, l->functions) && !has_needed(e, l->name);
	return e->text && mentions(l, e->text, e->size);
}

static bool may_call_early(struct library *libraries, const char *path)
{
	struct elf e = read_elf(path);
	bool early = false;

	for EACH_LIBRARY(l, libraries)
		early |= !l->behind && may_call(l, &e);
	close_elf(&e);
	return early;
}

/* The file of a library or the file itself; NULL if it is not found. */
static const char *file_of(const char *linked, const struct request *r, const struct words *dirs)
{
	const char *name = linked + strlen("-l");

	if (!iot_begins(linked, "-l"))
		return linked;
	return find(dirs, r->is_static && *name != ':' ? iot_text(":lib%s.a", name) : name);
}

/* Whether something may call the functions of one of the libraries that does not come behind it. */
static bool come_early(struct library *libraries, const struct request *r)
{
	struct scan scan = { .look = look_for_libraries, .arg = libraries };
	struct words dirs = iot_library_dirs(r);
	bool sources = false;

	for (size_t i = r->order.n; i; i--) {
		const char *linked = r->order.v[i - 1], *path;
		bool all = true;

		for EACH_LIBRARY(l, libraries) {
			l->behind |= is_library(l, linked);
			all &= l->behind;
		}
		path = all ? NULL : file_of(linked, r, &dirs);
		if (!path)
			continue;
		if (iot_is_binary(path)) {
			if (may_call_early(libraries, path))
				return true;
		} else if (path == linked) {
			for EACH_LIBRARY(l, libraries)
				l->sources |= !l->behind;
			sources = true;
		}
	}
	return sources && iot_scan(&scan, r);
}

/* What libaio's functions are called, as we tell the linker to wrap them. */
static const char *const *names_of_libaio(const struct place *p)
{
	const char *list = iot_read_file(iot_text("%s/libaio.list", p->libdir), NULL);
	struct words names = iot_split(list ? list : "", "\n");

	for (size_t i = 0; i < names.n; i++)
		names.v[i] += iot_begins(names.v[i], "--wrap=") ? strlen("--wrap=") : 0;
	iot_add(&names, NULL);
	return (const char *const *)names.v;
}

/* The compilers of Fortran and of MPI name their libraries themselves, behind all. */
bool iot_fails_without_us(const struct command *c, const struct request *r, const struct place *p, bool mpi)
{
	static const char *const uring_names[] = { "io_uring_", NULL }, *const fortran_names[] = { "_gfortran_", NULL },
				 *const all_mpi_names[] = { "MPI_", "PMPI_", "mpi_", NULL };
	struct library libraries[5] = {
		{ .name = "libaio", .functions = names_of_libaio(p) },
		{ .name = "liburing", .functions = uring_names },
	};
	size_t n = 2;
	bool links, needs;

	if (!iot_self.fortran)
		libraries[n++] = (struct library){ .name = "libgfortran", .functions = fortran_names };
	if (mpi && iot_self.driver != DRIVER_MPI)
		libraries[n++] = (struct library){ .name = "libmpi", .functions = all_mpi_names };
	return come_early(libraries, r) && link_without_us(c, r, &links, &needs, NULL) && !links;
}
