/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.c - who we are and which compiler is to run.
 *
 * The name under which we are run says it: iocc runs the compiler that configure or
 * IOCC_CC chose; io-NAME runs NAME; and a link of a compiler's own name, say
 * shim/gcc -> iocc, stands in front of the gcc that comes next in PATH.  Whatever we
 * run may come back to us, being a script that runs iompicc, or ccache that takes
 * shim/gcc for the compiler: IOTRACE_WRAPPED has the compilers that have been run on
 * the way.  Then nothing more is added and none of these is run again.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iocc.h"

static const struct wrapper {
	const char *name;
	enum driver driver;
	bool fortran;
	const char *variable, *compiler;
} wrappers[] = {
	{ "iocc", DRIVER_CC, false, "IOCC_CC", IOCC_CC },
	{ "iocxx", DRIVER_CXX, false, "IOCXX_CXX", IOCXX_CXX },
	{ "iof90", DRIVER_FORTRAN, true, "IOF90_FC", IOF90_FC },
	{ "iof77", DRIVER_FORTRAN, true, "IOF77_F77", IOF77_F77 },
	{ "iompicc", DRIVER_MPI, false, "IOMPICC_CC", IOMPICC_CC },
	{ "iompicxx", DRIVER_MPI, false, "IOMPICXX_CXX", IOMPICXX_CXX },
	{ "iompif90", DRIVER_MPI, true, "IOMPIF90_FC", IOMPIF90_FC },
	{ "iompif77", DRIVER_MPI, true, "IOMPIF77_F77", IOMPIF77_F77 },
};

/* By what is in a compiler's name, which of us stands for it; the first that fits. */
static const struct {
	const char *in, *wrapper;
} likenesses[] = {
	{ "mpif77", "iompif77" },   { "mpif", "iompif90" },	  { "mpicxx", "iompicxx" },
	{ "mpic++", "iompicxx" },   { "mpiCC", "iompicxx" },	  { "mpi", "iompicc" },
	{ "gfortran", "iof90" },    { "flang", "iof90" },	  { "f77", "iof77" },
	{ "f9", "iof90" },	    { "fort", "iof90" },	  { "++", "iocxx" },
	{ "CC", "iocxx" },
};

static const char link_prefix[] = "io-";

static const struct wrapper *wrapper_of(const char *name)
{
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++)
		if (!strcmp(wrappers[i].name, name))
			return &wrappers[i];
	return NULL;
}

static const struct wrapper *wrapper_for(const char *compiler)
{
	for (size_t i = 0; i < sizeof(likenesses) / sizeof(*likenesses); i++)
		if (strstr(compiler, likenesses[i].in))
			return wrapper_of(likenesses[i].wrapper);
	return wrappers;
}

static bool is_ours(const char *name)
{
	return wrapper_of(name) || iot_begins(name, link_prefix);
}

static bool executable(const char *path)
{
	return iot_file(path) && !access(path, X_OK);
}

/* The file that we are, by whatever path. */
static bool is_us(const char *path)
{
	static struct stat us;
	struct stat st;

	if (!us.st_ino && stat("/proc/self/exe", &us))
		return false;
	return !stat(path, &st) && st.st_ino == us.st_ino && st.st_dev == us.st_dev;
}

static struct words search_path(void)
{
	const char *path = getenv("PATH");
	struct words dirs = { 0 };

	if (!path)
		path = "/bin:/usr/bin";
	/* an empty one is the current directory */
	for (;; path++) {
		size_t n = strcspn(path, ":");

		iot_add(&dirs, n ? iot_text("%.*s", (int)n, path) : ".");
		path += n;
		if (!*path)
			return dirs;
	}
}

static const struct words *been_run(void)
{
	static struct words run;
	const char *list = getenv("IOTRACE_WRAPPED");

	if (list && !run.n)
		run = iot_split(list, ":");
	return &run;
}

static bool has_been_run(const char *path)
{
	return iot_has(been_run(), path);
}

/* The first of that name in PATH that is neither we nor has been run, after: behind
   the place where that name is ours. */
static char *search(const char *name, bool after)
{
	struct words dirs = search_path();
	size_t i = 0;

	if (after) {
		while (i < dirs.n && !is_us(iot_text("%s/%s", dirs.v[i], name)))
			i++;
		i = i < dirs.n ? i + 1 : 0;
	}
	for (; i < dirs.n; i++) {
		char *path = iot_text("%s/%s", dirs.v[i], name);

		if (executable(path) && !is_us(path) && !has_been_run(path))
			return path;
	}
	return NULL;
}

char *iot_in_path(const char *name)
{
	struct words dirs = search_path();

	if (strchr(name, '/'))
		return iot_text("%s", name);
	for (size_t i = 0; i < dirs.n; i++) {
		char *path = iot_text("%s/%s", dirs.v[i], name);

		if (executable(path))
			return path;
	}
	return iot_text("%s", name);
}

static bool is_ccache(const char *path)
{
	char *real = iot_real(path);

	return real && !strcmp(iot_base(real), "ccache");
}

