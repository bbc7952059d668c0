/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.c - which system call a site makes.
 *
 * A small forward data flow analysis within the function: for each register
 * the numbers that it may hold, at most NUMBERS_MAX, or "anything".  It errs on
 * one side only.  Registers hold anything where the function is entered, at
 * places that other functions, data or jump tables refer to, and where no way
 * is known to lead; what isn't understood makes a register hold anything.
 */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "audit.h"

#define N_REGS 17 /* and the word that was pushed last */
#define PUSHED 16
#define ANYTHING 0xff
#define LEADER_ANYTHING 1 /* led to by what isn't followed: jump tables, other functions */
#define LEADER_JUMP 2
#define BLOCKS_MAX 65536 /* more: each block is looked at by itself */

struct value {
	uint8_t n;		 /* 0: nothing yet, ANYTHING */
	uint32_t v[NUMBERS_MAX]; /* the kernel looks at 32 bits */
};

struct state {
	struct value r[N_REGS];
};

struct block {
	uint32_t first; /* step */
	uint32_t n_steps;
	bool queued;
	bool reached;
};

struct flow_graph {
	const struct func *f;
	struct step *steps;
	size_t n_steps;
	uint8_t *leaders; /* by offset: LEADER_* */
	struct block *blocks;
	struct state *in; /* at the start of each block; NULL: BLOCKS_MAX exceeded */
	size_t n_blocks;
	uint32_t *queue;
	size_t n_queue;
};

static void forget(struct value *v)
{
	v->n = ANYTHING;
}

/* What may be in either; true if dst has grown. */
static bool merge(struct value *dst, const struct value *src)
{
	bool grown = false;
	uint8_t i, k;

	if (dst->n == ANYTHING || !src->n)
		return false;
	if (src->n == ANYTHING) {
		forget(dst);
		return true;
	}
	for (i = 0; i < src->n; i++) {
		for (k = 0; k < dst->n && dst->v[k] != src->v[i]; k++)
			;
		if (k < dst->n)
			continue;
		grown = true;
		if (dst->n == NUMBERS_MAX) {
			forget(dst);
			return true;
		}
		dst->v[dst->n++] = src->v[i];
	}
	return grown;
}

static void apply(struct state *st, const struct step *s)
{
	const struct value src = st->r[s->src], dst = st->r[s->dst], pushed = st->r[PUSHED];
	struct value *to = &st->r[s->dst];
	uint8_t i;

	for (i = 0; i < 16; i++)
		if (s->writes & (1u << i))
			forget(&st->r[i]);
	if (s->stack)
		forget(&st->r[PUSHED]);
	switch (s->op) {
	case OP_CONST:
		*to = (struct value){.n = 1, .v = {s->imm}};
		break;
	case OP_COPY:
		*to = src;
		for (i = 0; src.n != ANYTHING && i < src.n; i++)
			to->v[i] += (uint32_t)s->imm;
		break;
	case OP_MERGE:
		*to = dst;
		merge(to, &src);
		break;
	case OP_PUSH_CONST:
		st->r[PUSHED] = (struct value){.n = 1, .v = {s->imm}};
		break;
	case OP_PUSH:
		st->r[PUSHED] = src;
		break;
	case OP_POP:
		*to = pushed;
		break;
	}
}

