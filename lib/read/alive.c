/* SPDX-License-Identifier: BSD-3-Clause */
/* alive.c - does the process still run that writes a log? */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "read.h"

/* Only if it is written on this machine since it was booted, and in a container of
   the same name, are its clock and its process ids ours. */
void iot_log_locate(struct iot_log *log)
{
	const char *boot = iot_log_key(log, "boot_id", NULL),
		   *host = iot_log_key(log, "host", NULL);
	char id[64] = "";
	struct utsname uts;
	FILE *f;

	if (!boot || !host || uname(&uts) < 0 || strcmp(host, uts.nodename))
		return;
	f = fopen("/proc/sys/kernel/random/boot_id", "re");
	if (f && fgets(id, sizeof(id), f))
		id[strcspn(id, "\n")] = '\0';
	if (f)
		fclose(f);
	if (*id)
		log->where = strcmp(boot, id) ? IOT_BEFORE : IOT_HERE;
}

/* Is the log among the files that /proc/.../maps names?  -1: that can't be read. */
static int maps_name(const char *maps, const char *base, ino_t ino)
{
	unsigned long long inode;
	int found = 0, at;
	char *line = NULL;
	size_t cap = 0;
	FILE *f = fopen(maps, "re");

	if (!f)
		return -1;
	while (!found && getline(&line, &cap, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%*s %*s %*s %*s %llu %n", &inode, &at) != 1)
			continue;
		found = inode && (inode == ino || strstr(line + at, base));
	}
	if (ferror(f))
		found = -1;
	free(line);
	fclose(f);
	return found;
}

/* A thread of it that has the log mapped: when the first thread has ended, the
   others still have what the process has. */
static bool maps_log(const struct iot_log *log)
{
	const char *slash = strrchr(log->file, '/');
	const char *base = slash ? slash + 1 : log->file;
	char path[100];
	struct dirent *d;
	int found;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%u/maps", log->header.pid);
	found = maps_name(path, base, log->ino);
	if (found)
		return found > 0 || errno != ENOENT;
	snprintf(path, sizeof(path), "/proc/%u/task", log->header.pid);
	tasks = opendir(path);
	while (!found && tasks && (d = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%u/task/%.20s/maps", log->header.pid,
			 d->d_name);
		found = d->d_name[0] != '.' && maps_name(path, base, log->ino) > 0;
	}
	if (tasks)
		closedir(tasks);
	return found;
}

/*
 * Nothing will be stored in the log any more.  The quick look is for a process
 * that is no more; the thorough one also sees that it has executed another program,
 * is a zombie, or that its id is another's now.
 */
bool iot_log_writer_gone(const struct iot_log *log, bool thorough)
{
	if (!log->ino || log->packed || log->where == IOT_BEFORE)
		return true;
	if (log->where == IOT_ELSEWHERE)
		return log->header.ended;
	if (kill((pid_t)log->header.pid, 0) < 0 && errno == ESRCH)
		return true;
	return thorough && !maps_log(log);
}

bool iot_log_running(struct iot_log *log)
{
	iot_log_locate(log);
	return log->where == IOT_HERE && !iot_log_writer_gone(log, true);
}
