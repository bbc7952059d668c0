/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stepped.c - the program that step takes through the recorder instruction by
 * instruction: stepped BOARD SETUP PATTERN COUNT HANDLER.  SETUP, PATTERN and
 * HANDLER say by letters which calls are made: once, COUNT times, and in each
 * signal handler.  What isn't to be recorded is done by raw system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "board.h"

static struct board *board;
static const char *handler_does;
static int fd = -1, hfd = -1, other = -1;
static FILE *stream;
static char stream_buffer[256], text[4096], other_name[12];
static sigjmp_buf env;

/* rest: the fifth argument; the sixth is 0. */
static long raw(long nr, long a, long b, long c, long d, long rest)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = rest;
	register long r9 __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

static __attribute__((noinline)) void mark(enum mark m)
{
	__asm__ volatile("int3" : : "a"((long)m) : "memory");
}

static uint64_t ticks(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)::"memory");
	return (uint64_t)hi << 32 | lo;
}

static struct op *begin(const char *name, const char *path, uint64_t size, uint64_t offset)
{
	struct op *op;

	board->writing = 1;
	__asm__ volatile("" ::: "memory");
	op = &board->op[board->n];
	if (board->n + 1 >= BOARD_OPS)
		raw(SYS_exit_group, 97, 0, 0, 0, 0);
	strcpy(op->name, name);
	strcpy(op->path, path);
	op->size = size;
	op->offset = offset;
	op->inside = board->current;
	op->handler = board->depth;
	op->before = ticks();
	op->state = OP_BEGUN;
	board->n++;
	board->current = board->n;
	__asm__ volatile("" ::: "memory");
	board->writing = 0;
	return op;
}

static void end(struct op *op, int64_t ret)
{
	board->writing = 1;
	__asm__ volatile("" ::: "memory");
	op->after = ticks();
	op->ret = ret;
	op->state = OP_DONE;
	board->current = op->inside;
	if (!op->handler)
		board->n_done++;
	__asm__ volatile("" ::: "memory");
	board->writing = 0;
}

static uint64_t where(int f)
{
	return (uint64_t)raw(SYS_lseek, f, 0, SEEK_CUR, 0, 0);
}

static int opened(const char *name, int flags)
{
	struct op *op = begin("open", name, BOARD_ANY, BOARD_ANY);
	int f = open(name, flags, 0644);

	end(op, f);
	return f;
}

static void closed(int *f, const char *name)
{
	struct op *op = begin("close", name, BOARD_ANY, BOARD_ANY);

	end(op, close(*f));
	*f = -1;
}

static void run(const char *calls);

static void *thread(void *calls)
{
	run(calls);
	return NULL;
}

/* pwrite, from as deep a stack: a new one is a new definition. */
static __attribute__((noinline)) void deep(uint32_t n, volatile char *up)
{
	volatile char here[16] = { *up };
	struct op *op;

	if (n) {
		deep(n - 1, here);
		here[1] = 1;
		return;
	}
	op = begin("pwrite", "data", 8, 8);
	end(op, pwrite(fd, text, 8, 8));
}

static void call_stream(char what, uint32_t i)
{
	struct op *op;

	switch (what) {
	case 'F':
		op = begin("fopen", "stream", BOARD_ANY, BOARD_ANY);
		stream = fopen("stream", "w");
		end(op, BOARD_ANY);
		op = begin("setvbuf", "stream", BOARD_ANY, BOARD_ANY);
		end(op, setvbuf(stream, stream_buffer, _IOFBF, sizeof(stream_buffer)));
		break;
	case 'f':
		op = begin("fwrite", "stream", 24, BOARD_ANY);
		end(op, (int64_t)fwrite(text, 2, 12, stream));
		break;
	case 'p':
		op = begin("fprintf", "stream", BOARD_ANY, BOARD_ANY);
		end(op, fprintf(stream, "%u\n", 100000 + i));
		break;
	}
}

static void call_file(char what, uint32_t i)
{
	char *none[] = { NULL };
	struct stat st;
	struct op *op;
	int f;

	switch (what) {
	case 'D':
		fd = opened("data", O_RDWR | O_CREAT);
		break;
	case 'H':
		hfd = opened("handler", O_RDWR | O_CREAT);
		break;
	case 'o':
		strcpy(other_name, "other");
		other = opened(other_name, O_RDWR | O_CREAT);
		break;
	case 'n': /* a name that wasn't there before */
		sprintf(other_name, "new%u", i);
		other = opened(other_name, O_RDWR | O_CREAT);
		break;
	case 'e':
		opened("none/none", O_RDONLY);
		break;
	case 'c':
		closed(&other, other_name);
		break;
	case 's':
		op = begin("stat", "data", BOARD_ANY, BOARD_ANY);
		end(op, stat("data", &st));
		break;
	case 'L': /* its long text makes a long record */
		op = begin("symlink", "", BOARD_ANY, BOARD_ANY);
		end(op, symlink(text, "data"));
		break;
	case 'x': /* the log is left as it would be if this succeeded */
		op = begin("execve", "none/none", BOARD_ANY, BOARD_ANY);
		end(op, execve("none/none", none, none));
		break;
	case 'h': /* a handler's */
		f = opened("handler", O_RDWR);
		closed(&f, "handler");
		break;
	}
}

