/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * board.h - what the stepped program tells its tracer, in memory that both share:
 * every call that it makes, with the values that its record must have.  The
 * program fills in a line before and after the call, so that what the board says
 * is true at every instruction.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_OPS 40000
#define BOARD_ANY UINT64_MAX /* not known, or none */

/* Marks: an int3 with one of these in rax. */
enum mark {
	MARK_BEGIN = 0x10, /* the pattern begins */
	MARK_END,	   /* and is through */
	MARK_DONE,	   /* all is done */
	MARK_LEFT,	   /* a jump has left it; a call follows */
};

enum { OP_BEGUN = 1, OP_DONE, OP_LEFT };

/* A call. */
struct op {
	uint32_t state;	 /* OP_LEFT: a jump out of a handler left it */
	uint32_t inside; /* in a handler: 1 + the call that was interrupted, 0 = none */
	uint64_t before, after; /* ticks */
	uint64_t size, offset;	/* BOARD_ANY: not to be checked */
	int64_t ret;
	uint16_t handler;  /* handlers around it */
	uint16_t numbered; /* by its offset */
	uint16_t unsure;  /* a handler moved the descriptor's offset meanwhile */
	char name[16];
	char path[12]; /* how it ends; "": not to be checked */
};

struct board {
	uint64_t handler; /* its address */
	uint32_t n;	  /* calls begun, by the program and its handlers */
	uint32_t n_done;  /* of the program, those that have returned */
	uint32_t current; /* 1 + the call in progress */
	uint32_t writing; /* what is here is being changed: no time for a signal */
	uint32_t depth;	  /* handlers in progress */
	uint32_t jump;	  /* by now handlers jump */
	uint32_t jumps;
	struct op op[BOARD_OPS];
};

#endif
