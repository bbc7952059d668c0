/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.c - whose MPI a program is linked with, and whether there are wrappers for it. */
#include "config.h"

#include <string.h>

#include "iocc.h"

static bool has_archive(struct mpi *m, const struct request *r, const struct place *p)
{
	m->archive = iot_text("%s/libiotrace-mpi-%s%s.a", p->mpidir, m->name, r->is_static ? "" : "-dynamic");
	return iot_file(m->archive);
}

/* By its mpi.h, and the libraries that it links. */
bool iot_mpi_of_compiler(struct mpi *m, const struct request *r, const struct place *p)
{
	struct words ask = { 0 }, show = { 0 }, words;
	const char *macros;

	for (size_t i = 0; i < 5; i++)
		iot_add(&ask, ((const char *[]){ "-E", "-dM", "-x", "c", "-" })[i]);
	macros = iot_ask(&ask, "#include <mpi.h>\n", false);
	m->name = strstr(macros, "#define OMPI_MAJOR_VERSION ") ? "openmpi" :
		  strstr(macros, "#define MPICH_VERSION ")	? "mpich" :
								  NULL;
	if (!m->name) {
		iot_not_instrumented("%s has no mpi.h of Open MPI or MPICH", iot_self.asked);
		return false;
	}
	if (!has_archive(m, r, p)) {
		iot_not_instrumented("no %s (configure iotrace with this MPI)", m->archive);
		return false;
	}
	if (r->is_static && iot_links_by_lld(r)) {
		iot_not_instrumented(
			"LLVM's linker can't link MPI statically with wrappers (use another)");
		return false;
	}
	iot_add(&show, "-show");
	words = iot_split(iot_ask(&show, NULL, false), " \t\n");
	for (size_t i = 0; i < words.n; i++)
		if (iot_begins(words.v[i], "-l"))
			iot_add(&m->libs, words.v[i]);
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

bool iot_mpi_of_library(struct mpi *m, const struct request *r, const struct place *p)
{
	static const char *const known[][2] = {
		{ "openmpi", MPI_OPENMPI },
		{ "mpich", MPI_MPICH },
	};
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

/* name: as it stands in a file name; version: what it says of itself. */
static bool links_by(const struct request *r, const char *name, const char *version)
{
	struct words ask = { 0 };
	const char *ld;

	if (strcmp(r->ld, "default") != 0)
		return strstr(r->ld, name) != NULL;
	ld = iot_ask_1("-print-prog-name=ld");
	iot_add(&ask, ld);
	iot_add(&ask, "--version");
	return strstr(iot_ask_program(ld, &ask, NULL, false), version) != NULL;
}

bool iot_links_by_lld(const struct request *r)
{
	return links_by(r, "lld", "LLD");
}

bool iot_links_by_mold(const struct request *r)
{
	return links_by(r, "mold", "mold");
}
