/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.c - page faults on a mapped file, by functions that call each other; says of each fault
 * which functions, and which lines of them, are on the stack, from the innermost one on:
 *
 *	OFFSET STEP FUNCTION:LINE ...
 *
 * stacks FILE, which has SIZE bytes.  A read maps what else lies within AROUND.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE   (4L << 20)
#define AROUND (64L << 10)
#define MOST   16

static struct {
	const char *function;
	int line;
} on[MOST];
static int pipe_to[2];
static volatile char sink;
static char *mapped, *next;

/* Functions of their own, that come back to what has called. */
#define OWN    __attribute__((noinline, noclone))
#define AT(n, ...) (on[n].function = __func__, on[n].line = __LINE__, __VA_ARGS__)
#define RETURN __asm__ volatile("" : : : "memory")

static void say(const char *step, int n)
{
	printf("%ld %s", (long)(next - mapped), step);
	while (n--)
		printf(" %s:%d", on[n].function, on[n].line);
	printf("\n");
	fflush(stdout);
}

static OWN void indexes(char *p)
{
	AT(3, sink = *(volatile char *)p);
}

static OWN void stores(char *p)
{
	AT(3, *(volatile char *)p = 1);
}

static OWN void copies(char *p)
{
	static char to[4000];

	AT(3, memcpy(to, p, sizeof(to) - (size_t)sink % 2));
	RETURN;
}

static OWN void searches(char *p)
{
	AT(3, sink = memchr(p, 'z', 4000 - (size_t)sink % 2) != NULL);
	RETURN;
}

static OWN void writes(char *p)
{
	AT(3, sink = (char)write(pipe_to[1], p, 1));
	RETURN;
}

static OWN void spacious(char *p)
{
	volatile char much[8192];

	AT(4, much[sink & 1] = *p);
	sink = much[sink & 1];
}

static OWN void deep(char *p)
{
	AT(3, spacious(p));
	RETURN;
}

static OWN void passes(void (*f)(char *), char *p)
{
	volatile char some[40];

	some[sink & 1] = 1;
	AT(2, f(p));
	sink = some[sink & 1];
}

static OWN void step(const char *name, void (*f)(char *))
{
	AT(1, passes(f, next));
	RETURN;
	say(name, f == deep ? 5 : 4);
	next += AROUND;
}

static OWN void steps(void)
{
	AT(0, step("indexes", indexes));
	AT(0, step("stores", stores));
	AT(0, step("copies", copies));
	AT(0, step("searches", searches));
	AT(0, step("writes", writes));
	AT(0, step("deep", deep));
	RETURN;
}

static void *thread(void *unused)
{
	steps();
	RETURN;
	return unused;
}

int main(int argc, char **argv)
{
	int fd = open(argv[argc - 1], O_RDWR);
	pthread_t t;

	next = mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED || pipe(pipe_to) < 0)
		return 99;
	steps();
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	if (fork() == 0) {
		steps();
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
