/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log-files.c - the files of logs, of which there may be more than descriptors.
 *
 * A job has a log for each rank, and a process may open a thousand files or fewer.
 * So files are closed, those first that were not used for longest, and opened again
 * when something is to be read of them.  The list of those that could be closed is
 * common to all threads: one has a lock, for as long as it takes.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log-bytes.h"

/* Others need descriptors as well: half of them are left alone. */
#define SHARE 2
#define LEAST 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct iotr_log *newest, *oldest; /* open, and nothing is being read of them */
static size_t n_open;			/* these, and those in use */

static size_t most_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / SHARE < LEAST)
		return LEAST;
	return limit.rlim_cur / SHARE;
}

static void list_add(struct iotr_log *log)
{
	log->older = newest;
	log->newer = NULL;
	if (newest)
		newest->newer = log;
	else
		oldest = log;
	newest = log;
}

static void list_remove(struct iotr_log *log)
{
	*(log->newer ? &log->newer->older : &newest) = log->older;
	*(log->older ? &log->older->newer : &oldest) = log->newer;
}

static bool close_oldest(void)
{
	struct iotr_log *log = oldest;

	if (!log)
		return false;
	list_remove(log);
	close(log->fd);
	log->fd = -1;
	n_open--;
	return true;
}

/* O_NONBLOCK: a FIFO by that name must not make us wait. */
static int open_file(const struct iotr_log *log)
{
	int fd;

	while (n_open >= most_open() && close_oldest())
		;
	do
		fd = open(log->file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (fd < 0 && (errno == EMFILE || errno == ENFILE) && close_oldest());
	n_open += fd >= 0;
	return fd;
}

int iotr_descriptor_open(struct iotr_log *log)
{
	struct stat st = {0};
	int err;

	pthread_mutex_lock(&lock);
	log->fd = open_file(log);
	err = errno;
	if (log->fd >= 0) {
		log->opened = true;
		list_add(log);
		fstat(log->fd, &st);
	}
	pthread_mutex_unlock(&lock);
	log->dev = st.st_dev;
	log->ino = st.st_ino;
	if (log->opened && S_ISREG(st.st_mode))
		return 0;
	if (log->opened)
		iotr_say(log, IOTR_UNREADABLE, "is no log: not a regular file");
	else
		iotr_say(log, IOTR_UNREADABLE, "can't be opened: %s", strerror(err));
	return -1;
}

/* The file that it was; else -1. */
static int open_again(struct iotr_log *log)
{
	struct stat st;
	int fd = open_file(log);

	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_dev == log->dev && st.st_ino == log->ino))
		return fd;
	close(fd);
	n_open--;
	errno = ESTALE;
	return -1;
}

int iotr_descriptor_get(struct iotr_log *log)
{
	int err;

	if (!log->opened)
		return log->fd;
	pthread_mutex_lock(&lock);
	if (log->fd >= 0)
		list_remove(log);
	else
		log->fd = open_again(log);
	err = errno;
	pthread_mutex_unlock(&lock);
	if (log->fd >= 0)
		return log->fd;
	log->opened = false; /* and is not tried once more */
	iotr_say(log, IOTR_DAMAGE, "can't be opened again while it is read: %s",
		 err == ESTALE ? "it is another file now" : strerror(err));
	return -1;
}

void iotr_descriptor_put(struct iotr_log *log)
{
	if (!log->opened || log->fd < 0)
		return;
	pthread_mutex_lock(&lock);
	list_add(log);
	pthread_mutex_unlock(&lock);
}

void iotr_descriptor_close(struct iotr_log *log)
{
	if (log->fd < 0)
		return;
	if (log->opened) {
		pthread_mutex_lock(&lock);
		list_remove(log);
		n_open--;
		pthread_mutex_unlock(&lock);
	}
	close(log->fd);
	log->fd = -1;
}
