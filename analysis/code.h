/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code.h - a function's machine code: its instructions (code.c), and its loops (flow.c).
 * Nothing here knows of logs; loops.c does.
 */
#ifndef IOTA_CODE_H
#define IOTA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IOTA_NOWHERE UINT32_MAX

struct iota_insn {
	uint32_t at; /* bytes behind the function's begin */
	uint32_t to; /* number of the instruction that it may jump to; IOTA_NOWHERE: none in the
			function */
	uint64_t loads, stores; /* a place in memory, as the instruction names it; 0: none */
	uint16_t reads, writes; /* general registers: bits of their numbers in the encoding */
	bool is_call, jumps;
	bool stops;    /* what follows it in memory does not follow it in time */
	bool anywhere; /* jumps to an address that is worked out */
	bool leaves;   /* the function, by returning or by a jump */
	bool is_nop;
	bool interrupted; /* asks whether errno is EINTR */
};

/* The instructions that lie between a head and jumps back to it: the head is passed on each turn.
 */
struct iota_loop {
	uint32_t head, size; /* instructions */
	uint32_t *latch;     /* those that go back to the head */
	size_t n_latches;
	uint64_t *body; /* a bit for each instruction of the function */
};

struct iota_code {
	struct iota_insn *insn;
	size_t n;
	struct iota_loop *loop; /* inner ones first */
	size_t n_loops;
	bool *reached; /* by a way through the function that is known */
};

/* ---- code.c ---- */

/* x86-64 alone; NULL: not all of it is code, or it is too long.  To be freed by iota_code_free().
 */
struct iota_code *iota_code_new(const unsigned char *bytes, size_t size);
void iota_code_free(struct iota_code *code);
/* The instruction that ends there; IOTA_NOWHERE: none does. */
uint32_t iota_insn_before(const struct iota_code *code, size_t at);

/* ---- flow.c ---- */

/* false: there are too many */
bool iota_loops_find(struct iota_code *code);
/* The innermost loop that makes the call again, once it has done all that it was asked; NULL: none.
 */
const struct iota_loop *iota_loop_around(const struct iota_code *code, uint32_t call);
/* Is the call made on each turn of the loop; or, with none, whenever the function is called and
 * returns? */
bool iota_is_made_always(const struct iota_code *code, uint32_t call, const struct iota_loop *loop);
void iota_loops_free(struct iota_code *code);

#endif