char *iot_behind_ccache(const char *path)
{
	const char *name = iot_base(path);
	struct words dirs = search_path();

	if (!is_ccache(path) || getenv("CCACHE_COMPILER") || getenv("CCACHE_PATH"))
		return iot_text("%s", path);
	if (!strcmp(name, "ccache") && iot_self.several)
		name = iot_self.command.v[1];
	for (size_t i = 0; !strchr(name, '/') && i < dirs.n; i++) {
		char *next = iot_text("%s/%s", dirs.v[i], name);

		if (executable(next) && !is_us(next) && !is_ccache(next))
			return next;
	}
	return iot_text("%s", name);
}

/* Follows links from our name to the first that is one of ours. */
static const char *own_name(const char *argv0)
{
	char *path = iot_in_path(argv0), target[4096];

	for (int depth = 0; depth < 40 && !is_ours(iot_base(path)); depth++) {
		ssize_t n = readlink(path, target, sizeof(target) - 1);

		if (n <= 0)
			return "iocc";
		target[n] = 0;
		path = *target == '/' ? iot_text("%s", target) : iot_text("%s/%s", iot_dir(path), target);
	}
	return is_ours(iot_base(path)) ? iot_base(path) : "iocc";
}

/* "ccache gcc -m64" is several words, a path with a space is not. */
static void read_compiler(const char *asked)
{
	const char *first = asked + strspn(asked, " ");
	struct words whole = { 0 };

	iot_self.asked = asked;
	iot_add(&whole, asked);
	iot_self.several = strchr(first, ' ') &&
			   !(strchr(asked, '/') ? executable(asked) : search(asked, false) != NULL);
	iot_self.command = iot_self.several ? iot_split(asked, " \t\n") : whole;
}

static const char *how_to_set(void)
{
	return iot_self.variable ? iot_text(" (set %s)", iot_self.variable) : "";
}

/* Finds the file.  It keeps the name by which it was asked for if that is how a
   shell would find it, since compilers look at what they are called. */
static void find_compiler(bool after)
{
	char *name = iot_self.command.v[0];

	if (is_ours(iot_base(name)))
		iot_die(127, "%s is a wrapper itself%s", iot_self.asked,
			iot_self.variable ? iot_text(" (set %s to a compiler)", iot_self.variable) : "");
	if (strchr(name, '/')) {
		iot_self.path = name;
		if (!executable(name))
			iot_die(127, "no compiler %s%s", name, how_to_set());
		if (!is_us(name) && !has_been_run(name))
			return;
		name = iot_text("%s", iot_base(name));
	}
	iot_self.path = search(name, after);
	if (!iot_self.path && been_run()->n)
		iot_die(127, "no compiler %s but the one that runs %s%s", name, iot_self.name, how_to_set());
	if (!iot_self.path)
		iot_die(127, "no compiler %s%s", name, how_to_set());
	if (after || name != iot_self.command.v[0] || strcmp(iot_in_path(name), iot_self.path))
		iot_self.command.v[0] = iot_self.path;
}

static void become(const struct wrapper *w)
{
	iot_self.driver = w->driver;
	iot_self.fortran = w->fortran;
	iot_self.variable = w->variable;
}

/* What was run remembers what has been run before. */
static void remember(void)
{
	const char *list = getenv("IOTRACE_WRAPPED");

	iot_self.again = list && *list;
	if (been_run()->n > 20)
		iot_die(127, "%s runs %s again and again%s", iot_self.path, iot_self.name, how_to_set());
	setenv("IOTRACE_WRAPPED",
	       iot_self.again ? iot_text("%s:%s", list, iot_self.path) : iot_self.path, 1);
}

void iot_identify(const char *argv0)
{
	const char *called = iot_base(argv0), *name = own_name(argv0), *chosen;
	const struct wrapper *w = wrapper_of(name);
	bool masked = !is_ours(called) && search(called, true);

	iot_self.name = is_ours(called) ? called : name;
	iot_self.masked = masked;
	if (!w) { /* io-NAME */
		become(wrapper_for(name + sizeof(link_prefix) - 1));
		iot_self.variable = NULL;
		read_compiler(name + sizeof(link_prefix) - 1);
		find_compiler(false);
	} else {
		if (masked && w == wrappers)
			w = wrapper_for(called);
		become(w);
		chosen = getenv(w->variable);
		/* what that names has been run then */
		if (masked && (!chosen || !*chosen || been_run()->n))
			chosen = called;
		else
			masked = false;
		read_compiler(chosen && *chosen ? chosen : w->compiler);
		find_compiler(masked);
	}
	remember();
}

/* Whether what we run is called so, or is a link to what is. */
static bool is_called(const char *part)
{
	char *real = iot_real(iot_self.path);

	for (size_t i = 0; i < iot_self.command.n; i++)
		if (strstr(iot_base(iot_self.command.v[i]), part))
			return true;
	return real && strstr(iot_base(real), part);
}

bool iot_is_clang(void)
{
	const char *mpi_cc = getenv("OMPI_CC");

	if (!mpi_cc)
		mpi_cc = getenv("MPICH_CC");
	return is_called("clang") || (mpi_cc && strstr(mpi_cc, "clang"));
}

/* What an MPI's wrapper runs for Fortran its environment says. */
bool iot_is_flang(void)
{
	const char *mpi_fc = getenv("OMPI_FC");

	if (!mpi_fc)
		mpi_fc = getenv("MPICH_FC");
	return iot_self.fortran && (is_called("flang") || (mpi_fc && strstr(mpi_fc, "flang")));
}
