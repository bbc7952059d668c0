/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libraries.c - libraries, some of whose functions ours define.
 *
 * A link would succeed that fails without us, where the library is not named at all, or in front
 * of what calls it.  Then the executable would lack the library, and build systems that try would
 * believe that there is no need of one.  And a program that looks whether it has such a function,
 * by a weak reference or dlsym, would find ours where there is no library behind them.
 *
 * So the program is linked without us first if something mentions such functions, and either no
 * such library comes behind it, or nothing is seen that certainly calls them.  If that fails, the
 * compiler is left alone, and says what it says without us.  If the executable lacks the library
 * then, ours are left out.  LLVM's linker and mold find no use for a library behind whose functions
 * ours are, with --as-needed, nor does GNU ld for what is optimized when it is linked: what has it
 * without us has it asked for.
 */
#define _GNU_SOURCE
#include "config.h"

#include <string.h>

#include "object.h"
#include "needs.h"

struct library {
	const char *name;	      /* as the names of its files begin */
	const char *const *functions; /* and theirs */
	bool is_mpi;		      /* which has a way of its own to be linked: see add_mpi */
	bool *lacks;		      /* to be told that the program does not have it */
	bool behind;		      /* it comes behind what is being looked at */
	bool sources;		      /* there are sources that it does not come behind */
	bool mention;		      /* something mentions them */
	bool early;		      /* that it does not come behind */
	bool likely, certain;	      /* something calls them that it does come behind: that may
					 be linked, or is */
	bool optimized;		      /* what mentions them is compiled when it is linked */
	bool late;		      /* and the linker would not see that it has to have the library */
	const char *linked;	      /* as it is named at last */
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

/* Whether what is linked, a file or -lNAME, is the library itself. */
static bool is_library(const struct library *l, const char *linked)
{
	if (iot_begins(linked, "-l") && linked[2] != ':')
		return iot_begins(linked + strlen("-l"), l->name + strlen("lib"));
	return iot_begins(iot_base(linked) + (iot_begins(linked, "-l:") ? strlen("-l:") : 0), l->name);
}

/* How sections begin that GCC leaves to link-time optimization */
static const char lto_section[] = ".gnu.lto_";

/* A shared library that needs the library has it. */
static void look_at_binary(struct library *l, const struct elf *e)
{
	bool strongly, optimized;

	if (iot_elf_is_shared(e) ? iot_elf_needs(e, l->name) : !mentions(l, e->text, e->size))
		return;
	strongly = iot_elf_refers(e, l->functions, false);
	if (!strongly && iot_elf_is_shared(e) && !iot_elf_refers(e, l->functions, true))
		return;
	optimized = !iot_elf_is_shared(e) && memmem(e->text, e->size, lto_section, strlen(lto_section));
	l->mention = true;
	l->optimized |= optimized;
	l->early |= !l->behind;
	l->likely |= l->behind && strongly;
	l->certain |= l->behind && strongly && e->head && !optimized;
}

static void look_at_file(struct library *libraries, const char *path)
{
	struct elf e = iot_elf_open(path);

	if (e.text)
		for EACH_LIBRARY(l, libraries)
			look_at_binary(l, &e);
	iot_elf_close(&e);
}

/* What sources say of libraries that nothing certainly calls yet. */
struct sources {
	struct library *libraries;
	bool looks; /* a word for weak references, or what looks for a function */
};

static bool look_at_source(void *arg, const char *text, size_t n)
{
	struct sources *s = arg;

	s->looks |= memmem(text, n, "weak", strlen("weak")) || memmem(text, n, "dlsym", strlen("dlsym"));
	for EACH_LIBRARY(l, s->libraries)
		if (!l->certain && mentions(l, text, n)) {
			l->mention = true;
			l->early |= l->sources;
		}
	return false;
}

static void look_at_sources(struct library *libraries, const struct request *r)
{
	struct sources s = { .libraries = libraries };
	struct scan scan = { .look = look_at_source, .arg = &s };

	iot_scan(&scan, r);
	for EACH_LIBRARY(l, libraries)
		l->likely |= l->mention && !l->early && !s.looks && !scan.unknown;
}

static void look_at_all(struct library *libraries, const struct request *r)
{
	struct words dirs = iot_library_dirs(r);
	bool sources = false;

	for (size_t i = r->order.n; i; i--) {
		const char *linked = r->order.v[i - 1], *path = iot_linked_file(linked, r, &dirs);

		for EACH_LIBRARY(l, libraries)
			if (is_library(l, linked)) {
				l->behind = true;
				l->linked = l->linked ? l->linked : linked;
			}
		if (path && iot_is_binary(path)) {
			look_at_file(libraries, path);
		} else if (path == linked) {
			for EACH_LIBRARY(l, libraries)
				l->sources |= !l->behind;
			sources = true;
		}
	}
	if (sources)
		look_at_sources(libraries, r);
}

/* Whether a link without us tells what we don't know. */
static bool is_open(struct library *libraries, const struct request *r)
{
	bool open = false, linked = false, late, optimized;

	look_at_all(libraries, r);
	for EACH_LIBRARY(l, libraries)
		linked |= l->mention && l->linked;
	/* the compiler is asked for its linker, which takes a while */
	late = linked && !r->is_static && (iot_links_by_lld(r) || iot_links_by_mold(r));
	for EACH_LIBRARY(l, libraries) {
		optimized = l->mention && (l->optimized || r->lto) && !r->is_static;
		l->late = (late || optimized) && l->linked && !l->is_mpi;
		l->certain |= l->likely && !l->late;
		open |= l->early || (l->mention && !l->certain && !r->is_static);
	}
	return open;
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

/* needed: by the executable, without us */
static void note_what_lacks(struct library *libraries, const struct request *r, struct words *needed)
{
	struct words dirs = iot_library_dirs(r);

	iot_add_behind(needed, &dirs);
	for EACH_LIBRARY(l, libraries)
		*l->lacks = l->mention && !l->certain && !iot_has_beginning(needed, l->name);
}

/* The compilers of Fortran and of MPI name their libraries themselves, behind all. */
bool iot_fails_without_us(const struct command *c, struct request *r, const struct place *p, bool mpi)
{
	static const char *const uring_names[] = { "io_uring_", NULL }, *const fortran_names[] = { "_gfortran_", NULL },
				 *const mpi_names[] = { "MPI_", "PMPI_", "mpi_", NULL };
	struct library libraries[] = {
		{ .name = "libaio", .functions = names_of_libaio(p), .lacks = &r->lacks.libaio },
		{ .name = "liburing", .functions = uring_names, .lacks = &r->lacks.liburing },
		{ .name = "libgfortran", .functions = fortran_names, .lacks = &r->lacks.fortran, .behind = iot_self.fortran },
		{ .name = mpi ? "libmpi" : NULL,
		  .functions = mpi_names,
		  .is_mpi = true,
		  .lacks = &r->lacks.mpi,
		  .behind = iot_self.driver == DRIVER_MPI },
		{ 0 },
	};
	struct plain plain = { 0 };

	if (is_open(libraries, r))
		plain = iot_link_without_us(c, r);
	if (plain.tried && !plain.links)
		return true;
	for EACH_LIBRARY(l, libraries)
		if (l->late && (l->certain || iot_has_beginning(&plain.needed, l->name)))
			iot_add(&r->kept, l->linked);
	if (plain.known && !r->is_static)
		note_what_lacks(libraries, r, &plain.needed);
	return false;
}
