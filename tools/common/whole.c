/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.c - an output that is there when it is complete: until then it has another name in
 * the same directory, which goes away with everything but SIGKILL.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"
#include "whole.h"

static const char *wanted;
/* For the handler: NULL, or what has to go. */
static char *volatile leftover;
static volatile bool is_directory;

/* A signal may have come at any moment: nothing of libc's but what is safe then. */
static void remove_directory(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/rm", "rm", "-rf", "--", leftover, (char *)NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void clean_up(void)
{
	if (leftover && is_directory)
		remove_directory();
	else if (leftover)
		unlink(leftover);
}

static void on_signal(int sig)
{
	clean_up();
	raise(sig); /* once more, and it is blocked until we return */
}

static void catch_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;
	unsigned i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &sa, NULL);
}

/* As open(2) would make it, or as the file is that it replaces. */
static mode_t mode_of(bool there, const struct stat *st)
{
	mode_t mask = umask(0);

	umask(mask);
	return there ? st->st_mode & 0777 : 0666 & ~mask;
}

const char *iot_output_begin(const char *name)
{
	struct stat st;
	bool there = stat(name, &st) == 0;
	char *temp, *real = there ? realpath(name, NULL) : NULL;
	int fd;

	if (there && S_ISDIR(st.st_mode))
		iot_die("%s: is a directory", name);
	if (there && !S_ISREG(st.st_mode)) {
		free(real);
		return name;
	}
	/* the file that a symbolic link leads to is replaced, not the link */
	wanted = real ? real : name;
	if (asprintf(&temp, "%s.XXXXXX.tmp", wanted) < 0)
		iot_no_memory();
	catch_signals();
	fd = mkstemps(temp, 4);
	if (fd < 0)
		iot_die("%s: can't be written beside it: %s", name, strerror(errno));
	leftover = temp;
	atexit(clean_up);
	if (fchmod(fd, mode_of(there, &st)) < 0 || close(fd) < 0)
		iot_die("%s: %s", temp, strerror(errno));
	return temp;
}

/* Nothing is in it but what an earlier run made. */
static bool replaceable(const char *name, bool is_ours(const char *name))
{
	DIR *dir = is_ours ? opendir(name) : NULL;
	const struct dirent *d;
	bool all = dir;

	while (all && (d = readdir(dir)))
		all = !strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") || is_ours(d->d_name);
	if (dir)
		closedir(dir);
	return all;
}

/* "logs/", and a link to a directory, as that directory. */
static const char *own_name(const char *name, bool there)
{
	char *own = there ? realpath(name, NULL) : strdup(name);
	size_t len;

	if (!own)
		iot_die("%s: %s", name, strerror(errno));
	for (len = strlen(own); len > 1 && own[len - 1] == '/'; len--)
		own[len - 1] = '\0';
	return own;
}

const char *iot_output_begin_directory(const char *name, bool is_ours(const char *name))
{
	struct stat st;
	mode_t mask = umask(0);
	bool there = lstat(name, &st) == 0;
	char *temp;

	umask(mask);
	if (there && !replaceable(name, is_ours))
		iot_die("%s: is there already; %s", name,
			is_ours ? "only what an earlier run wrote is replaced" : "the archive takes a directory of its own");
	wanted = own_name(name, there);
	name = wanted;
	if (asprintf(&temp, "%s.tmp.XXXXXX", name) < 0)
		iot_no_memory();
	catch_signals();
	if (!mkdtemp(temp))
		iot_die("%s: can't be written beside it: %s", name, strerror(errno));
	is_directory = true;
	leftover = temp;
	atexit(clean_up);
	if (chmod(temp, 0777 & ~mask) < 0)
		iot_die("%s: %s", temp, strerror(errno));
	return temp;
}

/* A name is on the disk when its directory is. */
static void sync_directory(const char *name)
{
	char *dir = strdup(name), *slash = dir ? strrchr(dir, '/') : NULL;
	int fd;

	if (slash)
		slash[slash == dir] = '\0';
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(dir);
}

/* Where file systems can't exchange names, there is none of that name for a moment. */
static int exchange(void)
{
	char *aside;
	int ret;

	if (renameat2(AT_FDCWD, leftover, AT_FDCWD, wanted, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (asprintf(&aside, "%s.old", leftover) < 0)
		iot_no_memory();
	ret = rename(wanted, aside);
	if (ret == 0 && (ret = rename(leftover, wanted)) < 0)
		rename(aside, wanted);
	if (ret == 0)
		leftover = aside;
	return ret;
}

static int take_name(void)
{
	if (rename(leftover, wanted) == 0) {
		leftover = NULL;
		return 0;
	}
	if (!is_directory || (errno != ENOTEMPTY && errno != EEXIST) || exchange() < 0)
		return -1;
	remove_directory(); /* the earlier one */
	leftover = NULL;
	return 0;
}

void iot_output_end(void)
{
	int fd;

	if (!leftover)
		return;
	fd = open(leftover, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0 || take_name() < 0)
		iot_die("%s: %s", wanted, strerror(errno));
	close(fd);
	sync_directory(wanted);
}
