/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coroutines.c - calls that do not end in the order in which they began: coroutines
 * that are switched in the middle of a stream's functions.  Prints how many calls of
 * write and of fwrite it made.
 *
 *	coroutines SWITCH STACKS THREADS
 *
 * SWITCH: ucontext, own (as Boost.Context does it) or longjmp.  STACKS: heap, or main:
 * they lie within the main thread's stack.  THREADS: 0, or as many run them all in turn.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define N     12
#define M     8
#define TURNS 40
#define SIZE  65536

struct side {
	ucontext_t context;
	jmp_buf env;
	void *sp;
};

static struct co {
	struct side self, *home;
	int number, through;
	int busy;			/* a thread is running it */
} all[N];

static int fd;
static long n_write, n_fwrite;
static char how;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* own_switch(&FROM, TO): what a function may not change, on the stack */
void own_switch(void **from, void *to);
__asm__(".text\n.globl own_switch\n.type own_switch,@function\nown_switch:\n"
	"	pushq %rbp\n	pushq %rbx\n	pushq %r12\n	pushq %r13\n	pushq %r14\n	pushq %r15\n"
	"	movq %rsp, (%rdi)\n	movq %rsi, %rsp\n"
	"	popq %r15\n	popq %r14\n	popq %r13\n	popq %r12\n	popq %rbx\n	popq %rbp\n"
	"	ret\n.size own_switch, .-own_switch\n");

static __attribute__((noinline)) void go(struct side *from, struct side *to)
{
	switch (how) {
	case 'u':
		swapcontext(&from->context, &to->context);
		break;
	case 'o':
		own_switch(&from->sp, to->sp);
		break;
	default:
		if (_setjmp(from->env))
			break;
		if (to->sp) {
			void *sp = to->sp, *none;

			to->sp = NULL;	/* its first time */
			own_switch(&none, sp);
		}
		_longjmp(to->env, 1);
	}
}

static void put(const char *s)
{
	if (write(fd, s, 1) == 1)
		__atomic_fetch_add(&n_write, 1, __ATOMIC_SEQ_CST);
}

static ssize_t stream_writes(void *cookie, const char *buf, size_t n)
{
	struct co *c = cookie;

	(void)buf;
	put("a");
	go(&c->self, c->home);
	put("b");
	return (ssize_t)n;
}

static void body(struct co *c)
{
	const cookie_io_functions_t io = { .write = stream_writes };

	for (int i = 0; i < TURNS; i++) {
		FILE *f = fopencookie(c, "w", io);

		if (!f)
			_exit(98);
		__fsetlocking(f, FSETLOCKING_BYCALLER);
		setvbuf(f, NULL, _IONBF, 0);
		fwrite("hello", 1, 5, f);
		__atomic_fetch_add(&n_fwrite, 1, __ATOMIC_SEQ_CST);
		fclose(f);
		put("c");
		go(&c->self, c->home);
	}
	c->through = 1;
	for (;;)
		go(&c->self, c->home);
}

static void enter(void)
{
	struct co *c;

	__asm__ volatile("movq %%rbx, %0" : "=r"(c));
	body(c);
}

static void context_enters(int number)
{
	body(&all[number]);
}

static void make(int number, char *stack)
{
	struct co *c = &all[number];
	void **sp = (void **)(((uintptr_t)stack + SIZE) & ~15UL) - 1;

	c->number = number;
	getcontext(&c->self.context);
	c->self.context.uc_stack.ss_sp = stack;
	c->self.context.uc_stack.ss_size = SIZE;
	makecontext(&c->self.context, (void (*)(void))context_enters, 1, number);
	if (how == 'u')
		return;
	/* rbp, rbx, r12 to r15 and where to go */
	*--sp = (void *)enter;
	*--sp = NULL;
	*--sp = c;
	for (int i = 0; i < 4; i++)
		*--sp = NULL;
	c->self.sp = sp;
}

/* One that nobody runs; NULL: all are through.  Tries again if all are being run. */
static struct co *take(unsigned int *seed, struct side *home)
{
	struct co *found = NULL;
	int left = 1;

	while (left && !found) {
		unsigned int from = (unsigned int)rand_r(seed);

		left = 0;
		pthread_mutex_lock(&mutex);
		for (unsigned int i = 0; i < N && !found; i++) {
			struct co *c = &all[(from + i) % N];

			left |= !c->through;
			if (!c->through && !c->busy)
				found = c;
		}
		if (found) {
			found->busy = 1;
			found->home = home;
		}
		pthread_mutex_unlock(&mutex);
	}
	return found;
}

static __attribute__((noinline)) void *run(void *seed_of)
{
	unsigned int seed = (unsigned int)(uintptr_t)seed_of;
	struct side home;
	struct co *c;

	memset(&home, 0, sizeof(home));
	while ((c = take(&seed, &home))) {
		go(&home, &c->self);
		put("d");
		pthread_mutex_lock(&mutex);
		c->busy = 0;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	char on_main[N][SIZE] __attribute__((aligned(64)));
	pthread_t threads[M];
	int n = argc > 3 ? atoi(argv[3]) : 0;

	if (argc < 4 || n > M)
		return 99;
	how = argv[1][0];
	fd = open("/dev/null", O_WRONLY);
	for (int i = 0; i < N; i++)
		make(i, *argv[2] == 'm' ? on_main[i] : malloc(SIZE));
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)(i + 1)))
			return 97;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	if (!n)
		run((void *)(uintptr_t)getpid());
	printf("%ld %ld\n", n_write, n_fwrite);
	return n_fwrite == N * TURNS ? 0 : 1;
}