/* Which block begins at, or holds, the offset. */
static size_t block_at(const struct flow_graph *g, uint32_t off)
{
	size_t lo = 0, hi = g->n_blocks;

	while (lo + 1 < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->steps[g->blocks[mid].first].off <= off)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static void enter(struct flow_graph *g, size_t b, const struct state *st)
{
	struct block *to = &g->blocks[b];
	bool grown = !to->reached;
	int i;

	to->reached = true;
	for (i = 0; i < N_REGS; i++)
		grown |= merge(&g->in[b].r[i], &st->r[i]);
	if (grown && !to->queued) {
		to->queued = true;
		g->queue[g->n_queue++] = b;
	}
}

static void forget_all(struct state *st)
{
	int i;

	for (i = 0; i < N_REGS; i++)
		forget(&st->r[i]);
}

static void enter_with_anything(struct flow_graph *g, size_t b)
{
	struct state st;

	forget_all(&st);
	enter(g, b, &st);
}

static void leave(struct flow_graph *g, size_t b, const struct state *st)
{
	const struct step *last = &g->steps[g->blocks[b].first + g->blocks[b].n_steps - 1];

	if (last->flow == FLOW_BRANCH || last->flow == FLOW_JUMP)
		enter(g, block_at(g, last->target), st);
	if ((last->flow == FLOW_NEXT || last->flow == FLOW_BRANCH) && b + 1 < g->n_blocks)
		enter(g, b + 1, st);
}

static void run(struct flow_graph *g)
{
	while (g->n_queue) {
		size_t b = g->queue[--g->n_queue], i;
		struct state st = g->in[b];

		g->blocks[b].queued = false;
		for (i = 0; i < g->blocks[b].n_steps; i++)
			apply(&st, &g->steps[g->blocks[b].first + i]);
		leave(g, b, &st);
	}
}

/* The instruction that the offset is in. */
static size_t step_at(const struct flow_graph *g, uint32_t off)
{
	size_t lo = 0, hi = g->n_steps;

	while (lo + 1 < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->steps[mid].off <= off)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Something leads to the offset.  If that is the middle of an instruction, it
 * is the whole instruction that must begin a block; unless all that is skipped
 * is a lock prefix, as libc does, there may be anything in the registers.
 */
static void mark_leader(struct flow_graph *g, uint32_t off, uint8_t how)
{
	size_t lo = step_at(g, off);

	if (off - g->steps[lo].off > 1)
		how = LEADER_ANYTHING;
	g->leaders[g->steps[lo].off] |= how;
}

/*
 * A number that lies in the function may be an address.  In the middle of an instruction it
 * is none, but text or a count that happens to be as large: linkers that begin at 2 MiB
 * have code at addresses that are three letters.
 */
static bool may_be_address(const struct flow_graph *g, uint32_t off)
{
	return off - g->steps[step_at(g, off)].off <= 1;
}

static void cut_blocks(struct flow_graph *g)
{
	bool begins = true;
	uint32_t off;
	size_t i;

	for (off = 0; off < g->f->end - g->f->start; off++)
		if (g->leaders[off] & LEADER_ANYTHING && may_be_address(g, off))
			mark_leader(g, off, LEADER_ANYTHING);
	for (i = 0; i < g->n_steps; i++)
		if (g->steps[i].flow == FLOW_BRANCH || g->steps[i].flow == FLOW_JUMP)
			mark_leader(g, g->steps[i].target, LEADER_JUMP);
	for (i = 0; i < g->n_steps; i++) {
		struct block *b;

		if (begins || g->leaders[g->steps[i].off]) {
			g->blocks = iot_audit_grow(g->blocks, g->n_blocks, sizeof(*b));
			b = &g->blocks[g->n_blocks++];
			*b = (struct block){.first = i};
		}
		g->blocks[g->n_blocks - 1].n_steps++;
		begins = g->steps[i].flow != FLOW_NEXT;
	}
}

/* Padding in front of a place that is jumped to: nothing comes that way. */
static bool is_padding(const struct flow_graph *g, const struct block *b)
{
	uint32_t i;

	for (i = b->first; i < b->first + b->n_steps; i++)
		if (!g->steps[i].nop)
			return false;
	return true;
}

static void solve(struct flow_graph *g)
{
	size_t i;

	if (g->n_blocks > BLOCKS_MAX)
		return;
	g->in = iot_audit_alloc(g->n_blocks, sizeof(*g->in));
	g->queue = iot_audit_alloc(g->n_blocks, sizeof(*g->queue));
	enter_with_anything(g, 0);
	for (i = 0; i < g->n_blocks; i++)
		if (g->leaders[g->steps[g->blocks[i].first].off] & LEADER_ANYTHING)
			enter_with_anything(g, i);
	run(g);
	/* Landing pads, and what follows calls that never return. */
	for (i = 0; i < g->n_blocks; i++) {
		if (g->blocks[i].reached || is_padding(g, &g->blocks[i]))
			continue;
		enter_with_anything(g, i);
		run(g);
	}
	free(g->queue);
}

/* A site's step is the last one: what is in rax when it is reached? */
static void read_number(const struct flow_graph *g, struct site *site)
{
	uint32_t off = site->addr - g->f->start;
	const struct block *b = &g->blocks[block_at(g, off)];
	struct state st;
	uint8_t i, k, n = 0;
	uint32_t s;

	if (g->in)
		st = g->in[b - g->blocks];
	else
		forget_all(&st);
	for (s = b->first; s < b->first + b->n_steps && g->steps[s].off < off; s++)
		apply(&st, &g->steps[s]);
	if (st.r[0].n == ANYTHING)
		return;
	for (i = 0; i < st.r[0].n; i++) {
		for (k = 0; k < n && site->numbers[k] != st.r[0].v[i]; k++)
			;
		if (k == n)
			site->numbers[n++] = st.r[0].v[i];
	}
	site->n_numbers = n;
}

static void analyse(struct audit *a, const struct func *f, struct site *sites, size_t n_sites)
{
	struct flow_graph g = {.f = f};
	uint32_t i;
	size_t k;

	g.leaders = iot_audit_alloc(f->end - f->start, 1);
	g.n_steps = iot_audit_decode(a, f, &g.steps, g.leaders);
	for (i = f->first_ref; i < f->first_ref + f->n_refs; i++)
		g.leaders[a->refs[i].target - f->start] |= LEADER_ANYTHING;
	cut_blocks(&g);
	solve(&g);
	for (k = 0; k < n_sites; k++)
		read_number(&g, &sites[k]);
	free(g.leaders);
	free(g.steps);
	free(g.blocks);
	free(g.in);
}

void iot_audit_numbers(struct audit *a)
{
	size_t i, n;

	for (i = 0; i < a->n_sites; i += n) {
		const struct func *f = &a->funcs[a->sites[i].func];

		for (n = 1; i + n < a->n_sites && a->sites[i + n].func == a->sites[i].func; n++)
			;
		analyse(a, f, &a->sites[i], n);
	}
}
