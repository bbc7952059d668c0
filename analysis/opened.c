/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opened.c - which line opened a descriptor, and whether the program still needs those that it does
 * not close.
 *
 * A program that keeps files open on purpose comes back to them after it has opened others, or
 * closes them then.  So each descriptor has pauses: how many files its thread opens between one use
 * and the next, or the close.  One that stays open has a last pause, which nothing ends.  If other
 * descriptors of the same line came back from pauses as long as that, this one is held; else it is
 * forgotten.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "spots.h"

#define SHARE 4 /* one in so many of those that stay open has to have come back */

/* Pauses by their lengths: 0, 1, 2 or 3, 4 to 7, ... */
#define LENGTHS 65

/* How many files a thread has opened. */
struct iota_opens {
	uint64_t n;
	uint32_t thread;
};

struct iota_opened {
	const struct iota_row *file;
	uint32_t process;
	int64_t fd;
	struct iota_spot *spot;
	const struct iota_opens *opens; /* of its thread, */
	uint64_t last;			/* and how many these were when it was used last */
	unsigned longest;		/* length of its longest pause, but the last */
	uint32_t number;		/* changes when it becomes another descriptor's */
	struct iota_opened *next_free;
};

/* The descriptors that a process opens at one line, or at first, from one origin. */
struct iota_pauses {
	struct iota_pauses *of;	 /* the line's */
	uint64_t ended[LENGTHS]; /* those by their longest pause */
	uint64_t stay;
};

static int by_descriptor(const void *a, const void *b)
{
	const struct iota_opened *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->fd != y->fd)
		return x->fd < y->fd ? -1 : 1;
	return (x->file > y->file) - (x->file < y->file);
}

static struct iota_opened *find(struct iota *a, const struct iota_row *file, int64_t fd)
{
	struct iota_opened like = {.file = file, .process = a->thread.process->number, .fd = fd},
			   **at;

	at = tfind(&like, &a->opened, by_descriptor);
	return at ? *at : NULL;
}

static struct iota_opened *new_opened(struct iota *a)
{
	struct iota_opened *new = a->free_opened;

	if (new)
		a->free_opened = new->next_free;
	else
		new = iota_alloc(&a->memory, sizeof(*new));
	return new;
}

static void forget(struct iota *a, struct iota_opened *o)
{
	tdelete(o, &a->opened, by_descriptor);
	o->number++;
	o->next_free = a->free_opened;
	a->free_opened = o;
}

/* The thread opens one more. */
static const struct iota_opens *one_more(struct iota *a)
{
	struct iota_opens *opens = a->opens;

	if (!opens || opens->thread != a->thread.serial) {
		opens = a->opens = iota_alloc(&a->memory, sizeof(*opens));
		opens->thread = a->thread.serial;
	}
	opens->n++;
	return opens;
}

/* If the descriptor is open already, its close is in no log. */
void iota_opened_add(struct iota *a, struct iota_spot *spot, const struct iotr_call *call)
{
	struct iota_opened *o = find(a, spot->file, call->ret);

	if (!o) {
		o = new_opened(a);
		*o = (struct iota_opened){.file = spot->file,
					  .process = a->thread.process->number,
					  .fd = call->ret,
					  .number = o->number};
		iota_tree_add(&a->opened, o, by_descriptor);
	}
	o->spot = spot;
	o->opens = one_more(a);
	o->last = o->opens->n;
	o->longest = 0;
}

