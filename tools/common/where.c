/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.c - where our libraries are: where IOTRACE_LIBDIR says; beside a program that is
 * run in its build tree; at the distance from the program at which they were installed,
 * so that an installation can be moved or copied, and links to it come from anywhere;
 * and only then where they were installed.
 */
#include "config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "where.h"

/* Without /proc it is the file that was executed, links being followed. */
char *iot_own_path(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *executed = (const char *)getauxval(AT_EXECFN);

	if (n > 0) {
		path[n] = 0;
		return strdup(path);
	}
	return executed ? realpath(executed, NULL) : NULL;
}

/* The directory that this program is in, without its last components. */
static char *here(int less)
{
	char *path = iot_own_path(), *slash;

	if (!path)
		return strdup(BINDIR);
	for (int i = 0; i <= less; i++) {
		slash = strrchr(path, '/');
		if (slash)
			slash[slash == path] = 0;
	}
	return path;
}

/* How many directories lead from where programs were installed to the first one that
   the libraries' have in common with it, and the way from there. */
static int way(const char **down)
{
	const char *bin = BINDIR, *lib = PKGLIBDIR;
	size_t same = 0;
	int up = 0;

	for (size_t i = 0; bin[i] == lib[i] && bin[i]; i++)
		if (bin[i] == '/')
			same = i + 1;
	for (const char *at = bin + same; at; at = strchr(at + 1, '/'))
		up++;
	*down = lib + same;
	return up;
}

static bool has(const char *dir, const char *file)
{
	char *path;
	bool is = asprintf(&path, "%s/%s", dir, file) >= 0;

	if (is) {
		is = !access(path, F_OK);
		free(path);
	}
	return is;
}

bool iot_find_libraries(struct where *w)
{
	const char *set = getenv("IOTRACE_LIBDIR"), *down;
	char *top = here(1), *near = here(way(&down)), *lib = NULL, *mpi = NULL;

	if (!top || !near)
		return false;
	if (set && *set) {
		lib = strdup(set);
	} else if (has(top, "config.status")) {
		if (asprintf(&lib, "%s/lib", top) < 0 || asprintf(&mpi, "%s/mpi", top) < 0)
			return false;
	} else {
		if (asprintf(&lib, "%s/%s", near, down) < 0)
			return false;
		if (!has(lib, "libiotrace-dynamic.a"))
			lib = strdup(PKGLIBDIR);
	}
	w->lib = lib;
	w->mpi = mpi ? mpi : lib;
	free(top);
	free(near);
	return lib != NULL;
}
