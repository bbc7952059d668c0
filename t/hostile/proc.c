/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.c - operations that run other programs, or this one again. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* This program, to write a line on the board and on descriptor 1. */
static char **me(const struct op *op, struct draw *d)
{
	static char number[16];
	static char *argv[6];
	int n = 0;

	snprintf(number, sizeof(number), "%d", op->index);
	argv[n++] = (char *)self;
	argv[n++] = (char *)"--hello";
	argv[n++] = (char *)board_path;
	argv[n++] = number;
	argv[n] = NULL;
	(void)d;
	return argv;
}

static void execute(const struct op *op, struct draw *d)
{
	char **argv = me(op, d), *little[8] = { NULL };
	char **env = pick(d, 3) ? environ : little;

	/* no logs among the program's files, and what the oracle wants recorded */
	for (int i = 0, n = 0; environ && environ[i] && n < 7; i++)
		if (!strncmp(environ[i], "IOTRACE_", 8))
			little[n++] = environ[i];

	switch (pick(d, 8)) {
	case 0:
		execve(self, argv, env);
		break;
	case 1:
		execv(self, argv);
		break;
	case 2:
		execvp(self, argv);
		break;
	case 3:
		execl(self, argv[0], argv[1], argv[2], argv[3], NULL);
		break;
	case 4:
		execle(self, argv[0], argv[1], argv[2], argv[3], NULL, env);
		break;
	case 5:
		execveat(AT_FDCWD, self, argv, env, 0);
		break;
	case 6:
		fexecve(open(self, O_PATH | O_CLOEXEC), argv, env);
		break;
	default:
		syscall(SYS_execve, self, argv, env);
	}
	say(op, "exec: %s", error_name(errno));
}

static void do_exec(const struct op *op, struct draw *d)
{
	pid_t pid = pick(d, 3) ? fork() : vfork();

	if (pid == 0) {
		execute(op, d);
		_exit(100);
	}
	if (pid > 0)
		wait_for(op, "exec", pid);
}

/* What can't be executed. */
static void do_exec_fails(const struct op *op, struct draw *d)
{
	const char *path = some_path(d);
	char *argv[] = { (char *)"x", NULL };
	bool bad = pick(d, 3) == 0 && with(BADPTR);

	errno = 0;
	switch (pick(d, 5)) {
	case 0:
		execve(bad ? (char *)bad_pointer(d) : path, argv, environ);
		break;
	case 1:
		/* Linux takes NULL for an empty list */
		syscall(SYS_execve, path, bad ? (char **)bad_pointer(d) : NULL, bad ? (char **)bad_pointer(d) : NULL);
		break;
	case 2:
		execvp("no-such-command", argv);
		break;
	case 3:
		execl("none/none", "x", "y", NULL);
		break;
	default:
		fexecve(some_fd(d), argv, environ);
	}
	say(op, "exec fails: %s", error_name(errno));
}

static void do_posix_spawn(const struct op *op, struct draw *d)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	pid_t pid = -1;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	if (pick(d, 2))
		posix_spawn_file_actions_addopen(&actions, 20, "spawned", O_RDWR | O_CREAT, 0600);
	if (pick(d, 2))
		posix_spawn_file_actions_adddup2(&actions, 1, 21);
	if (pick(d, 4) == 0)
		posix_spawn_file_actions_addclose(&actions, 3000000);
	if (pick(d, 3) == 0)
		posix_spawn_file_actions_addclosefrom_np(&actions, 22);
	if (pick(d, 4) == 0)
		posix_spawn_file_actions_addchdir_np(&actions, "d");
	if (pick(d, 3) == 0)
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	r = posix_spawn(&pid, pick(d, 5) ? self : "none/none", pick(d, 4) ? &actions : NULL, pick(d, 2) ? &attr : NULL,
			me(op, d), environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	if (r)
		say(op, "posix_spawn: %s", error_name(r));
	else
		wait_for(op, "posix_spawn", pid);
}

static void do_system(const struct op *op, struct draw *d)
{
	static const char *const commands[] = { "exit 3", "echo by system", "kill -9 $$", "none-such 2>&1", ": >by-system", "exec cat a" };
	int r;

	always_hold(true);
	r = system(commands[pick(d, 6)]);
	always_hold(false);
	say(op, "system = %d %s", r, error_name(r < 0 ? errno : 0));
}

static void do_popen(const struct op *op, struct draw *d)
{
	FILE *f;
	char line[100] = "";
	size_t n = 0;

	always_hold(true);
	if (pick(d, 2)) {
		f = popen("echo popen; exit 4", pick(d, 2) ? "r" : "re");
		if (f && fgets(line, sizeof(line), f))
			n = strlen(line);
	} else {
		/* which reads in any case, lest it be gone before we write */
		f = popen("{ cat >by-popen; } 2>/dev/null || cat", "w");
		if (f)
			n = fwrite("to popen\n", 1, 9, f);
	}
	if (f)
		say(op, "popen: %zu", n);
	say(op, "pclose = %d", f ? pclose(f) : -2);
	always_hold(false);
}

/* A child that forks, and leaves its own. */
static void do_generations(const struct op *op, struct draw *d)
{
	int n = 2 + pick(d, 4);
	pid_t pid = fork();

	if (pid > 0) {
		wait_for(op, "generations", pid);
	} else if (pid == 0) {
		int status = 0, code = 0;

		for (int i = 0; i < n; i++) {
			pid = fork();
			code = pid < 0 ? 50 : i;
			if (pid) {
				waitpid(pid, &status, 0);
				_exit(code + WEXITSTATUS(status));
			}
			if (pwrite(3 + i, "generation", 10, 100L * i) < 0)
				code++;
		}
		_exit(code);
	}
}

/* Descriptors of its own from here on, or its own directory. */
static void do_unshare(const struct op *op, struct draw *d)
{
	say(op, "unshare = %d", unshare(pick(d, 2) ? CLONE_FILES : CLONE_FS));
}

const struct special proc_specials[] = {
	{ "exec", EXEC | FORK, do_exec },
	{ "exec-fails", EXEC, do_exec_fails },
	{ "posix_spawn", SPAWN, do_posix_spawn },
	{ "system", SPAWN, do_system },
	{ "popen", SPAWN | STDIO, do_popen },
	{ "generations", FORK, do_generations },
	{ "unshare", PRIVILEGES, do_unshare },
};
const int n_proc_specials = sizeof(proc_specials) / sizeof(proc_specials[0]);
