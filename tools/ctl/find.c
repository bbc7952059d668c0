/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find.c - see find.h.  The recorder has the header of its log mapped, which stands in
 * /proc/PID/task/TID/maps.  The file is opened by its path, or by a descriptor of the process if it
 * has none any more: either way the kernel asks who may write the file.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/message.h"
#include "find.h"

#define WHO_MAY "only the process's user and root may read it"

/* Of a line of the maps: whether it is a log's header; then its path and inode. */
static bool is_header(char *line, char *path, unsigned long *inode)
{
	static const char deleted[] = " (deleted)", suffix[] = ".iotrace";
	char perms[8];
	unsigned long offset;
	int at = 0;
	size_t n;

	if (sscanf(line, "%*x-%*x %7s %lx %*s %lu %n", perms, &offset, inode, &at) < 3 || !at || offset ||
	    strcmp(perms, "rw-s") != 0)
		return false;
	line += at;
	n = strcspn(line, "\n");
	if (n > strlen(deleted) && !memcmp(line + n - strlen(deleted), deleted, strlen(deleted)))
		n -= strlen(deleted);
	if (n < strlen(suffix) || n >= PATH_MAX || memcmp(line + n - strlen(suffix), suffix, strlen(suffix)) != 0)
		return false;
	memcpy(path, line, n);
	path[n] = '\0';
	return true;
}

/* Opens it if it is that file. */
static int open_if(const char *path, unsigned long inode, int flags)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | flags);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != inode || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = ENOENT;
		fd = -1;
	}
	return fd;
}

static int open_descriptor(const char *task, unsigned long inode)
{
	char name[128 + NAME_MAX];
	struct dirent *entry;
	struct stat st;
	int fd = -1;
	DIR *dir;

	snprintf(name, sizeof(name), "%s/fd", task);
	dir = opendir(name);
	while (dir && fd < 0 && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/fd/%s", task, entry->d_name);
		/* whatever else it is must not be opened: a terminal, a device */
		if (!stat(name, &st) && st.st_ino == inode && S_ISREG(st.st_mode))
			fd = open_if(name, inode, 0);
	}
	if (dir)
		closedir(dir);
	return fd;
}

/* Finds the log's path in what a task has mapped; false: its memory is gone, or has no log. */
static bool find_header(const char *pid, const char *task, struct ctl_log *log, unsigned long *inode)
{
	char name[128], line[PATH_MAX + 128];
	bool found = false;
	FILE *maps;

	snprintf(name, sizeof(name), "%s/maps", task);
	maps = fopen(name, "re");
	if (!maps && errno == ENOENT)
		return false;
	if (!maps)
		iot_die("%s: %s: %s; " WHO_MAY, pid, name, strerror(errno));
	while (!found && fgets(line, sizeof(line), maps))
		found = is_header(line, log->path, inode);
	if (!found && ferror(maps))
		iot_die("%s: %s: %s; " WHO_MAY, pid, name, strerror(EACCES));
	fclose(maps);
	return found;
}

/* The first thread may have ended: then another one of the process has its memory and descriptors. */
void ctl_find(const char *pid, struct ctl_log *log)
{
	char tasks_name[64], task[100];
	struct dirent *entry;
	unsigned long inode;
	bool found = false;
	DIR *tasks;

	snprintf(tasks_name, sizeof(tasks_name), "/proc/%s/task", pid);
	tasks = opendir(tasks_name);
	if (!tasks)
		iot_die("%s: there is no such process", pid);
	while (!found && (entry = readdir(tasks))) {
		snprintf(task, sizeof(task), "%s/%.20s", tasks_name, entry->d_name);
		found = entry->d_name[0] != '.' && find_header(pid, task, log, &inode);
	}
	closedir(tasks);
	if (!found)
		iot_die("%s: the process writes no log, or has made no call yet", pid);
	log->fd = open_if(log->path, inode, O_NOFOLLOW);
	if (log->fd < 0 && errno != EACCES)
		log->fd = open_descriptor(task, inode);
	if (log->fd < 0)
		iot_die("%s: %s: %s", pid, log->path, strerror(errno));
}
