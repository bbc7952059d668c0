/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h - the tracer's parts. */
#ifndef STEP_H
#define STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "board.h"

/* ---- tracee.c: the program under ptrace ---- */

/* Starts it, stopped at its first instruction; argv[0] is its file. */
void tracee_start(char **argv);
/* On to the next mark. */
enum mark tracee_to_mark(void);
/* One instruction; 0, or the mark that it was. */
int tracee_step(void);
/* The same, but a handler for the signal begins instead. */
void tracee_signal_step(int sig);
/* The signal is delivered here, and the program goes on to the next mark. */
enum mark tracee_signal_to_mark(int sig);
/* On until the instruction at pc is to be run for the n-th time (from 0) or there is a
   mark, which is returned; else 0. */
int tracee_to(uint64_t pc, uint32_t n);
uint64_t tracee_pc(void);
/* If a handler begins here, on until it has returned. */
bool tracee_handler_returns(uint64_t handler);
/* If a system call comes next, with its arguments; -1: none. */
long tracee_syscall(uint64_t arg[4]);
size_t tracee_read(uint64_t from, void *to, size_t size);
pid_t tracee_pid(void);
void tracee_kill(void);

void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- check.c: what a log must say of the calls on the board ---- */

/* A call as a log has it. */
struct seen {
	uint64_t ticks, start, end; /* end: ns, as start; of unfinished ones UINT64_MAX */
	uint64_t back;		    /* when owner returned to the program, ns */
	uint64_t size, offset;	    /* BOARD_ANY: not there */
	int64_t ret;
	uint64_t stack; /* hash of its addresses, 0: none */
	uint32_t tid, depth, stream;
	int err, fd;
	int owner; /* the call on the board by or within which it was made, -1: none */
	int op;	   /* the call on the board that it is, -1: none */
	uint32_t handler; /* handlers around it */
	uint8_t status;
	bool has_ret, internal;
	char name[24];
	char path[40]; /* its end */
};

struct view {
	struct seen *seen;
	size_t n;
	bool readable; /* there is a log */
};

/* The log's calls by start.  Damage and losses are errors. */
struct view view_log(const void *data, size_t size, const struct board *b, const char *when);
/* The log of a whole run: every call once, right and rightly nested. */
void view_check(const struct view *v, const struct board *b);
void view_print(const struct view *v, size_t from, size_t to);

/* ---- kill.c, signal.c ---- */

/* What is common to both. */
struct run {
	struct board *board;
	const char *logs; /* their directory */
	const char *name; /* for messages */
	uint64_t low, high; /* addresses of the instructions at which signals come; 0: all */
};
int find_log(const struct run *run);
void kill_everywhere(struct run *run, bool all);
void signal_everywhere(struct run *run, const char *how, unsigned stride);

/* An error that leaves the test going. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern unsigned n_wrong;

#endif
