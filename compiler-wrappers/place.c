/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - whether a link can be instrumented: whether our libraries are there, and
 * are made for the libc that it links.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "iocc.h"
#include "../tools/common/where.h"

static char *real_file(const char *path)
{
	char *dir = iot_real(iot_dir(path));

	return dir && iot_file(path) ? iot_text("%s/%s", dir, iot_base(path)) : NULL;
}

static bool mentions_musl(const struct words *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (strstr(args->v[i], "musl"))
			return true;
	return strstr(iot_self.asked, "musl") != NULL;
}

/* The compiler that MPI's runs, "" if it gives it options that may choose another libc. */
static const char *behind_mpi(void)
{
	const struct words *shown = iot_shown_by_mpi();
	struct request r = { .ld = "default" };

	if (!shown->n)
		return "";
	iot_read_arguments(&r, shown->v + 1, shown->n - 1);
	return r.other_libc ? "" : iot_in_path(shown->v[0]);
}

/* A compiler that links the libc that was there when iotrace was built, which was
   asked of it then: asking takes a fifth of the time of a link. */
static bool is_known(const struct request *r, const char *wanted)
{
	static const char *const variables[] = {
		"GCC_EXEC_PREFIX", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS", "QA_OVERRIDE_GCC3_OPTIONS",
	};
	const char *library_path = getenv("LIBRARY_PATH");
	struct words dirs = iot_split(library_path ? library_path : "", ":");
	struct words known = iot_split(KNOWN_COMPILERS, " ");
	char *compiler = iot_real(iot_behind_ccache(iot_self.driver == DRIVER_MPI ? behind_mpi() : iot_self.path));

	if (!compiler || r->other_libc)
		return false;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (getenv(variables[i]))
			return false;
	for (size_t i = 0; i < dirs.n; i++)
		if (iot_file(iot_text("%s/%s", dirs.v[i], iot_base(wanted))))
			return false;
	return iot_has(&known, compiler);
}

/* The libc that a command links.  For it a compiler with musl's specs has the linker search a
   directory, and so has LLVM's flang, which can't be asked for a file in all of its releases;
   others know the file. */
static char *libc_of(const struct words *args, const char *wanted)
{
	struct words ask = { 0 }, words;
	bool searches = mentions_musl(args) || iot_is_flang();
	const char *said;

	iot_add_all(&ask, args);
	iot_add(&ask, searches ? "-###" : iot_text("-print-file-name=%s", iot_base(wanted)));
	said = iot_ask(&ask, NULL, searches);
	if (!searches)
		return real_file(iot_text("%.*s", (int)strcspn(said, "\n"), said));
	words = iot_split(said, " \"\n");
	for (size_t i = 0; i < words.n; i++) {
		char *file = iot_text("%s/%s", words.v[i] + 2, iot_base(wanted));

		if (iot_begins(words.v[i], "-L") && iot_file(file))
			return real_file(file);
	}
	return NULL;
}

/* The wrappers stand for the names of one libc, static or shared: not of a cross
   compiler's, of another -m's or of a --sysroot's; those of libiotrace-musl.a for
   musl's. */
static bool same_libc(struct place *p, const struct request *r, const struct words *args,
		      const char *wanted)
{
	char *configured = real_file(wanted), *found, *musl;

	p->variant = "";
	if (configured && is_known(r, wanted) && !mentions_musl(args))
		return true;
	found = libc_of(args, wanted);
	if (!found || !configured)
		return false;
	if (!strcmp(found, configured))
		return true;
	musl = real_file(MUSL_A);
	if (!r->is_static || !musl || strcmp(found, musl) != 0)
		return false;
	p->variant = "-musl";
	return true;
}

bool iot_find_place(struct place *p, const struct request *r, const struct words *args)
{
	const char *wanted = r->is_static ? LIBC_A : LIBC_SO;
	struct where where;

	if (r->split_stack) {
		iot_not_instrumented("-fsplit-stack wraps pthread_create itself (leave it out)");
		return false;
	}
	if (!r->is_static && r->bstatic) {
		iot_not_instrumented("-Bstatic, never undone, gives a dynamic executable a libc of "
				     "its own (add -static)");
		return false;
	}
	if (!iot_find_libraries(&where))
		iot_die(1, "out of memory");
	p->libdir = where.lib;
	p->mpidir = where.mpi;
	if (strchr(p->libdir, ',')) {
		iot_not_instrumented("linkers can't be told of a path with a comma: %s", p->libdir);
		return false;
	}
	if (!same_libc(p, r, args, wanted)) {
		iot_not_instrumented("links another %s than %s", iot_base(wanted), wanted);
		return false;
	}
	/* what we read ourselves */
	return iot_part_is_whole(iot_text("wrap%s.list", p->variant), p) && iot_part_is_whole("libaio.list", p);
}
