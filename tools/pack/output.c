/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.c - files that are there when they are whole, or not at all.
 *
 * Until it is finished it has no name, so that nothing is left if we are killed.
 * Where a file system has no such files it has a name that no tool takes for a
 * log's, which goes away with everything but SIGKILL.
 *
 * To put a file on the disk takes some ms, however small it is.  Files without a name
 * therefore wait for each other, and one syncfs(2) puts all of them on the disk, before
 * they get their names and the logs that they replace are removed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pack.h"

/* So many may wait: an open descriptor each. */
#define MAX_WAITING 256

static struct output waiting[MAX_WAITING];
static size_t n_waiting;

/* For the handler: NULL, or what has to go. */
static char *volatile leftover;

static void on_signal(int sig)
{
	if (leftover)
		unlink(leftover);
	raise(sig); /* once more, and it is blocked until we return */
}

static void catch_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;
	unsigned i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &sa, NULL);
}

static char *directory_of(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *dir = NULL;

	if (!slash)
		return strdup(".");
	if (asprintf(&dir, "%.*s", (int)(slash - name) + 1, name) < 0)
		return NULL;
	return dir;
}

static int open_named(struct output *o)
{
	if (asprintf(&o->temp, "%s.%d.tmp", o->name, (int)getpid()) < 0)
		return -1;
	catch_signals();
	o->fd = open(o->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (o->fd >= 0)
		leftover = o->temp;
	return o->fd < 0 ? -1 : 0;
}

static void forget(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->temp) {
		unlink(o->temp);
		leftover = NULL;
	}
	free(o->temp);
	free(o->name);
	free(o->replaces);
	*o = (struct output){.fd = -1};
}

int iot_output_open(struct output *o, const char *name)
{
	char *dir = directory_of(name);
	struct stat st;

	*o = (struct output){.name = strdup(name), .fd = -1};
	if (lstat(name, &st) == 0) {
		iot_complain(STATUS_TROUBLE, name, "is there already; remove it, or give another name with -o");
		free(dir);
		forget(o);
		return -1;
	}
	if (dir && o->name)
		o->fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	free(dir);
	if (o->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		open_named(o);
	if (o->fd >= 0)
		return 0;
	iot_complain(STATUS_TROUBLE, name, "can't be created: %s", strerror(errno));
	forget(o);
	return -1;
}

/* Its name, if nothing else has it. */
static int give_name(struct output *o)
{
	char self[40];

	if (!o->temp) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
		return linkat(AT_FDCWD, self, AT_FDCWD, o->name, AT_SYMLINK_FOLLOW);
	}
	if (renameat2(AT_FDCWD, o->temp, AT_FDCWD, o->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL || link(o->temp, o->name) < 0)
		return -1;
	return unlink(o->temp);
}

/* The directories of those that wait; the same one mostly. */
static int sync_directories(void)
{
	char *last = NULL;
	int status = 0;

	for (size_t i = 0; i < n_waiting && status == 0; i++) {
		char *dir = directory_of(waiting[i].name);
		int fd = -1;

		if (dir && last && !strcmp(dir, last)) {
			free(dir);
			continue;
		}
		fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
		status = fd < 0 ? -1 : fsync(fd);
		/* it has none to sync, or we may write to it but not read it */
		if (status < 0 && (errno == EINVAL || errno == EACCES))
			status = 0;
		if (fd >= 0)
			close(fd);
		free(last);
		last = dir;
	}
	free(last);
	return status;
}

/* What is in those that wait; they may lie on several file systems. */
static int sync_contents(void)
{
	struct stat st;
	dev_t last = 0;

	if (n_waiting == 1)
		return fsync(waiting[0].fd);
	for (size_t i = 0; i < n_waiting; i++) {
		if (fstat(waiting[i].fd, &st) < 0)
			return -1;
		if ((!i || st.st_dev != last) && syncfs(waiting[i].fd) < 0)
			return -1;
		last = st.st_dev;
	}
	return 0;
}

/* Gives it its name.  -1: said why not, and it replaces nothing. */
static int finish(struct output *o)
{
	if (give_name(o) < 0) {
		iot_complain(STATUS_TROUBLE, o->name, "can't be finished: %s", strerror(errno));
		return -1;
	}
	free(o->temp);
	leftover = o->temp = NULL;
	return 0;
}

void iot_outputs_settle(void)
{
	int status = n_waiting ? sync_contents() : 0;
	size_t i;

	for (i = 0; i < n_waiting; i++) {
		if (status < 0)
			iot_complain(STATUS_TROUBLE, waiting[i].name, "can't be finished: %s",
				     strerror(errno));
		if (status < 0 || finish(&waiting[i]) < 0) {
			free(waiting[i].replaces);
			waiting[i].replaces = NULL;
		}
	}
	if (status == 0 && sync_directories() < 0) {
		iot_complain(STATUS_TROUBLE, waiting[0].name,
			     "its directory can't be synced, the logs are kept: %s",
			     strerror(errno));
		status = -1;
	}
	for (i = 0; i < n_waiting; i++) {
		struct output *o = &waiting[i];

		if (status == 0 && o->replaces && unlink(o->replaces) < 0)
			iot_complain(STATUS_TROUBLE, o->replaces, "can't be removed: %s", strerror(errno));
		forget(o);
	}
	n_waiting = 0;
}

int iot_output_finish(struct output *o, const struct stat *like, const char *replaces)
{
	const struct timespec times[2] = {like->st_atim, like->st_mtim};
	mode_t mode = like->st_mode & 0777;

	/* who can't give it its group lets the group that it has in on nothing */
	if (fchown(o->fd, like->st_uid, like->st_gid) < 0)
		mode &= 0700;
	if (replaces)
		o->replaces = strdup(replaces);
	if (fchmod(o->fd, mode) < 0 || futimens(o->fd, times) < 0 || (replaces && !o->replaces)) {
		iot_complain(STATUS_TROUBLE, o->name, "can't be finished: %s", strerror(errno));
		return -1;
	}
	waiting[n_waiting++] = *o;
	*o = (struct output){.fd = -1};
	/* one that has a name already goes away with a signal only as long as it is alone */
	if (n_waiting == MAX_WAITING || waiting[n_waiting - 1].temp)
		iot_outputs_settle();
	return 0;
}

void iot_output_close(struct output *o)
{
	forget(o);
}
