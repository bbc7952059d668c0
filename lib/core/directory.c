/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.c - see directory.h. */
#include "directory.h"

#include "host.h"
#include "log-header.h"
#include "rank.h"
#include "sys.h"
#include "text.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/utsname.h>

/* As a part of a path: nothing of it is a slash, or leads upwards. */
static void put_part(struct iot_text *x, const char *s, size_t n)
{
	if (*s == '.')
		iot_puts(x, "_");
	for (size_t i = *s == '.'; i < n; i++)
		iot_putn(x, s[i] == '/' ? "_" : s + i, 1);
}

/* The first of these names, which end with an empty one, that the environment has a value of. */
static const char *first_of(const char *names)
{
	char **env = iot_environ_first();

	for (; *names; names += strlen(names) + 1) {
		const size_t n = strlen(names);

		for (char **e = env; e && *e; e++)
			if (!strncmp(*e, names, n) && (*e)[n] == '=' && (*e)[n + 1])
				return *e + n + 1;
	}
	return NULL;
}

static void put_user(struct iot_text *x)
{
	const char *name = first_of("USER\0LOGNAME\0");

	if (name)
		put_part(x, name, strlen(name));
	else
		iot_putu(x, (uint64_t)iot_syscall(SYS_getuid));
}

/* Outside of a batch system's job there is none. */
static void put_job(struct iot_text *x)
{
	const char *id = first_of("SLURM_JOB_ID\0PBS_JOBID\0LSB_JOBID\0FLUX_JOB_ID\0COBALT_JOBID\0JOB_ID\0");

	if (!id)
		id = "none";
	put_part(x, id, strlen(id));
}

static void put_host(struct iot_text *x)
{
	struct utsname uts;

	if (iot_syscall(SYS_uname, &uts) == 0)
		put_part(x, uts.nodename, strcspn(uts.nodename, "."));
}

static void put_rank(struct iot_text *x)
{
	if (iot_rank.rank < 0)
		iot_puts(x, "none");
	else
		iot_putu(x, (uint64_t)iot_rank.rank);
}

void iot_directory_put(struct iot_text *x, const char *value)
{
	for (; *value; value++) {
		switch (*value == '%' ? value[1] : 0) {
		case 'u':
			put_user(x);
			break;
		case 'h':
			put_host(x);
			break;
		case 'j':
			put_job(x);
			break;
		case 'r':
			put_rank(x);
			break;
		case 'p':
			iot_putu(x, (uint64_t)iot_sys_getpid());
			break;
		case 'n':
			put_part(x, iot_program(), strlen(iot_program()));
			break;
		case '%':
			iot_puts(x, "%");
			break;
		default:
			iot_putn(x, value, 1);
			continue;
		}
		value++;
	}
}

/* --- it is opened, and made ------------------------------------------------------- */

#define LINKS 40		/* as many as the kernel follows */

/* What is still to be walked.  One thread at a time creates a log. */
static char path[2 * 4096], before[4096];

/* The umask may have kept the owner out.  By the descriptor, whose name may have become
   another's. */
static void let_owner_in(int fd)
{
	char name[40];
	struct iot_text x = { .buf = name, .cap = sizeof(name) - 1 };
	struct stat st;

	if (iot_sys_fstat(fd, &st) < 0 || (st.st_mode & 0700) == 0700)
		return;
	iot_puts(&x, "/proc/thread-self/fd/");
	iot_putu(&x, (uint64_t)fd);
	name[x.len] = 0;
	iot_syscall(SYS_fchmodat, (long)AT_FDCWD, name, 0700L);
}

static int open_there(int at, const char *name, int flags)
{
	return iot_sys_openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags, 0);
}

/* What the kernel does with fs.protected_symlinks: in a directory that everybody may write,
   and nobody can remove others' files from, links are followed only if they are the user's
   own, or that directory's owner's. */
static bool may_follow(int at, const struct stat *link)
{
	const mode_t shared = S_ISVTX | S_IWOTH;
	struct stat dir;

	if (iot_sys_fstat(at, &dir) < 0)
		return false;
	return (dir.st_mode & shared) != shared || link->st_uid == dir.st_uid ||
	       link->st_uid == (uid_t)iot_syscall(SYS_geteuid);
}

/* The name is a link: what it says takes its place in path, before rest.  Returns 0, a
   descriptor if the kernel followed it, or -errno. */
static int follow(int at, const char *name, const char *rest)
{
	struct statfs fs;
	struct stat st;
	size_t n = strlen(rest);
	long r = iot_sys_fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW);

	if (r < 0)
		return (int)r;
	if (!S_ISLNK(st.st_mode))
		return -ENOTDIR;
	if (!may_follow(at, &st))
		return -ELOOP;
	/* those of proc lead where their text does not */
	if (iot_syscall(SYS_fstatfs, (long)at, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC)
		return open_there(at, name, 0);
	r = iot_syscall(SYS_readlinkat, (long)at, name, before, sizeof(before) - 1);
	if (r < 0)
		return (int)r;
	if ((size_t)r + 1 + n >= sizeof(path))
		return -ENAMETOOLONG;
	memmove(path + r + 1, rest, n + 1);
	memcpy(path, before, (size_t)r);
	path[r] = '/';
	return 0;
}

static int make_there(int at, const char *name, bool make)
{
	int fd = open_there(at, name, O_NOFOLLOW);
	long r;

	if (fd != -ENOENT || !make)
		return fd;
	r = iot_syscall(SYS_mkdirat, (long)at, name, 0700L);
	/* somebody else may have been faster */
	if (r < 0 && r != -EEXIST)
		return (int)r;
	fd = open_there(at, name, O_NOFOLLOW);
	if (fd >= 0 && r == 0)
		let_owner_in(fd);
	return fd;
}

int iot_directory_open(const char *dir, bool make)
{
	int at = open_there(AT_FDCWD, "/", 0), links = 0;
	size_t n = strnlen(dir, 4096);
	char *s = path;

	memcpy(path, dir, n);
	path[n] = 0;
	while (at >= 0) {
		char *name = s + strspn(s, "/"), *end = name + strcspn(name, "/");
		const char *rest = *end ? end + 1 : end;
		int next;

		if (!*name)
			break;
		*end = 0;
		next = make_there(at, name, make);
		s = (char *)rest;
		if (next == -ENOTDIR && ++links > LINKS) {
			next = -ENOENT;
		} else if (next == -ENOTDIR) {
			next = follow(at, name, rest);
			if (!next) {
				s = path;
				next = *s == '/' ? open_there(AT_FDCWD, "/", 0) : at;
			}
		}
		if (next != at)
			iot_sys_close(at);
		at = next;
	}
	return at;
}
