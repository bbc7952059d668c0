/* SPDX-License-Identifier: BSD-3-Clause */
/* confined.c - situations: children in which less is there, or less is allowed. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The operation in a child that has been confined. */
static void confined(const struct op *op, int depth, const char *what, int status, void (*confine)(const struct op *))
{
	pid_t pid = fork();

	if (pid == 0) {
		confine(op);
		run_op(op, depth);
		_exit(status);
	}
	if (pid > 0)
		wait_for(op, what, pid);
}

static void set_limits(const struct op *op)
{
	static const struct {
		int what;
		rlim_t to;
	} limits[] = {
		{ RLIMIT_NOFILE, 3 },	 { RLIMIT_NOFILE, 6 }, { RLIMIT_NOFILE, 0 },  { RLIMIT_FSIZE, 0 },
		{ RLIMIT_FSIZE, 5000 }, { RLIMIT_STACK, 1 << 16 }, { RLIMIT_AS, 1 << 16 }, { RLIMIT_NPROC, 1 },
	};
	unsigned n = op->seed / 4 % (sizeof(limits) / sizeof(limits[0]));
	struct rlimit rl = { limits[n].to, limits[n].to };

	/* what is executed with few descriptors has the log among them */
	if (op->seed & 2 || (limits[n].what == RLIMIT_NOFILE && !with(LOGNUMBER))) {
		getrlimit(limits[n].what, &rl);
		rl.rlim_cur = limits[n].to;
	}
	setrlimit(limits[n].what, &rl);
}

void in_limits(const struct op *op, int depth)
{
	/* the loader says so if it can't load something */
	if (!runs_others(op))
		confined(op, depth, "limits", 4, set_limits);
}

static void close_all(const struct op *op)
{
	if (op->seed & 1)
		closefrom(op->seed & 2 ? 0 : 3);
	else if (op->seed & 2)
		close_range(3, ~0U, 0);
	else
		for (int fd = 0; fd < 3000; fd++)
			close(fd);
}

void in_closed(const struct op *op, int depth)
{
	confined(op, depth, "closed", 5, close_all);
}

static void drop_rights(const struct op *op)
{
	if (op->seed & 1)
		say(op, "chroot = %d", chroot("d"));
	setgroups(0, NULL);
	say(op, "setresuid = %d", setresgid(65534, 65534, 65534) | setresuid(65534, 65534, 65534));
}

void in_nobody(const struct op *op, int depth)
{
	confined(op, depth, "nobody", 6, drop_rights);
}

/* Some system calls fail, or kill, from here on.  Who is started with a filter has to be
 * allowed what the recorder does: see iotrace(7). */
static void set_filter(const struct op *op)
{
	static const int victims[] = {
		SYS_pwrite64, SYS_write, SYS_mmap, SYS_openat, SYS_newfstatat, SYS_close, SYS_ftruncate, SYS_readlink,
		SYS_fcntl, SYS_munmap, SYS_fallocate, SYS_lseek,
	};
	int victim = victims[op->seed / 8 % (sizeof(victims) / sizeof(victims[0]))];
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, victim, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, op->seed & 4 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (op->seed & 1)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	else
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

void in_filter(const struct op *op, int depth)
{
	if (!runs_others(op))
		confined(op, depth, "filter", 10, set_filter);
}
