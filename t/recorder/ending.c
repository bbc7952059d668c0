/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ending.c - a known number of calls, then an end of the process:
 * ending HOW NUMBER.  Call i, from 0, writes 8 bytes at 8 * i, so that the file
 * itself tells how many there were.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "waiting.h"

static int fd, nowhere[2];
static uint64_t n_calls, made;

static void call(void)
{
	if (pwrite(fd, &made, sizeof(made), (off_t)(8 * made)) == sizeof(made))
		made++;
}

static void calls(void)
{
	for (uint64_t i = 0; i < n_calls; i++)
		call();
}

static void at_exit(void)
{
	call();
	write(1, "at exit\n", 8);
}

static int reader;

static void *blocked(void *arg)
{
	char c;

	(void)arg;
	__atomic_store_n(&reader, own_tid(), __ATOMIC_RELEASE);
	read(nowhere[0], &c, 1);
	return NULL;
}

static void *caller(void *arg)
{
	calls();
	if (!strncmp(arg, "thread-", 7))
		await_read(&reader);
	if (!strcmp(arg, "thread-exit"))
		exit(5);
	if (!strcmp(arg, "thread-segv"))
		raise(SIGSEGV);
	if (!strcmp(arg, "thread-kill"))
		kill(getpid(), SIGKILL);
	return NULL;
}

static __attribute__((noinline)) int recurse(volatile char *up)
{
	volatile char frame[512] = { *up };

	call();
	return recurse(frame) + frame[1];
}

static void on_signal(int sig)
{
	(void)sig;
	call();
	_exit(8);
}

static void bus(void)
{
	int f = open("empty", O_RDWR | O_CREAT, 0644);
	volatile char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);

	*p = 1;
}

static void *forever(void *arg)
{
	(void)arg;
	for (;;)
		call();
	return NULL;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	struct rlimit core;
	pthread_t thread;

	fd = open("calls", O_RDWR | O_CREAT | (strcmp(how, "again") ? O_TRUNC : 0), 0644);
	if (argc < 3 || fd < 0 || pipe(nowhere))
		return 99;
	n_calls = strtoull(argv[2], NULL, 10);
	getrlimit(RLIMIT_CORE, &core);
	core.rlim_cur = strcmp(how, "core") ? 0 : core.rlim_max;
	setrlimit(RLIMIT_CORE, &core);
	if (!strcmp(how, "return") || !strcmp(how, "exit"))
		atexit(at_exit);
	if (!strcmp(how, "quick_exit"))
		at_quick_exit(at_exit);
	if (!strncmp(how, "thread-", 7)) {
		pthread_create(&thread, NULL, caller, argv[1]);
		blocked(NULL);
	}
	if (!strcmp(how, "forever"))
		forever(NULL);
	calls();
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(4);
	if (!strcmp(how, "_Exit"))
		_Exit(4);
	if (!strcmp(how, "syscall"))
		syscall(SYS_exit_group, 4);
	if (!strcmp(how, "quick_exit"))
		quick_exit(6);
	if (!strcmp(how, "abort") || !strcmp(how, "core"))
		abort();
	if (!strcmp(how, "segv"))
		*(volatile int *)8 = 0;
	if (!strcmp(how, "bus"))
		bus();
	if (!strcmp(how, "raise-bus"))
		raise(SIGBUS);
	if (!strcmp(how, "own-bus")) {
		signal(SIGBUS, on_signal);
		bus();
	}
	if (!strcmp(how, "altstack")) {
		static char stack[1 << 16];

		sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
		sigaction(SIGSEGV, &(struct sigaction){ .sa_handler = on_signal, .sa_flags = SA_ONSTACK }, NULL);
	}
	if (!strcmp(how, "overflow") || !strcmp(how, "altstack")) {
		setrlimit(RLIMIT_STACK, &(struct rlimit){ 1 << 20, 1 << 20 });
		return recurse("");
	}
	if (!strcmp(how, "term"))
		raise(SIGTERM);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "stuck")) {
		pthread_create(&thread, NULL, blocked, NULL);
		await_read(&reader);
		kill(getpid(), SIGKILL);
	}
	if (!strcmp(how, "pthread_exit")) {
		pthread_create(&thread, NULL, caller, "");
		pthread_exit(NULL);
	}
	if (!strcmp(how, "exec")) {
		execl("/proc/self/exe", argv[0], "again", argv[2], (char *)NULL);
		return 98;
	}
	if (!strcmp(how, "exec-fails")) {
		execl("/none/such", argv[0], (char *)NULL);
		execl("calls", argv[0], (char *)NULL);
		calls();
		return 9;
	}
	if (!strcmp(how, "exec-thread")) {
		pthread_create(&thread, NULL, blocked, NULL);
		await_read(&reader);
		execl("/proc/self/exe", argv[0], "again", argv[2], (char *)NULL);
		return 98;
	}
	return 0;
}