static unsigned length_of_pause(const struct iota_opened *o)
{
	uint64_t n = o->opens->n - o->last;

	return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

static void end_pause(struct iota_opened *o)
{
	unsigned length = length_of_pause(o);

	if (length > o->longest)
		o->longest = length;
	o->last = o->opens->n;
}

/* Looks once in each thread for who opened it: that may not have been read yet. */
void iota_opened_use(struct iota *a, const struct iota_row *file, const struct iotr_handle *handle,
		     struct iota_opened_at *at)
{
	if (!at->opened || at->opened->number != at->number) {
		if (at->thread == a->thread.serial && !at->opened)
			return;
		at->thread = a->thread.serial;
		at->opened = find(a, file, handle->fd);
		if (!at->opened)
			return;
		at->number = at->opened->number;
	}
	if (at->opened->last != at->opened->opens->n)
		end_pause(at->opened);
}

/* Counts it by its longest pause. */
static void count(struct iota *a, const struct iota_opened *o)
{
	struct iota_origin *from = o->spot->from;

	if (!from->pauses)
		from->pauses = iota_alloc(&a->memory, sizeof(*from->pauses));
	from->pauses->ended[o->longest]++;
}

/* Counts the close for the line that opened the descriptor.  A close by another thread or process
   may be read before or after the open; of such descriptors iota_weigh_leaks() supposes that any
   line may have opened them. */
void iota_opened_close(struct iota *a, const struct iota_row *file,
		       const struct iotr_handle *handle)
{
	struct iota_opened *o = find(a, file, handle->fd);

	if (!o)
		return;
	end_pause(o);
	count(a, o);
	iota_spot_plus(a, o->spot, IOTA_S_CLOSED, 1);
	forget(a, o);
}

/* ---- when all calls have come ---- */

static const struct iota_place *line_of(const struct iota_origin *o)
{
	return o->chain && o->chain->n ? o->chain->at[0] : NULL;
}

static int by_line(const void *a, const void *b)
{
	const struct iota_origin *x = *(struct iota_origin *const *)a,
				 *y = *(struct iota_origin *const *)b;

	if (x->log != y->log)
		return (uintptr_t)x->log < (uintptr_t)y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (line_of(x) > line_of(y)) - (line_of(x) < line_of(y));
}

/* The pauses of origins with the same line become those of the first. */
static void join_lines(const struct iota_spots *s)
{
	struct iota_origin **o = iota_grow(NULL, s->n_origins + 1, sizeof(struct iota_origin *));
	size_t n = 0, i;
	unsigned length;

	for (i = 0; i < s->n_origins; i++)
		if (s->origin[i]->pauses)
			o[n++] = s->origin[i];
	qsort(o, n, sizeof(struct iota_origin *), by_line);
	for (i = 0; i < n; i++) {
		o[i]->pauses->of =
			i && !by_line(&o[i - 1], &o[i]) ? o[i - 1]->pauses->of : o[i]->pauses;
		if (o[i]->pauses->of == o[i]->pauses)
			continue;
		for (length = 0; length < LENGTHS; length++)
			o[i]->pauses->of->ended[length] += o[i]->pauses->ended[length];
	}
	free(o);
}

/* Lengths are powers of two: one that came back from half as long a pause counts. */
static bool is_held(const struct iota_opened *o)
{
	const struct iota_pauses *line = o->spot->from->pauses->of;
	unsigned last = length_of_pause(o), length;
	uint64_t n = 0;

	for (length = last > 2 ? last - 1 : 1; length < LENGTHS; length++)
		n += line->ended[length];
	return n && n >= line->stay / SHARE;
}

/* Leaves the tree empty.  Returns what was in it, as a list. */
static struct iota_opened *take_all(struct iota *a)
{
	struct iota_opened *all = NULL, *o;

	while (a->opened) {
		o = *(struct iota_opened **)a->opened;
		tdelete(o, &a->opened, by_descriptor);
		o->next_free = all;
		all = o;
	}
	return all;
}

void iota_opened_finish(struct iota *a)
{
	struct iota_opened *all = take_all(a), *o;

	for (o = all; o; o = o->next_free)
		count(a, o);
	join_lines(&a->spots);
	for (o = all; o; o = o->next_free)
		o->spot->from->pauses->of->stay++;
	for (o = all; o; o = o->next_free)
		iota_spot_plus(a, o->spot, IOTA_S_HELD, is_held(o));
}

void iota_opened_free(struct iota *a)
{
	take_all(a); /* the arena has the rest */
}
