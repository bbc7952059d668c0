/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.c - the loops of a function, and which of them makes a call again.
 *
 * A loop is what lies between a jump back and the instruction that it goes to.  Not each loop
 * around a call repeats it: one that goes on after a short write has what is left of its data, or
 * what a signal has interrupted, makes one transfer in most cases, and whoever asked for that
 * decides how many there are.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "constellation.h"

#define MAX_BITS (1ull << 28) /* of all loops' bodies */

/* ---- the ways through a function ---- */

struct ways {
	const struct iota_code *code;
	/* no jump that names its target leads there: those that work it out may */
	uint32_t *orphan;
	size_t n_orphans;
	/* those before instruction i: before[first[i]] to before[first[i + 1]] */
	uint32_t *before, *first;
};

/* The k-th instruction that i may go on with; IOTA_NOWHERE: none, but there may be more;
   false: there are no more. */
static bool next_of(const struct ways *w, uint32_t i, size_t k, uint32_t *next)
{
	const struct iota_insn *in = &w->code->insn[i];

	if (k >= 2 + (in->anywhere ? w->n_orphans : 0))
		return false;
	*next = k >= 2 ? w->orphan[k - 2] : k ? in->to : in->stops ? IOTA_NOWHERE : i + 1;
	return true;
}

static void find_orphans(struct ways *w)
{
	const struct iota_code *code = w->code;
	bool *named = iota_grow(NULL, code->n, sizeof(*named));
	size_t i, cap = 0;
	bool open = false; /* nothing goes on here so far */

	memset(named, 0, code->n);
	for (i = 0; i < code->n; i++)
		if (code->insn[i].to != IOTA_NOWHERE)
			named[code->insn[i].to] = true;
	for (i = 0; i + 1 < code->n; i++) {
		const struct iota_insn *in = &code->insn[i];

		if (open && !named[i] && !in->is_nop) {
			IOTA_ROOM(w->orphan, w->n_orphans, cap);
			w->orphan[w->n_orphans++] = (uint32_t)i;
		}
		open = in->stops || (open && in->is_nop && !named[i]);
	}
	free(named);
}

static void find_before(struct ways *w)
{
	size_t n = w->code->n, k;
	uint32_t i, next, *at;

	w->first = iota_grow(NULL, n + 1, sizeof(*w->first));
	memset(w->first, 0, (n + 1) * sizeof(*w->first));
	for (i = 0; i < n; i++)
		for (k = 0; next_of(w, i, k, &next); k++)
			if (next != IOTA_NOWHERE)
				w->first[next + 1]++;
	for (i = 0; i < n; i++)
		w->first[i + 1] += w->first[i];
	w->before = iota_grow(NULL, w->first[n] + 1, sizeof(*w->before));
	at = iota_grow(NULL, n, sizeof(*at));
	memcpy(at, w->first, n * sizeof(*at));
	for (i = 0; i < n; i++)
		for (k = 0; next_of(w, i, k, &next); k++)
			if (next != IOTA_NOWHERE)
				w->before[at[next]++] = i;
	free(at);
}

/* ---- loops ---- */

struct jumps_back {
	struct jump_back {
		uint32_t from, to;
	} *jump;
	size_t n;
};

/* Depth first: a jump to what the way there came by goes back. */
static struct jumps_back find_jumps_back(const struct ways *w, bool *reached)
{
	enum { UNSEEN, ON_THE_WAY, DONE } *state = iota_grow(NULL, w->code->n, sizeof(*state));
	struct step {
		uint32_t insn;
		size_t k;
	} *way = iota_grow(NULL, w->code->n, sizeof(*way));
	struct jumps_back found = {0};
	size_t depth = 1, cap = 0;
	uint32_t next;

	memset(state, 0, w->code->n * sizeof(*state));
	way[0] = (struct step){0};
	state[0] = ON_THE_WAY;
	while (depth) {
		struct step *s = &way[depth - 1];

		if (!next_of(w, s->insn, s->k++, &next)) {
			state[s->insn] = DONE;
			depth--;
		} else if (next != IOTA_NOWHERE && state[next] == ON_THE_WAY) {
			IOTA_ROOM(found.jump, found.n, cap);
			found.jump[found.n++] = (struct jump_back){s->insn, next};
		} else if (next != IOTA_NOWHERE && state[next] == UNSEEN) {
			state[next] = ON_THE_WAY;
			way[depth++] = (struct step){next, 0};
		}
	}
	for (next = 0; next < w->code->n; next++)
		reached[next] = state[next] == DONE;
	free(way);
	free(state);
	return found;
}

