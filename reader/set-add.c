/* SPDX-License-Identifier: BSD-3-Clause */
/* set-add.c - logs are added to a set: files, directories of them, memory. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "job.h"
#include "log-bytes.h"
#include "set.h"
#include "starve.h"

void iotr_set_add_log(struct iotr_set *set, struct iotr_log *log)
{
	struct iotr_guard guard;

	if (set->failed || !IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	iotr_set_take(set, log);
	iotr_guard_end(&guard);
}

void iotr_unreadable(struct iotr_set *set, const char *file, const char *text, int err)
{
	char buf[200];

	snprintf(buf, sizeof(buf), "%s%s%s", text, err ? ": " : "", err ? strerror(err) : "");
	if (set->fn)
		set->fn(set->arg, IOTR_UNREADABLE, file, buf);
}

int iotr_is_log(const struct dirent *d)
{
	size_t n = strlen(d->d_name), m = strlen(".iotrace");

	return n > m && !strcmp(d->d_name + n - m, ".iotrace");
}

static int add_bytes(struct iotr_set *set, struct iotr_log *bytes)
{
	return bytes ? iotr_job_each(bytes, iotr_log_begin, set) : -1;
}

int iotr_set_add_mem(struct iotr_set *set, const void *data, size_t size, const char *name)
{
	struct iotr_guard guard;
	int got;

	if (set->failed || !IOTR_TRY(&guard))
		return iotr_starved(set);
	got = add_bytes(set, iotr_log_bytes_mem(data, size, name, set->fn, set->arg));
	iotr_guard_end(&guard);
	return got;
}

static int add_directory(struct iotr_set *set, const char *path)
{
	struct dirent **list;
	int i, n = scandir(path, &list, iotr_is_log, alphasort), added = 0;

	if (n < 0 && errno == ENOMEM)
		iotr_no_memory();
	if (n < 0) {
		iotr_unreadable(set, path, "can't be read", errno);
		return -1;
	}
	for (i = 0; i < n; i++) {
		size_t size = strlen(path) + strlen(list[i]->d_name) + 2;
		char *file = iotr_alloc(size);

		snprintf(file, size, "%s/%s", path, list[i]->d_name);
		added += add_bytes(set, iotr_log_bytes(file, set->fn, set->arg)) == 0;
		free(file);
		free(list[i]);
	}
	free(list);
	if (n == 0)
		iotr_unreadable(set, path, "is a directory without logs (*.iotrace)", 0);
	return added ? 0 : -1;
}

int iotr_set_add(struct iotr_set *set, const char *path)
{
	struct iotr_guard guard;
	struct stat st;
	int got;

	if (set->failed || !IOTR_TRY(&guard))
		return iotr_starved(set);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		got = add_directory(set, path);
	else
		got = add_bytes(set, iotr_log_bytes(path, set->fn, set->arg));
	iotr_guard_end(&guard);
	return got;
}
