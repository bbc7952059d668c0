/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failing.c - a file system that fails: failing CALL ERRNO FROM PROGRAM ARGUMENT...
 * runs PROGRAM, for which fallocate and pwritev, or one of them as CALL says, fail
 * with ERRNO at offsets from FROM on.
 * failing write NUMBER: that program.  It makes no such calls itself; it has two
 * threads and a child, and prints how many calls it made.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd, n;
static long written;

static void *calls(void *arg)
{
	for (int i = 0; i < n; i++)
		if (write(fd, "abcd", 4) == 4)
			__atomic_add_fetch(&written, 1, __ATOMIC_RELAXED);
	return arg;
}

static int writer(void)
{
	pthread_t t[2];

	fd = open("/dev/null", O_WRONLY);
	calls(NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, calls, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (fork() == 0) {
		calls(NULL);
		_exit(0);
	}
	wait(NULL);
	calls(NULL);
	printf("%ld calls\n", written + n);
	return 3;
}

/* arg: which of the call's holds the offset */
static unsigned short rule(struct sock_filter *f, unsigned int nr, int arg, unsigned int from, int error)
{
	const struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, args[arg])),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, from, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
	};

	memcpy(f, rule, sizeof(rule));
	return sizeof(rule) / sizeof(rule[0]);
}

int main(int argc, char **argv)
{
	struct sock_filter code[16];
	struct sock_fprog prog = { .filter = code };
	unsigned int from;
	int error;

	if (argc == 3 && !strcmp(argv[1], "write")) {
		n = atoi(argv[2]);
		return writer();
	}
	if (argc < 5)
		return 99;
	error = !strcmp(argv[2], "EIO") ? EIO : !strcmp(argv[2], "EDQUOT") ? EDQUOT : EOPNOTSUPP;
	from = (unsigned int)atoi(argv[3]);
	if (!strstr("pwritev", argv[1]))
		prog.len += rule(code + prog.len, SYS_fallocate, 2, from, error);
	if (!strstr("fallocate", argv[1]))
		prog.len += rule(code + prog.len, SYS_pwritev, 3, from, error);
	code[prog.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
		perror("seccomp");
		return 98;
	}
	execv(argv[4], argv + 4);
	perror(argv[4]);
	return 97;
}