/* How many bytes of handlers lie there.  No handler comes meanwhile: there would be one at
   each instruction for each byte. */
static uint64_t skip_h(uint64_t at)
{
	volatile char c = 'h';
	uint64_t n;

	board->writing = 1;
	__asm__ volatile("" ::: "memory");
	for (n = 0; raw(SYS_pread64, fd, (long)&c, 1, (long)(at + n), 0) == 1 && c == 'h'; n++)
		;
	__asm__ volatile("" ::: "memory");
	board->writing = 0;
	return n;
}

static void call_data(char what, uint32_t i)
{
	char buf[256] = { 0 };
	struct op *op;
	long n;

	switch (what) {
	case 'w':
		op = begin("write", "data", 8 + i % 100, 0);
		op->offset = where(fd);
		n = write(fd, text, 8 + i % 100);
		if (op->unsure) /* a handler's went first, or behind it */
			op->offset += skip_h(op->offset);
		end(op, n);
		break;
	case 'r': /* the file's words are their own offsets */
		op = begin("read", "data", 16, 0);
		op->offset = where(fd);
		n = read(fd, buf, 16);
		end(op, n);
		break;
	case 'W':
		op = begin("pwrite", "data", 8 + i % 100, 100 * i);
		end(op, pwrite(fd, text, 8 + i % 100, 100 * i));
		break;
	case 'R':
		op = begin("pread", "data", 8 + i % 100, 50 * i);
		end(op, pread(fd, buf, 8 + i % 100, 50 * i));
		break;
	case 'l':
		op = begin("lseek", "data", BOARD_ANY, BOARD_ANY);
		end(op, lseek(fd, 8 * i, SEEK_SET));
		break;
	case 'd':
		op = begin("fdatasync", "data", BOARD_ANY, BOARD_ANY);
		end(op, fdatasync(fd));
		break;
	case 'k':
		deep(i % 12, text);
		break;
	case 'i': /* a handler's: numbered */
		op = begin("pwrite", "handler", 2, 0);
		op->numbered = 1;
		op->offset = 2 * (uint64_t)(op - board->op);
		end(op, pwrite(hfd, "hh", 2, (off_t)op->offset));
		break;
	case 'm': /* a handler's, on the program's descriptor */
		for (uint32_t at = board->current; at; at = board->op[at - 1].inside)
			board->op[at - 1].unsure = 1;
		op = begin("write", "data", 3, 0);
		op->offset = where(fd);
		n = write(fd, "hhh", 3);
		op->offset += op->unsure ? BOARD_ANY - op->offset : 0;
		end(op, n);
		break;
	}
}

/* What is in parentheses is a thread's. */
static const char *run_thread(const char *calls)
{
	struct op *op = begin("pthread_create", "", BOARD_ANY, BOARD_ANY);
	pthread_t t;

	end(op, pthread_create(&t, NULL, thread, (void *)calls));
	pthread_join(t, NULL);
	while (*calls && *calls != ')')
		calls++;
	return calls;
}

static void run(const char *calls)
{
	for (; *calls && *calls != ')'; calls++) {
		uint32_t i = board->n;

		if (*calls == '(')
			calls = run_thread(calls + 1);
		else if (strchr("Ffp", *calls))
			call_stream(*calls, i);
		else if (strchr("DHonecsLxh", *calls))
			call_file(*calls, i);
		else
			call_data(*calls, i);
	}
}

static void handler(int sig)
{
	int err = errno;

	(void)sig;
	board->depth++;
	run(handler_does);
	board->depth--;
	errno = err;
	if (board->jump) {
		board->jumps++;
		siglongjmp(env, 1);
	}
}

/* Descriptors that jumps left open. */
static void close_left(void)
{
	for (int i = 10; i < 40; i++)
		raw(SYS_close, i, 0, 0, 0, 0);
}

static void left(void)
{
	for (uint32_t at = board->current; at; at = board->op[at - 1].inside) {
		board->op[at - 1].state = OP_LEFT;
		board->op[at - 1].after = ticks();
		if (!board->op[at - 1].handler)
			board->n_done++;
	}
	board->current = 0;
	board->depth = 0;
	close_left();
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = handler };
	int count;
	long f;

	if (argc < 6)
		return 99;
	count = atoi(argv[4]);
	handler_does = argv[5];
	f = raw(SYS_open, (long)argv[1], O_RDWR, 0, 0, 0);
	board = (void *)raw(SYS_mmap, 0, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED, f);
	raw(SYS_close, f, 0, 0, 0, 0);
	board->handler = (uintptr_t)handler;
	memset(text, 'x', sizeof(text) - 1);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	run(argv[2]);
	for (volatile int i = 0; i < count; i++) {
		if (sigsetjmp(env, 1)) {
			left();
			mark(MARK_LEFT);
			run("i");
			continue;
		}
		mark(MARK_BEGIN);
		run(argv[3]);
		mark(MARK_END);
	}
	mark(MARK_DONE);
	return 0;
}
