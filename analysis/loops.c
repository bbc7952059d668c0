/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loops.c - which of a stack's calls lie in loops.
 *
 * Stacks do not tell who repeats a call if a helper has one caller: they are all the same.  The
 * machine code does: the call, or the call of the function that makes it, is in a loop.  Where
 * functions were expanded in others, the jump back to the loop's begin has a line: the innermost of
 * these functions that has both, the call and the jump, has the loop.
 */
#include "config.h"

#include <elf.h>
#include <search.h>
#include <stdlib.h>

#include "code.h"
#include "spots.h"

static const struct iota_loop_at unknown = {IOTA_LOOP_UNKNOWN, false};

struct function {
	const unsigned char *bytes;
	struct iota_code *code; /* NULL: it can't be told */
};

struct known {
	const struct iotr_frame *frame;
	struct iota_loop_at loop;
};

static int by_bytes(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int by_frame(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return (x->frame > y->frame) - (x->frame < y->frame);
}

static const struct iota_code *code_of(struct iota *a, const struct iotr_machine_code *machine)
{
	struct function like = {machine->bytes, NULL}, **there, *new;

	if (machine->machine != EM_X86_64)
		return NULL;
	there = tfind(&like, &a->loops.functions, by_bytes);
	if (there)
		return (*there)->code;
	new = iota_malloc(sizeof(*new));
	*new = (struct function){machine->bytes, iota_code_new(machine->bytes, machine->size)};
	iota_tree_add(&a->loops.functions, new, by_bytes);
	return new->code;
}

static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && !strcmp(x, y));
}

#define EXPANDED 64

/* Outermost first. */
static unsigned expanded(const struct iotr_frame *f, const struct iotr_frame *at[EXPANDED])
{
	unsigned n = 0, i;

	for (; f && n < EXPANDED; f = f->outer)
		at[n++] = f;
	for (i = 0; i < n / 2; i++) {
		const struct iotr_frame *swap = at[i];

		at[i] = at[n - 1 - i];
		at[n - 1 - i] = swap;
	}
	return n;
}

/* How many functions, from the one that all is expanded in inwards, have both: one is expanded
   again where its caller has the same line. */
static unsigned in_common(const struct iotr_frame *x, const struct iotr_frame *y)
{
	const struct iotr_frame *of_x[EXPANDED], *of_y[EXPANDED];
	unsigned n = expanded(x, of_x), m = expanded(y, of_y), k = 0;

	while (k < n && k < m && same_text(of_x[k]->func, of_y[k]->func) &&
	       (!k || (of_x[k - 1]->line == of_y[k - 1]->line &&
		       same_text(of_x[k - 1]->file, of_y[k - 1]->file))))
		k++;
	return k;
}

static int level_of(struct iotr_log *log, const struct iotr_stack *stack, uint32_t n,
		    const struct iota_code *code, size_t at, const struct iota_loop *loop)
{
	const struct iotr_frame *call = iotr_log_frame(log, stack, n), *f;
	unsigned common = 1, levels = 0, k;
	size_t i;

	for (f = call; f; f = f->outer)
		levels++;
	for (i = 0; i < loop->n_latches && levels > 1; i++) {
		/* a frame's line is that of the byte before its address */
		int64_t bytes = (int64_t)code->insn[loop->latch[i]].at + 1 - (int64_t)at;

		k = in_common(call, iotr_log_frame_beside(log, stack, n, bytes));
		common = k > common ? k : common;
	}
	return (int)(levels - common);
}

/* What is seldom done has been moved away from its function, and the way back leads elsewhere. */
static bool is_part(const struct iotr_frame *f)
{
	while (f->outer)
		f = f->outer;
	return f->func && strstr(f->func, ".cold");
}

static struct iota_loop_at find(struct iota *a, struct iotr_log *log,
				const struct iotr_stack *stack, uint32_t n)
{
	struct iotr_machine_code machine;
	const struct iota_code *code;
	const struct iota_loop *loop;
	uint32_t call;

	if (!iotr_log_machine_code(log, stack, n, &machine) ||
	    is_part(iotr_log_frame(log, stack, n)))
		return unknown;
	code = code_of(a, &machine);
	call = code ? iota_insn_before(code, machine.at) : IOTA_NOWHERE;
	if (call == IOTA_NOWHERE || !code->insn[call].is_call || !code->reached[call])
		return unknown;
	loop = iota_loop_around(code, call);
	return (struct iota_loop_at){loop ? level_of(log, stack, n, code, machine.at, loop)
					  : IOTA_LOOP_NONE,
				     iota_is_made_always(code, call, loop)};
}

struct iota_loop_at iota_loop_at(struct iota *a, struct iotr_log *log,
				 const struct iotr_stack *stack, uint32_t n)
{
	struct known like = {iotr_log_frame(log, stack, n), unknown}, **there, *new;

	if (!like.frame || like.frame->language)
		return unknown;
	there = tfind(&like, &a->loops.frames, by_frame);
	if (there)
		return (*there)->loop;
	new = iota_malloc(sizeof(*new));
	*new = like;
	new->loop = find(a, log, stack, n);
	iota_tree_add(&a->loops.frames, new, by_frame);
	return new->loop;
}

static void free_function(void *p)
{
	struct function *f = p;

	iota_code_free(f->code);
	free(f);
}

void iota_loops_forget(struct iota *a)
{
	tdestroy(a->loops.functions, free_function);
	tdestroy(a->loops.frames, free);
	a->loops = (struct iota_loops){0};
}
