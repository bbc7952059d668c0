/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deny.c - runs a program to which a system call is forbidden, as containers do, or that an older
 * kernel does not have:
 *
 *	deny perf_event_open|cachestat PROGRAM...
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHESTAT 451			/* headers may be older */

int main(int argc, char **argv)
{
	const int perf = argc > 2 && !strcmp(argv[1], "perf_event_open");
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, perf ? SYS_perf_event_open : CACHESTAT, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (perf ? EPERM : ENOSYS)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof(f) / sizeof(f[0]), f };

	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		return 99;
	execv(argv[2], argv + 2);
	return 98;
}
