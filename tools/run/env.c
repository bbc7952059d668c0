/* SPDX-License-Identifier: BSD-3-Clause */
/* env.c - the environment by which libiotrace.so, or MPI's form of it, is loaded and set. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/core/setting.h"
#include "run.h"
#include "../common/where.h"

void iot_run_set(const char *setting, const char *value)
{
	if (setenv(setting, value, 1))
		iot_run_die(EXIT_OURS, "%s: %s", setting, strerror(errno));
}

/* Who runs a program by iotrace run asks for its log, but with IOTRACE=off. */
void iot_run_ask(void)
{
	const char *set = getenv("IOTRACE");
	uint64_t on = 0;

	iot_setting_number(IOT_SET_ON, NULL, &on);
	if ((!set || !*set) && (!on || (*IOT_DEFAULTS && !access(IOT_DEFAULTS, F_OK))))
		iot_run_set("IOTRACE", "on");
}

bool iot_run_site_has(const char *setting)
{
	FILE *f = *IOT_DEFAULTS ? fopen(IOT_DEFAULTS, "re") : NULL;
	char line[PATH_MAX], word[2][64];
	bool has = false;

	while (f && !has && fgets(line, sizeof(line), f)) {
		int n = sscanf(line, " %63[A-Za-z_] %63[A-Za-z_]", word[0], word[1]);

		has = n > 0 && !strcmp(word[n - 1], setting);
	}
	if (f)
		fclose(f);
	return has;
}

void iot_run_set_literal(const char *directory, const char *below)
{
	char value[3 * PATH_MAX], *to = value;

	for (const char *s = directory; *s && to < value + 2 * PATH_MAX - 2; s++) {
		if (*s == '%')
			*to++ = '%';
		*to++ = *s;
	}
	snprintf(to, PATH_MAX, "%s%s", *below && *below != '/' ? "/" : "", below);
	iot_run_set("IOTRACE_DIR", value);
}

/* Absolute: the program may change its directory before its first call, and its
   children theirs. */
void iot_run_set_directory(const char *directory)
{
	char path[PATH_MAX];

	/* the recorder makes it, where it knows what stands for %u */
	if (strchr(directory, '%')) {
		if (*directory == '/')
			iot_run_set_literal("", directory);
		else if (getcwd(path, sizeof(path)))
			iot_run_set_literal(path, directory);
		return;
	}
	if (mkdir(directory, 0777) && errno != EEXIST)
		iot_run_die(EXIT_OURS, "-o: %s: %s", directory, strerror(errno));
	if (!realpath(directory, path))
		iot_run_die(EXIT_OURS, "-o: %s: %s", directory, strerror(errno));
	if (access(path, W_OK | X_OK))
		iot_run_die(EXIT_OURS, "-o: %s: %s", directory, strerror(errno));
	iot_run_set_literal(path, "");
}

static void find_library(char *path, size_t size, const char *mpi)
{
	struct where where;

	if (!iot_find_libraries(&where))
		iot_run_die(EXIT_OURS, "out of memory");
	if (mpi)
		snprintf(path, size, "%s/libiotrace-mpi-%s.so", where.mpi, mpi);
	else
		snprintf(path, size, "%s/libiotrace.so", where.lib);
}

/* Before what is there, whose calls are the program's as well; behind
   AddressSanitizer, which refuses to come second. */
void iot_run_preload(const char *mpi)
{
	const char *old = getenv("LD_PRELOAD");
	char path[2 * PATH_MAX], library[PATH_MAX];
	char *list;

	find_library(path, sizeof(path), mpi);
	if (!realpath(path, library))
		iot_run_die(EXIT_OURS, "%s: %s (install iotrace or set IOTRACE_LIBDIR)", path, strerror(errno));
	if (library[strcspn(library, ": ")])
		iot_run_die(EXIT_OURS, "LD_PRELOAD can't name a path with a space or a colon: %s", library);
	if (!old || !*old) {
		iot_run_set("LD_PRELOAD", library);
		return;
	}
	if (asprintf(&list, strstr(old, "libasan") ? "%2$s:%1$s" : "%1$s:%2$s", library, old) < 0)
		iot_run_die(EXIT_OURS, "out of memory");
	iot_run_set("LD_PRELOAD", list);
	free(list);
}

void iot_run_allow_sanitizer(void)
{
	const char *old = getenv("ASAN_OPTIONS");
	char *list;

	if (asprintf(&list, "verify_asan_link_order=0%s%s", old ? ":" : "", old ? old : "") < 0)
		iot_run_die(EXIT_OURS, "out of memory");
	iot_run_set("ASAN_OPTIONS", list);
	free(list);
}
