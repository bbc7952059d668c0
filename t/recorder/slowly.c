/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slowly.c - runs a program as if its log's disk was slow.
 *
 *	slowly MS FILE PROGRAM [ARGUMENT...]
 *
 * Each of its pwritev calls, which are the recorder's alone, waits so long before it is
 * made.  FILE is told how many there were.  Exit status: the program's; 77 if the kernel
 * has no such thing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int listen_to_pwritev(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwritev, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
}

static int fetch_from(pid_t pid, int fd)
{
	int of = (int)syscall(SYS_pidfd_open, pid, 0);

	return of < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, of, fd, 0);
}

/* Until nobody is left who has the filter. */
static unsigned delay_all(int listener, long ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };
	struct pollfd p = { listener, POLLIN, 0 };
	unsigned n = 0;

	while (poll(&p, 1, -1) >= 0 && p.revents & POLLIN) {
		struct seccomp_notif call = { 0 };
		struct seccomp_notif_resp resp = { 0 };

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue;
		n++;
		nanosleep(&ts, NULL);
		resp.id = call.id;
		resp.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &resp);
	}
	return n;
}

int main(int argc, char **argv)
{
	int tell[2], go[2], fd, status;
	FILE *f;
	pid_t pid;
	char c;

	if (argc < 4 || pipe(tell) || pipe(go))
		return 2;
	pid = fork();
	if (!pid) {
		fd = listen_to_pwritev();
		if (write(tell[1], &fd, sizeof(fd)) != sizeof(fd) || read(go[0], &c, 1) != 1)
			_exit(2);
		for (int i = 3; i <= go[1]; i++)
			close(i);
		close(fd);
		execv(argv[3], argv + 3);
		_exit(2);
	}
	if (read(tell[0], &fd, sizeof(fd)) != sizeof(fd))
		return 2;
	fd = fd < 0 ? -1 : fetch_from(pid, fd);
	if (fd < 0 || write(go[1], "x", 1) != 1) {
		close(go[1]);
		kill(pid, SIGKILL);
		return 77;
	}
	f = fopen(argv[2], "w");
	if (!f)
		return 2;
	fprintf(f, "%u\n", delay_all(fd, atol(argv[1])));
	fclose(f);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
