/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writers.c - does a process still run that writes a log?
 *
 * A process that may write has the log mapped: the one that created it, and those that
 * were forked from it, until they run another program.  Windows say who has written.
 * A child that has not recorded anything yet is found only among all processes.
 */
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

#include "live.h"
#include "streams.h"

/* Only if it is written on this machine since it was booted, and in a container of
   the same name, are its clock and its process ids ours. */
void iotr_log_locate(struct iotr_log *log)
{
	const char *boot = iotr_log_key(log, "boot_id", NULL),
		   *host = iotr_log_key(log, "host", NULL);
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
		log->where = strcmp(boot, id) ? IOTR_BEFORE : IOTR_HERE;
}

static bool is_log(void *log, const struct iotr_mapping *m)
{
	return iotr_log_is_mapping(log, m);
}

/* Whether a process has the log mapped.  If that is not ours to see, it may have. */
static bool maps_log(const struct iotr_log *log, uint32_t pid, bool if_hidden)
{
	int found = iotr_maps_each(pid, is_log, (void *)log);

	return found > 0 || (found < 0 && if_hidden && errno != ENOENT && errno != ESRCH);
}

static bool runs(const struct iotr_log *log, uint32_t pid, bool thorough)
{
	if (!pid || pid > INT32_MAX || (kill((pid_t)pid, 0) < 0 && errno == ESRCH))
		return false;
	return !thorough || maps_log(log, pid, true);
}

/* Who stores into that stream's window, or did last; 0: it has none. */
static uint32_t owner(const struct iotr_stream *s)
{
	if (s->log->followed)
		return s->has_window ? s->now->head.pid : 0;
	return s->n_refs && (s->ref[s->n_refs - 1].flags & IOT_BLOCK_WINDOW) ? s->pid : 0;
}

/* Windows of threads of one process mostly come one after the other. */
static uint32_t owner_running(const struct iotr_log *log, bool thorough)
{
	uint32_t pid, known = log->header.pid;
	size_t i;

	if (runs(log, known, thorough))
		return known;
	for (i = 0; i < log->n_streams; i++) {
		pid = owner(log->stream[i]);
		if (pid != known && runs(log, pid, thorough))
			return pid;
		known = pid;
	}
	return 0;
}

static uint32_t anyone(const struct iotr_log *log)
{
	uint32_t pid = 0, found = 0;
	struct dirent *d;
	DIR *proc;

	if (log->mapped && !iotr_mapped_has(log->mapped, log))
		return 0;
	proc = opendir("/proc");

	while (!found && proc && (d = readdir(proc))) {
		pid = (uint32_t)strtoul(d->d_name, NULL, 10);
		if (pid && maps_log(log, pid, false))
			found = pid;
	}
	if (proc)
		closedir(proc);
	return found;
}

/*
 * Nothing will be stored in the log any more.  The quick look is for processes
 * that are no more; the thorough one also sees that they have executed other programs,
 * are zombies, or that their ids are others' now.  Looking at all processes can miss
 * one that was forked meanwhile, by one that then ended: hence twice.
 */
bool iotr_log_writer_gone(struct iotr_log *log, bool thorough)
{
	if (!log->ino || log->packed || log->where == IOTR_BEFORE)
		return true;
	if (log->where == IOTR_ELSEWHERE)
		return log->header.ended;
	if (!runs(log, log->writer, thorough))
		log->writer = owner_running(log, thorough);
	if (!log->writer)
		log->writer = anyone(log);
	if (!log->writer)
		log->writer = anyone(log);
	return !log->writer;
}

uint32_t iotr_log_writer(struct iotr_log *log)
{
	iotr_log_locate(log);
	return log->where == IOTR_HERE && !iotr_log_writer_gone(log, true) ? log->writer : 0;
}

uint32_t iotr_log_writer_among(struct iotr_log *log, const struct iotr_mapped *mapped)
{
	log->mapped = mapped;
	return iotr_log_writer(log);
}