static bool has(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

static void set(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= 1ull << i % 64;
}

static uint64_t *new_bits(const struct iota_code *code)
{
	size_t n = code->n / 64 + 1;

	return memset(iota_grow(NULL, n, sizeof(uint64_t)), 0, n * sizeof(uint64_t));
}

/* From where the latches are reached without the head. */
static void look_back(const struct ways *w, const struct iota_loop *loop, uint64_t *bits,
		      uint32_t *todo)
{
	uint32_t i, k, before;
	size_t n = 0;

	set(bits, loop->head);
	for (i = 0; i < loop->n_latches; i++)
		if (!has(bits, loop->latch[i])) {
			set(bits, loop->latch[i]);
			todo[n++] = loop->latch[i];
		}
	while (n) {
		i = todo[--n];
		for (k = w->first[i]; k < w->first[i + 1]; k++) {
			before = w->before[k];
			if (!has(bits, before) && w->code->reached[before]) {
				set(bits, before);
				todo[n++] = before;
			}
		}
	}
}

/* Of that, what the head leads to: behind a call that never returns, a way seems to lead into the
   loop beside its head. */
static void find_body(const struct ways *w, struct iota_loop *loop)
{
	uint32_t *todo = iota_grow(NULL, w->code->n, sizeof(*todo)), i, next;
	uint64_t *back = new_bits(w->code);
	size_t n = 0, k;

	look_back(w, loop, back, todo);
	loop->body = new_bits(w->code);
	set(loop->body, loop->head);
	todo[n++] = loop->head;
	while (n) {
		i = todo[--n];
		loop->size++;
		for (k = 0; next_of(w, i, k, &next); k++)
			if (next != IOTA_NOWHERE && has(back, next) && !has(loop->body, next)) {
				set(loop->body, next);
				todo[n++] = next;
			}
	}
	free(back);
	free(todo);
}

static int by_head(const void *a, const void *b)
{
	const struct jump_back *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static int by_size(const void *a, const void *b)
{
	const struct iota_loop *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->head > y->head) - (x->head < y->head);
}

/* All jumps back to one head are of one loop. */
static void make_loops(const struct ways *w, struct iota_code *code, const struct jumps_back *back)
{
	size_t i, j, cap = 0;

	for (i = 0; i < back->n; i = j) {
		struct iota_loop loop = {.head = back->jump[i].to};

		loop.latch = iota_grow(NULL, back->n - i, sizeof(*loop.latch));
		for (j = i; j < back->n && back->jump[j].to == loop.head; j++)
			loop.latch[loop.n_latches++] = back->jump[j].from;
		find_body(w, &loop);
		IOTA_ROOM(code->loop, code->n_loops, cap);
		code->loop[code->n_loops++] = loop;
	}
	if (code->n_loops)
		qsort(code->loop, code->n_loops, sizeof(*code->loop), by_size);
}

bool iota_loops_find(struct iota_code *code)
{
	struct ways w = {.code = code};
	struct jumps_back back;
	bool few;

	code->reached = iota_grow(NULL, code->n, sizeof(*code->reached));
	find_orphans(&w);
	back = find_jumps_back(&w, code->reached);
	few = back.n * (uint64_t)code->n <= MAX_BITS;
	if (few && back.n) {
		qsort(back.jump, back.n, sizeof(*back.jump), by_head);
		find_before(&w);
		make_loops(&w, code, &back);
	}
	free(back.jump);
	free(w.orphan);
	free(w.before);
	free(w.first);
	return few;
}

void iota_loops_free(struct iota_code *code)
{
	size_t i;

	for (i = 0; i < code->n_loops; i++) {
		free(code->loop[i].body);
		free(code->loop[i].latch);
	}
	free(code->loop);
}

/* ---- what a loop does with a call's result ---- */

/* Registers that have a call's first arguments, by number: rdi, rsi, rdx, rcx. */
#define ARGUMENTS (1u << 7 | 1u << 6 | 1u << 2 | 1u << 1)
#define RESULT 1u /* rax */
#define MAX_PLACES 64

/* Where a result has got to. */
struct spread {
	const struct iota_code *code;
	const struct iota_loop *loop;
	/* an inner loop that has been judged, and goes round without turning again; NULL: none */
	const uint64_t *within;
	uint32_t within_head;
	uint16_t *in;		/* of each instruction, the registers that have something of it */
	bool *seen;
	uint32_t *todo;
	size_t n_todo;
	uint64_t place[MAX_PLACES]; /* in memory that have, at any time */
	size_t n_places;
	bool again; /* there is a new one */
};

static bool is_place(const struct spread *s, uint64_t place)
{
	size_t i;

	for (i = 0; place && i < s->n_places; i++)
		if (s->place[i] == place)
			return true;
	return false;
}

static void add_place(struct spread *s, uint64_t place)
{
	if (!place || is_place(s, place) || s->n_places == MAX_PLACES)
		return;
	s->place[s->n_places++] = place;
	s->again = true;
}

static void flow_to(struct spread *s, uint32_t from, uint32_t to, uint16_t registers)
{
	if (to == IOTA_NOWHERE || to + 1 >= s->code->n || !has(s->loop->body, to))
		return;
	if (s->within && to == s->within_head && has(s->within, from))
		return;
	if (s->seen[to] && !(registers & ~s->in[to]))
		return;
	s->in[to] |= registers;
	if (!s->seen[to])
		s->seen[to] = true;
	s->todo[s->n_todo++] = to;
}

static void pass(struct spread *s, uint32_t i)
{
	const struct iota_insn *in = &s->code->insn[i];
	uint16_t has_it = s->in[i], out = has_it & (uint16_t)~in->writes;
	uint32_t k;

	if (has_it & in->reads || is_place(s, in->loads)) {
		out |= in->is_call ? 0 : in->writes;
		add_place(s, in->stores);
	}
	if (in->interrupted)
		return;
	if (!in->stops)
		flow_to(s, i, i + 1, out);
	flow_to(s, i, in->to, out);
	for (k = 0; in->anywhere && k < s->code->n; k++) /* too rare for more than this */
		if (s->code->reached[k] && k && s->code->insn[k - 1].stops)
			flow_to(s, i, k, out);
}

/* From behind the call to wherever the loop goes. */
static void spread(struct spread *s, uint32_t call)
{
	size_t n = s->code->n;

	do {
		s->again = false;
		memset(s->seen, 0, n);
		memset(s->in, 0, n * sizeof(*s->in));
		s->n_todo = 0;
		flow_to(s, call, call + 1, RESULT);
		while (s->n_todo)
			pass(s, s->todo[--s->n_todo]);
	} while (s->again);
}

/* The loop turns only if a signal came, or to move what is left: then at least where the rest is,
   and how much it is, depend on the result.  One that reads on until the end has the same arguments
   on each turn, or another offset. */
static bool turns_for_rest(struct spread *s, uint32_t call)
{
	spread(s, call);
	if (!s->seen[s->loop->head])
		return true;
	return s->seen[call] && __builtin_popcount(s->in[call] & ARGUMENTS) >= 2;
}

const struct iota_loop *iota_loop_around(const struct iota_code *code, uint32_t call)
{
	struct spread s = {.code = code};
	const struct iota_loop *found = NULL;
	size_t i;

	s.in = iota_grow(NULL, code->n, sizeof(*s.in));
	s.seen = iota_grow(NULL, code->n, sizeof(*s.seen));
	/* an instruction is there again for each register that comes anew */
	s.todo = iota_grow(NULL, code->n * 17, sizeof(*s.todo));
	for (i = 0; i < code->n_loops && !found; i++) {
		s.loop = &code->loop[i];
		if (!has(s.loop->body, call))
			continue;
		s.n_places = 0;
		if (turns_for_rest(&s, call)) {
			s.within = s.loop->body;
			s.within_head = s.loop->head;
		} else {
			found = s.loop;
		}
	}
	free(s.todo);
	free(s.seen);
	free(s.in);
	return found;
}

bool iota_is_made_always(const struct iota_code *code, uint32_t call, const struct iota_loop *loop)
{
	bool *seen = iota_grow(NULL, code->n, sizeof(*seen)), always = true;
	struct ways w = {.code = code};
	uint32_t *todo = iota_grow(NULL, code->n, sizeof(*todo)), next;
	size_t n = 0, k;

	find_orphans(&w);
	memset(seen, 0, code->n);
	seen[call] = true; /* no way past it is looked at */
	next = loop ? loop->head : 0;
	if (!seen[next])
		todo[n++] = next;
	seen[next] = true;
	while (n && always) {
		uint32_t i = todo[--n];

		for (k = 0; next_of(&w, i, k, &next); k++) {
			if (loop ? next == loop->head : code->insn[i].leaves)
				always = false;
			if (next == IOTA_NOWHERE || seen[next] || (loop && !has(loop->body, next)))
				continue;
			seen[next] = true;
			todo[n++] = next;
		}
	}
	free(w.orphan);
	free(todo);
	free(seen);
	return always;
}
