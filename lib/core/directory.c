/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.c - see directory.h. */
#include "directory.h"

#include "host.h"
#include "log-header.h"
#include "rank.h"
#include "sys.h"
#include "text.h"

#include <string.h>
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

/* What has just been made is for its owner, whatever the umask took away: not for somebody who has
   put something else in its place. */
static void let_owner_in(const char *dir)
{
	int fd = iot_sys_openat(AT_FDCWD, dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	char name[32];
	struct iot_text x = { .buf = name, .cap = sizeof(name) - 1 };
	struct stat st;

	if (fd < 0)
		return;
	if (!iot_sys_fstat(fd, &st) && (st.st_mode & 07777) != 0700 && st.st_uid == (uid_t)iot_syscall(SYS_geteuid)) {
		iot_puts(&x, "/proc/self/fd/");
		iot_putu(&x, (uint64_t)fd);
		x.buf[x.len] = 0;
		iot_syscall(SYS_fchmodat, (long)AT_FDCWD, name, 0700L);
	}
	iot_sys_close(fd);
}

long iot_directory_make(const char *path)
{
	char part[4096];
	size_t n = strnlen(path, sizeof(part) - 1);
	long r = 0;

	memcpy(part, path, n);
	part[n] = 0;
	for (char *s = part + 1; s <= part + n; s++) {
		if ((*s && *s != '/') || s[-1] == '/')
			continue;
		*s = 0;
		r = iot_syscall(SYS_mkdirat, (long)AT_FDCWD, part, 0700L);
		if (!r)
			let_owner_in(part);
		/* the next one says whether what is there is a directory */
		if (r == -EEXIST || r == -EROFS)
			r = 0;
		if (r < 0)
			break;
		if (s < part + n)
			*s = '/';
	}
	return r;
}
