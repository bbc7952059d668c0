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

#include "read.h"
#include "starve.h"

struct file {
	dev_t dev;
	uint64_t ino;
	char *name; /* without its directory */
};

struct iotr_mapped {
	struct file *file;
	size_t n, cap;
};

static char *copy(const char *name)
{
	size_t size = strlen(name) + 1;

	return memcpy(iotr_alloc(size), name, size);
}

static void add(struct iotr_mapped *m, dev_t dev, uint64_t ino, const char *name)
{
	const struct file *last = m->n ? &m->file[m->n - 1] : NULL;

	/* the windows of a log follow each other */
	if (last && last->dev == dev && last->ino == ino && !strcmp(last->name, name))
		return;
	m->file = iotr_grow(m->file, &m->cap, m->n + 1, sizeof(*m->file));
	m->file[m->n++] = (struct file){dev, ino, copy(name)};
}

/* false: it shows nothing, or may not be read */
static bool look_at(struct iotr_mapped *m, const char *maps)
{
	unsigned long long inode;
	unsigned major, minor;
	char *line = NULL, *slash, share;
	bool any = false;
	size_t cap = 0;
	FILE *f = fopen(maps, "re");

	while (f && getline(&line, &cap, f) > 0) {
		any = true;
		line[strcspn(line, "\n")] = '\0';
		slash = strrchr(line, '/');
		if (slash &&
		    sscanf(line, "%*s %*3c%c %*s %x:%x %llu", &share, &major, &minor, &inode) ==
			    4 &&
		    share == 's' && inode)
			add(m, makedev(major, minor), inode, slash + 1);
	}
	free(line);
	if (f)
		fclose(f);
	return any;
}

/* When the first thread of a process has ended, another one shows what it has mapped. */
static void look_at_process(struct iotr_mapped *m, const char *pid)
{
	char path[100];
	struct dirent *d;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	if (look_at(m, path))
		return;
	snprintf(path, sizeof(path), "/proc/%.20s/task", pid);
	tasks = opendir(path);
	while (tasks && (d = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%.20s/task/%.20s/maps", pid, d->d_name);
		if (d->d_name[0] != '.' && look_at(m, path))
			break;
	}
	if (tasks)
		closedir(tasks);
}

static void look(struct iotr_mapped *m)
{
	struct dirent *d;
	int i;

	/* A process that was forked meanwhile, by one that then ended, can be missed once. */
	for (i = 0; i < 2; i++) {
		DIR *proc = opendir("/proc");

		while (proc && (d = readdir(proc)))
			if (strtoul(d->d_name, NULL, 10))
				look_at_process(m, d->d_name);
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

bool iotr_mapped_has(const struct iotr_mapped *m, const struct iotr_log *log)
{
	for (size_t i = 0; i < m->n; i++)
		if ((m->file[i].dev == log->dev && m->file[i].ino == log->ino) ||
		    iotr_log_is_named(log, m->file[i].name))
			return true;
	return false;
}

void iotr_mapped_free(struct iotr_mapped *m)
{
	for (size_t i = 0; m && i < m->n; i++)
		free(m->file[i].name);
	if (m)
		free(m->file);
	free(m);
}
