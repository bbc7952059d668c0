/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * within.c - WAY <ADDRESSES: a handler submits a request to a ring, at one instruction of a call that
 * only looks (looks), or that submits one itself (submits), and waits for both.  Each instruction
 * has its own call, with a breakpoint in its place; ADDRESSES has them as objdump prints them.
 * Prints how many requests there were.  Exit status 77: there is no such ring, or this processor or
 * system has no such breakpoints.
 */
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
#define ENTRIES 8

static struct io_uring_params params;
static char *queues;
static struct io_uring_sqe *sqes;
static int ring;
static long submitted;

extern char __executable_start, etext;
static unsigned char *where, instruction;

static unsigned *word(uint32_t offset)
{
	return (unsigned *)(void *)(queues + offset);
}

static void publish(void)
{
	unsigned tail = *word(params.sq_off.tail);

	sqes[tail % ENTRIES] = (struct io_uring_sqe){ .opcode = IORING_OP_NOP, .user_data = (uint64_t)++submitted };
	word(params.sq_off.array)[tail % ENTRIES] = tail % ENTRIES;
	__atomic_store_n(word(params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
}

static void enter(unsigned most)
{
	syscall(SYS_io_uring_enter, ring, most, 0, IORING_ENTER_GETEVENTS, NULL, 0);
}

static void trap(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info;
	*where = instruction;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]--;
	/* the interrupted call's too, if it has come no further */
	publish();
	enter(2);
}

/* A call, and another, for which nothing may be left over; returns how many completed. */
static unsigned call(int submits)
{
	unsigned head = *word(params.cq_off.head);

	if (submits)
		publish();
	enter((unsigned)submits);
	enter(0);
	*word(params.cq_off.head) = __atomic_load_n(word(params.cq_off.tail), __ATOMIC_ACQUIRE);
	return *word(params.cq_off.head) - head;
}

static int is_writable(void)
{
	char *from = (char *)((uintptr_t)&__executable_start & ~4095UL);

	return !mprotect(from, (size_t)(&etext - from), PROT_READ | PROT_WRITE | PROT_EXEC);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = trap, .sa_flags = SA_SIGINFO };
	int submits = argc > 1 && !strcmp(argv[1], "submits");
	long ended = 0;
	char line[32];

	ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
	if (ring < 0 || !(params.features & IORING_FEAT_SINGLE_MMAP) || !is_writable())
		return 77;
	queues = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, ENTRIES * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	if (queues == MAP_FAILED || sqes == MAP_FAILED || sigaction(SIGTRAP, &action, NULL))
		return 1;
	ended += call(submits);
	while (fgets(line, sizeof(line), stdin)) {
		where = (unsigned char *)strtoul(line, NULL, 16);
		/* of one that may lie anywhere, from its beginning */
		if ((char *)where < &__executable_start)
			where += (uintptr_t)&__executable_start;
		instruction = *where;
		*where = 0xcc;
		ended += call(submits);
		*where = instruction;
	}
	printf("%ld\n", submitted);
	return ended != submitted;
}
#else
int main(void)
{
	return 77;
}
#endif
