/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.c - whose MPI a program is linked with, and whether there are wrappers for it. */
#include "config.h"

#include <string.h>

#include "iocc.h"

static bool has_archive(struct mpi *m, const struct request *r, const struct place *p)
{
	const char *name = iot_text("libiotrace-mpi-%s%s.a", m->name, r->is_static ? "" : "-dynamic");

	m->archive = iot_text("%s/%s", p->mpidir, name);
	return iot_is_part(name);
}

static const char *name_in(const char *macros)
{
	return strstr(macros, "#define OMPI_MAJOR_VERSION ") ? "openmpi" :
	       strstr(macros, "#define MPICH_VERSION ")	? "mpich" :
								  NULL;
}

/* By its mpi.h: as it stands, since to compile it takes as long as a link, or what
   comes of it where it consists of others. */
static const char *name_of(const struct words *shown)
{
	static const char *const options[] = { "-E", "-dM", "-x", "c", "-" };
	struct words ask = { 0 };
	struct request r = { .ld = "default" };

	iot_read_arguments(&r, shown->v + 1, shown->n ? shown->n - 1 : 0);
	for (size_t i = 0; i < r.includes.n; i++) {
		char *text = iot_read_file(iot_text("%s/mpi.h", r.includes.v[i]), NULL);

		if (text && name_in(text))
			return name_in(text);
		if (text)
			break;
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		iot_add(&ask, options[i]);
	return name_in(iot_ask(&ask, "#include <mpi.h>\n", false));
}

/* What MPI's compiler wrapper runs: the compiler, and its arguments. */
const struct words *iot_shown_by_mpi(void)
{
	static struct words shown;
	struct words show = { 0 };

	if (!shown.n) {
		iot_add(&show, "-show");
		shown = iot_split(iot_ask(&show, NULL, false), " \t\n");
	}
	return &shown;
}

/* By its mpi.h, and the libraries that it links. */
bool iot_mpi_of_compiler(struct mpi *m, const struct request *r, const struct place *p)
{
	const struct words *shown = iot_shown_by_mpi();

	m->name = name_of(shown);
	if (!m->name) {
		iot_not_instrumented("%s has no mpi.h of Open MPI or MPICH", iot_self.asked);
		return false;
	}
	if (!has_archive(m, r, p)) {
		iot_not_instrumented("no %s (configure iotrace with this MPI)", m->archive);
		return false;
	}
	for (size_t i = 0; i < shown->n; i++)
		if (iot_begins(shown->v[i], "-l"))
			iot_add(&m->libs, shown->v[i]);
	return true;
}

/* The file that the linker finds for -lNAME. */
static char *find_library(const struct request *r)
{
	const char *name;

	if (!iot_begins(r->mpi, "-l"))
		return iot_real(r->mpi);
	name = iot_text("lib%s.so", r->mpi + 2);
	for (size_t i = 0; i < r->lib_dirs.n; i++) {
		char *path = iot_text("%s/%s", r->lib_dirs.v[i], name);

		if (iot_file(path))
			return iot_real(path);
	}
	return iot_real(iot_ask_1(iot_text("-print-file-name=%s", name)));
}

static const char *const known[][2] = {
	{ "openmpi", MPI_OPENMPI },
	{ "mpich", MPI_MPICH },
};

const char *iot_mpi_soname(const struct mpi *m)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(m->name, known[i][0]))
			return iot_text("%.*s.", (int)strcspn(known[i][1], "."), known[i][1]);
	return "libmpi.";
}

bool iot_mpi_of_library(struct mpi *m, const struct request *r, const struct place *p)
{
	char *file;

	if (r->is_static) {
		iot_not_instrumented("MPI's calls in a static executable (link it with iompicc)");
		return false;
	}
	file = find_library(r);
	for (size_t i = 0; file && i < sizeof(known) / sizeof(*known); i++) {
		const char *soname = known[i][1];

		m->name = known[i][0];
		if (*soname && iot_begins(iot_base(file), soname) && has_archive(m, r, p))
			return true;
	}
	iot_not_instrumented("MPI's calls: %s is not of an MPI with which iotrace was configured",
			     file ? file : r->mpi);
	return false;
}

bool iot_mpi_behind(struct mpi *m, const struct request *r, const struct place *p,
		    const struct words *behind)
{
	for (size_t k = 0; k < behind->n; k++)
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
			const char *soname = known[i][1];

			m->name = known[i][0];
			m->behind = *soname && iot_begins(behind->v[k], soname) && has_archive(m, r, p);
			if (m->behind)
				return true;
		}
	return false;
}

/* What the compiler calls its linker; MPI's need not be started to ask that behind it. */
static char *linker_of_compiler(void)
{
	static const char option[] = "-print-prog-name=ld";
	const struct words *shown = &(const struct words){ 0 };
	struct words ask = { 0 };
	char *said;

	if (iot_self.driver == DRIVER_MPI)
		shown = iot_shown_by_mpi();
	if (!shown->n)
		return iot_ask_1(option);
	iot_add_all(&ask, shown);
	iot_add(&ask, option);
	said = iot_ask_program(shown->v[0], &ask, NULL, false);
	said[strcspn(said, "\n")] = 0;
	return said;
}

/* The linker that the compiler runs, for which its name stands, or what it says of itself. */
static const char *default_linker(void)
{
	static const char *said;
	struct words ask = { 0 };
	const char *ld, *real;

	if (said)
		return said;
	ld = linker_of_compiler();
	real = iot_real(iot_in_path(ld));
	if (real && (iot_ends(real, "ld.bfd") || iot_ends(real, "ld.gold")))
		return said = iot_base(real);
	iot_add(&ask, ld);
	iot_add(&ask, "--version");
	return said = iot_ask_program(ld, &ask, NULL, false);
}

/* name: as it stands in a file name; version: what it says of itself. */
static bool links_by(const struct request *r, const char *name, const char *version)
{
	if (strcmp(r->ld, "default") != 0)
		return strstr(r->ld, name) != NULL;
	return strstr(default_linker(), version) != NULL;
}

bool iot_links_by_lld(const struct request *r)
{
	return links_by(r, "lld", "LLD");
}

bool iot_links_by_mold(const struct request *r)
{
	return links_by(r, "mold", "mold");
}
