/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal.c - handlers that make calls of their own at each instruction of the recorder:
 *
 *	signal	the pattern is made again and again: the k-th time, a signal comes
 *		at its k-th instruction
 *	jump	the same, and the handler leaves by siglongjmp
 *	look	the same, at instructions from LOW to HIGH alone, and the log is looked at while
 *		the first call after the jump is in progress
 *	deep	the same, and a second signal comes somewhere in the handler
 *	within	a signal at every instruction of one and the same run of the pattern
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

#define WARM_UP 10
#define MAX_TRACE 400000

/* An instruction of the pattern: the n-th time (from 0) that it is run. */
struct place {
	uint64_t pc;
	uint32_t n;
};

static struct place *trace;
static size_t n_trace;
static uint64_t random_state = 88172645463325252u;

static uint64_t some(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

static int by_pc(const void *a, const void *b)
{
	const struct place *const *x = a, *const *y = b;

	if ((*x)->pc != (*y)->pc)
		return (*x)->pc < (*y)->pc ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The program is at the beginning of the pattern; afterwards at its end. */
static void take_trace(void)
{
	struct place **sorted;

	n_trace = 0;
	trace = calloc(MAX_TRACE, sizeof(*trace));
	sorted = calloc(MAX_TRACE, sizeof(*sorted));
	if (!trace || !sorted)
		die("out of memory");
	do {
		if (n_trace == MAX_TRACE)
			die("the pattern is too long");
		sorted[n_trace] = &trace[n_trace];
		trace[n_trace++].pc = tracee_pc();
	} while (tracee_step() != MARK_END);
	qsort(sorted, n_trace, sizeof(*sorted), by_pc);
	for (size_t i = 1; i < n_trace; i++)
		if (sorted[i]->pc == sorted[i - 1]->pc)
			sorted[i]->n = sorted[i - 1]->n + 1;
	free(sorted);
}

static void to_begin(enum mark m)
{
	while (m != MARK_BEGIN) {
		if (m == MARK_DONE)
			die("the program ended too early");
		m = tracee_to_mark();
	}
}

/* The model of all runs: what a busy machine makes the recorder do besides is not in the
   shortest of some, fewer where one takes long. */
static void take_model(void)
{
	struct place *shortest = NULL;
	size_t n = 0;

	for (int i = 0; i < (n > 20000 ? 3 : 5); i++) {
		if (i)
			to_begin(MARK_END);
		take_trace();
		if (!shortest || n_trace < n) {
			free(shortest);
			shortest = trace;
			n = n_trace;
		} else {
			free(trace);
		}
	}
	trace = shortest;
	n_trace = n;
}

/* Only calls are interrupted, not the program's own account of them. */
static bool in_call(const struct board *b)
{
	return b->current && !b->writing;
}

/* Somewhere into the handler that begins here, or beyond it; or to a mark. */
static enum mark in_handler(const struct board *b)
{
	int m = 0;

	for (uint64_t n = some(300); !m && (n || !in_call(b)); n -= n > 0)
		m = tracee_step();
	return (enum mark)m;
}

/* What the log holds now; with the board, against what that says. */
static void look(const struct run *run, const struct board *b)
{
	int fd = find_log(run);
	struct stat st;
	struct view v;
	void *map;

	if (fd < 0 || fstat(fd, &st) < 0)
		die("%s: there is no log", run->name);
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("the log cannot be mapped");
	v = view_log(map, (size_t)st.st_size, run->board, "the log");
	if (b)
		view_check(&v, b);
	free(v.seen);
	munmap(map, (size_t)st.st_size);
	close(fd);
}

/* In the first call after a jump; returns the next mark. */
static enum mark look_within(const struct run *run)
{
	uint64_t arg[4];
	int m = 0;

	while (!m && tracee_syscall(arg) != SYS_pwrite64)
		m = tracee_step();
	if (m)
		wrong("there was no call after a jump");
	else
		look(run, NULL);
	return m ? (enum mark)m : tracee_to_mark();
}

/* Returns how often the pattern was left before that instruction came. */
static size_t each_instruction(struct run *run, bool jump, bool deep, unsigned stride)
{
	size_t missed = 0;
	enum mark m = MARK_END;

	run->board->jump = jump;
	for (size_t k = some(stride); k < n_trace; k += stride) {
		/* a long copy is one instruction, or a short loop */
		if (trace[k].n > 100 || (run->high && (trace[k].pc < run->low || trace[k].pc >= run->high)))
			continue;
		to_begin(m);
		m = (enum mark)tracee_to(trace[k].pc, trace[k].n);
		missed += m != 0;
		if (m || !in_call(run->board))
			continue;
		if (deep) {
			tracee_signal_step(SIGUSR1);
			m = in_handler(run->board);
		}
		if (!m)
			m = tracee_signal_to_mark(deep ? SIGUSR2 : SIGUSR1);
		if (run->high && m == MARK_LEFT)
			m = look_within(run);
	}
	to_begin(m);
	return missed;
}

/* The recorder blocks signals now and then: a handler may begin later. */
static void all_of_one(const struct run *run, unsigned stride)
{
	do {
		if (n_trace++ % stride == 0 && in_call(run->board))
			tracee_signal_step(SIGUSR1);
		while (tracee_handler_returns(run->board->handler))
			;
	} while (tracee_step() != MARK_END);
	to_begin(MARK_END);
}

void signal_everywhere(struct run *run, const char *how, unsigned stride)
{
	const struct board *b = run->board;
	const bool looks = !strcmp(how, "look");
	size_t missed = 0;
	uint32_t handlers = 0;

	/* Times of calls count from where they last began to; that comes more seldom
	   the longer the program runs, and not within most runs of the pattern then. */
	for (int i = 0; i < WARM_UP; i++) {
		to_begin(tracee_to_mark());
		usleep(120u << i);
	}
	to_begin(tracee_to_mark());
	if (!strcmp(how, "within")) {
		all_of_one(run, stride);
	} else {
		take_model();
		missed = each_instruction(run, looks || !strcmp(how, "jump"), !strcmp(how, "deep"), stride);
	}
	tracee_kill();
	/* what was left may have said that it won't return */
	look(run, looks ? NULL : b);
	for (uint32_t i = 0; i < b->n; i++)
		handlers += b->op[i].handler > 0;
	printf("# %s %s: %zu instructions, %zu not met again, %u calls, %u of them handlers', %u jumps\n",
	       how, run->name, n_trace, missed, b->n, handlers, b->jumps);
	if (!handlers && !b->jumps)
		wrong("no handler came");
	if (missed * 2 > n_trace / stride)
		wrong("%zu of %zu instructions were not met again", missed, n_trace / stride);
}
