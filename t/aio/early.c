/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * early.c several|jumped|handled - requests to the kernel's asynchronous I/O that are collected before
 * the call that submits them is back: its second request reads from a pipe, which the kernel waits for
 * in io_submit(2).
 *
 * several: two threads submit to one context.  jumped: a handler leaves one io_submit by siglongjmp(3),
 * and another thread submits behind it.  handled: the only thread's handler collects.  Prints how many
 * requests of the file `data' were collected so.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define SUBMITTERS 2

static aio_context_t context;
static int data;
static sigjmp_buf back;
static volatile sig_atomic_t got;

static struct submitter {
	struct iocb block[2];
	struct iocb *list[2];
	char to[2][512];
	int pipe[2];
	pthread_t thread;
} submitter[SUBMITTERS];

static int prepare(struct submitter *s, int64_t offset)
{
	if (pipe(s->pipe))
		return 0;
	for (int i = 0; i < 2; i++) {
		s->list[i] = &s->block[i];
		s->block[i] = (struct iocb){ .aio_fildes = (uint32_t)(i ? s->pipe[0] : data),
					     .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)s->to[i],
					     .aio_nbytes = 512, .aio_offset = i ? 0 : offset };
	}
	return 1;
}

static void *submit(void *with)
{
	struct submitter *s = with;

	syscall(SYS_io_submit, context, 2L, s->list);
	return NULL;
}

static void jump(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void *submit_and_leave(void *with)
{
	return sigsetjmp(back, 1) ? NULL : submit(with);
}

/* Collects n, one call at a time. */
static int collect(int n)
{
	struct io_event event;

	while (n && syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) == 1)
		n--;
	return !n;
}

static int let_go(struct submitter *s)
{
	return write(s->pipe[1], "x", 1) == 1 && !pthread_join(s->thread, NULL);
}

static int several(void)
{
	for (int i = 0; i < SUBMITTERS; i++)
		if (pthread_create(&submitter[i].thread, NULL, submit, &submitter[i]))
			return 0;
	return collect(SUBMITTERS) && let_go(&submitter[0]) && let_go(&submitter[1]) && collect(SUBMITTERS);
}

static int jumped(void)
{
	signal(SIGUSR1, jump);
	if (pthread_create(&submitter[0].thread, NULL, submit_and_leave, &submitter[0]) || !collect(1) ||
	    pthread_kill(submitter[0].thread, SIGUSR1) || pthread_join(submitter[0].thread, NULL) || !collect(1))
		return 0;
	return !pthread_create(&submitter[1].thread, NULL, submit, &submitter[1]) && collect(1) && let_go(&submitter[1]) &&
	       collect(1);
}

static void collect_two(int sig)
{
	struct timespec none = { 0 };
	struct io_event event[2];

	(void)sig;
	if (got < 2) {
		long n = syscall(SYS_io_getevents, context, 2L, 2L, event, &none);

		got += n > 0 ? (int)n : 0;
	}
}

/* Sends SIGALRM whenever that process sleeps, until it is gone. */
static void wake(pid_t who)
{
	char name[64], state;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)who);
	while (getppid() == who) {
		FILE *stat = fopen(name, "r");

		if (stat && fscanf(stat, "%*s %*s %c", &state) == 1 && state == 'S')
			kill(who, SIGALRM);
		if (stat)
			fclose(stat);
		usleep(20000);
	}
	_exit(0);
}

/* Only a process that sleeps is in the call: what a handler does before a call begins is none of it. */
static int handled(void)
{
	const pid_t this = getpid();

	signal(SIGALRM, collect_two);
	if (!fork())
		wake(this);
	submit(&submitter[0]);
	return got == 2;
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";

	data = open("data", O_RDWR | O_CREAT, 0600);
	if (data < 0 || ftruncate(data, 1024) || !prepare(&submitter[0], 0) || !prepare(&submitter[1], 512))
		return 1;
	if (syscall(SYS_io_setup, 8L, &context))
		return 77;
	if (!strcmp(how, "several") ? !several() : !strcmp(how, "jumped") ? !jumped() : !handled())
		return 1;
	printf("%d\n", !strcmp(how, "handled") ? 1 : 2);
	return 0;
}
