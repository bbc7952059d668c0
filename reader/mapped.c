/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped.c - which files the processes of this machine have mapped shared.
 *
 * Only who has a log mapped can store into it, and nobody maps one that is there already
 * but those who had it and their children.  So a log that was there before all processes
 * were looked at twice, and was mapped by none, is nobody's from then on: many logs need
 * one look at the processes, not one each.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "live.h"
#include "starve.h"

struct iotr_mapped {
	struct iotr_mapping *file; /* whose names are ours */
	size_t n, cap;
};

/* Calls fn for the files that a maps file shows, until it returns true; *any: it shows
   something.  1: fn did, 0: it did not, -1: the file can't be read, with errno. */
static int read_maps(const char *maps, iotr_mapping_fn *fn, void *arg, bool *any)
{
	unsigned long long inode;
	unsigned major, minor;
	char *line = NULL, *slash, share;
	size_t cap = 0;
	int found = 0;
	FILE *f = fopen(maps, "re");

	if (!f)
		return -1;
	while (!found && getline(&line, &cap, f) > 0) {
		*any = true;
		line[strcspn(line, "\n")] = '\0';
		slash = strrchr(line, '/');
		if (!slash ||
		    sscanf(line, "%*s %*3c%c %*s %x:%x %llu", &share, &major, &minor, &inode) !=
			    4 ||
		    !inode)
			continue;
		found = fn(arg, &(struct iotr_mapping){makedev(major, minor), inode, slash + 1,
						       share == 's'});
	}
	if (ferror(f))
		found = -1;
	free(line);
	fclose(f);
	return found;
}

/* When the first thread of a process has ended, another one shows what it has mapped. */
int iotr_maps_each(uint32_t pid, iotr_mapping_fn *fn, void *arg)
{
	char path[100];
	bool any = false;
	struct dirent *d;
	int found;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	found = read_maps(path, fn, arg, &any);
	if (found || any)
		return found;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	tasks = opendir(path);
	while (!any && tasks && (d = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%u/task/%.20s/maps", pid, d->d_name);
		if (d->d_name[0] != '.')
			found = read_maps(path, fn, arg, &any) > 0;
	}
	if (tasks)
		closedir(tasks);
	return found;
}

static bool add(void *arg, const struct iotr_mapping *file)
{
	struct iotr_mapped *m = arg;
	const struct iotr_mapping *last = m->n ? &m->file[m->n - 1] : NULL;
	size_t size = strlen(file->name) + 1;

	/* the windows of a log follow each other */
	if (!file->shared || (last && last->dev == file->dev && last->ino == file->ino &&
			      !strcmp(last->name, file->name)))
		return false;
	m->file = iotr_grow(m->file, &m->cap, m->n + 1, sizeof(*m->file));
	m->file[m->n] = *file;
	m->file[m->n].name = memcpy(iotr_alloc(size), file->name, size);
	m->n++;
	return false;
}

static void look(struct iotr_mapped *m)
{
	struct dirent *d;
	uint32_t pid;
	int i;

	/* A process that was forked meanwhile, by one that then ended, can be missed once. */
	for (i = 0; i < 2; i++) {
		DIR *proc = opendir("/proc");

		while (proc && (d = readdir(proc))) {
			pid = (uint32_t)strtoul(d->d_name, NULL, 10);
			if (pid)
				iotr_maps_each(pid, add, m);
		}
		if (proc)
			closedir(proc);
	}
}

static bool look_guarded(struct iotr_mapped *m)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard))
		return false;
	look(m);
	iotr_guard_end(&guard);
	return true;
}

struct iotr_mapped *iotr_mapped_look(void)
{
	struct iotr_mapped *m = calloc(1, sizeof(*m));

	if (m && look_guarded(m))
		return m;
	iotr_mapped_free(m);
	return NULL;
}

/* By the name of its file, too: where the file system shows other devices there than it has,
   as overlayfs does, nothing else tells. */
bool iotr_log_is_mapping(const struct iotr_log *log, const struct iotr_mapping *m)
{
	const char *slash = strrchr(log->file, '/'), *base = slash ? slash + 1 : log->file;
	size_t n = strlen(base);

	return (m->ino == log->ino && m->dev == log->dev) ||
	       (!strncmp(m->name, base, n) && (!m->name[n] || !strcmp(m->name + n, " (deleted)")));
}

bool iotr_mapped_has(const struct iotr_mapped *m, const struct iotr_log *log)
{
	for (size_t i = 0; i < m->n; i++)
		if (iotr_log_is_mapping(log, &m->file[i]))
			return true;
	return false;
}

void iotr_mapped_free(struct iotr_mapped *m)
{
	for (size_t i = 0; m && i < m->n; i++)
		free((char *)m->file[i].name);
	if (m)
		free(m->file);
	free(m);
}
