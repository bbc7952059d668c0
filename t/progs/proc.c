/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc.c - processes and threads: all the ways in which they begin and end.
 * Started with an argument it is its own child: "proc MODE" does something
 * small and ends in the way that MODE names.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

extern char **environ;
static char *self;

static void say(const char *what)
{
	(void)!write(1, what, strlen(what));
}

static void on_exit_called(void)
{
	say("at exit\n");
}

static void on_quick_exit(void)
{
	say("at quick exit\n");
}

static int child(const char *mode)
{
	say(mode);
	say("\n");
	if (!strcmp(mode, "return")) {
		printf("flushed by exit\n");
		atexit(on_exit_called);
		return 3;
	}
	if (!strcmp(mode, "quick")) {
		at_quick_exit(on_quick_exit);
		quick_exit(4);
	}
	if (!strcmp(mode, "_exit")) {
		printf("never flushed\n");
		_exit(5);
	}
	if (!strcmp(mode, "_Exit"))
		_Exit(6);
	if (!strcmp(mode, "abort"))
		abort();
	if (!strcmp(mode, "kill"))
		raise(SIGKILL);
	if (!strcmp(mode, "daemon")) {
		char c = 'd';

		/* its parent waits for the end of this */
		if (daemon(1, 1) == 0)
			(void)!write(3, &c, 1);
		return 0;
	}
	if (!strcmp(mode, "read")) {
		char c;

		return read(0, &c, 1) == 1 ? c : 9;
	}
	return 10;
}

static void reap(void)
{
	int status;

	OK(wait(&status));
	SHOW(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

static void forks(void)
{
	static const char *const modes[] = { "return", "quick", "_exit", "_Exit", "abort", "kill" };
	struct rusage ru;
	siginfo_t si;
	unsigned int i;
	int status;
	pid_t pid;

	fflush(stdout);
	for (i = 0; i < 6; i++) {
		if (!fork())
			exit(child(modes[i]));
		reap();
		fflush(stdout);
	}
	pid = fork();
	if (!pid) {
		/* a grandchild that outlives its parent's wait */
		if (!fork())
			_exit(close(0));
		wait(NULL);
		_exit(7);
	}
	SHOW(waitpid(pid, &status, 0) == pid);
	SHOW(WEXITSTATUS(status));
	SHOW(waitpid(pid, &status, WNOHANG));
	pid = _Fork();
	if (!pid)
		_exit(8);
	SHOW(wait4(pid, &status, 0, &ru) == pid);
	pid = fork();
	if (!pid)
		_exit(9);
	SHOW(waitid(P_PID, pid, &si, WEXITED));
	SHOW(waitid(P_PID, pid, &si, WEXITED));
	SHOW(wait3(&status, 0, &ru));
	fflush(stdout);
}

static void execs(void)
{
	char *argv[] = { self, "return", NULL };
	int fd = open(self, O_RDONLY | O_CLOEXEC);
	int i;

	for (i = 0; i < 9; i++) {
		if (!fork()) {
			switch (i) {
			case 0: execv(self, argv); break;
			case 1: execve(self, argv, environ); break;
			case 2: execvp(self, argv); break;
			case 3: execvpe(self, argv, environ); break;
			case 4: execl(self, self, "quick", NULL); break;
			case 5: execle(self, self, "quick", NULL, environ); break;
			case 6: execlp(self, self, "_exit", NULL); break;
			case 7: fexecve(fd, argv, environ); break;
			case 8: GNU(execveat(AT_FDCWD, self, argv, environ, 0)); break;
			}
			_exit(99);
		}
		reap();
		fflush(stdout);
	}
	SHOW(execv("missing", argv));
	SHOW(execvp("missing-program", argv));
	SHOW(execl("/", "x", NULL));
	SHOW(fexecve(-1, argv, environ));
	close(fd);
}

static void vforks(void)
{
	char *argv[] = { self, "return", NULL };
	volatile int fd = open("f", O_RDWR | O_CREAT, 0600);
	pid_t pid;

	fflush(stdout);
	pid = vfork();
	if (!pid) {
		execv(self, argv);
		_exit(99);
	}
	reap();
	fflush(stdout);
	pid = vfork();
	if (!pid) {
		/* shares memory, not descriptors */
		(void)!write(fd, "child", 5);
		close(fd);
		execv("missing", argv);
		_exit(11);
	}
	reap();
	SHOW(lseek(fd, 0, SEEK_CUR));
	SHOW(close(fd));
	fflush(stdout);
}

static void spawns(void)
{
	char *argv[] = { self, "read", NULL };
	posix_spawn_file_actions_t fa;
	FILE *f;
	pid_t pid;
	char line[100];

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, self, O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&fa, 0, 5);
	posix_spawn_file_actions_addclose(&fa, 5);
	CODE(posix_spawn(&pid, self, &fa, NULL, argv, environ));
	reap();
	CODE(posix_spawnp(&pid, self, &fa, NULL, argv, environ));
	reap();
	CODE(posix_spawn(&pid, "missing", NULL, NULL, argv, environ));
	fflush(stdout);
	SHOW(system("exit 3"));
	SHOW(system(NULL));
	snprintf(line, sizeof(line), "%s quick", self);
	SHOW(system(line));
	f = PTR(popen("echo from a pipe", "r"));
	PTR(fgets(line, sizeof(line), f));
	SHOW(pclose(f));
	fflush(stdout);
	f = PTR(popen("cat", "w"));
	SHOW(fprintf(f, "into a pipe\n"));
	SHOW(pclose(f));
	PTR(popen("true", "bad"));
}

static void daemons(void)
{
	char *argv[] = { self, "daemon", NULL };
	char c = 0;
	int p[2];

	SHOW(pipe(p));
	fflush(stdout);
	if (!fork()) {
		dup2(p[1], 3);
		GNU(closefrom(4));
		execv(self, argv);
		_exit(99);
	}
	close(p[1]);
	SHOW(read(p[0], &c, 1));
	SHOW(read(p[0], &c, 1));
	SHOW(c);
	close(p[0]);
	reap();
}

static void *thread(void *arg)
{
	char name[20];
	int i, fd;

	snprintf(name, sizeof(name), "thread-%ld", (long)arg);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (i = 0; i < 50; i++)
		(void)!write(fd, name, i);
	close(fd);
	if ((long)arg & 1)
		pthread_exit(arg);
	return arg;
}

static void *forking(void *arg)
{
	pid_t pid = fork();

	if (!pid)
		_exit(close(1));
	waitpid(pid, NULL, 0);
	return arg;
}

static int cloned(void *arg)
{
	return (int)(long)arg + (int)write(1, "cloned\n", 7);
}

static void threads(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	pthread_t t[8];
	long i;

	for (i = 0; i < 8; i++)
		CODE(pthread_create(&t[i], NULL, i == 7 ? forking : thread, (void *)i));
	for (i = 0; i < 8; i++)
		CODE(pthread_join(t[i], NULL));
	pthread_create(&t[0], NULL, thread, (void *)9);
	pthread_join(t[0], NULL);
	fflush(stdout);
	OK(clone(cloned, stack + sizeof(stack), SIGCHLD, (void *)5));
	reap();
	GNU(OK(clone(NULL, NULL, SIGCHLD, NULL)));	/* musl stores on the stack */
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		return child(argv[1]);
	forks();
	execs();
	vforks();
	spawns();
	daemons();
	threads();
	atexit(on_exit_called);
	SHOW(fflush(stdout));
	printf("the end\n");
	exit(2);
}
