/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cold.c - --cold: before the program begins, the page cache gives up its executable, its
 * libraries, and the files that its arguments name.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cache/pages.h"
#include "run.h"

/* What stays although it was to go: pages that others have mapped, or file systems without
   a disk. */
static struct {
	uint64_t bytes;
	unsigned files;
	char one[PATH_MAX];
} staying;

static void evict(const char *path)
{
	struct stat st;
	uint64_t size;
	int64_t left;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	fd = cache_open(path, &size);
	if (fd < 0) {
		iot_run_say("--cold: %s: %s", path, strerror(errno));
		return;
	}
	cache_evict(fd, 0, size);
	left = cache_resident(fd, 0, size);
	close(fd);
	if (left <= 0)
		return;
	staying.bytes += (uint64_t)left;
	if (!staying.files++)
		snprintf(staying.one, sizeof(staying.one), "%s", path);
}

void iot_run_cold(const char *path, const struct iot_run_program *program, char **argv)
{
	for (char **file = iot_run_files(path, program); *file; file++)
		evict(*file);
	if (strcmp(program->executable, path) != 0 && iot_run_is_shell(program->executable))
		iot_run_say("--cold: %s is a script: programs that it begins stay in the page cache (name the "
			    "program itself, or evict what an earlier run used by iotrace drop-cache --log=DIR)", path);
	for (char **arg = argv + 1; *arg; arg++)
		evict(*arg);
	if (staying.files == 1)
		iot_run_say("--cold: %s: %" PRIu64 " bytes stay in the page cache (others use them)", staying.one,
			    staying.bytes);
	else if (staying.files)
		iot_run_say("--cold: %s and %u more: %" PRIu64 " bytes stay in the page cache (others use them)",
			    staying.one, staying.files - 1, staying.bytes);
}
