/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.c - lines of the program: those from which a call was made, and who calls the
 * functions that they are in.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "spots.h"

static int text_compare(const char *x, const char *y)
{
	if (!x || !y)
		return (x != NULL) - (y != NULL);
	return strcmp(x, y);
}

static int compare_where(const struct iota_place *x, const struct iota_place *y)
{
	int order = text_compare(x->file, y->file);

	return order ? order : text_compare(x->module, y->module);
}

static int by_place(const void *a, const void *b)
{
	const struct iota_place *x = a, *y = b;
	int order = text_compare(x->func, y->func);

	order = order ? order : compare_where(x, y);
	order = order ? order : (x->line > y->line) - (x->line < y->line);
	return order ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_function(const void *a, const void *b)
{
	const struct iota_function *x = a, *y = b;
	int order = text_compare(x->name, y->name);

	return order ? order : compare_where(x->place, y->place);
}

static char *kept(struct iota *a, const char *text)
{
	struct iota_bytes b = {0};

	if (!text)
		return NULL;
	iota_bytes_text(&b, text);
	return iota_keep(&a->memory, &b);
}

static struct iota_function *function_of(struct iota *a, const struct iota_place *place)
{
	char *name = place->func ? iota_generic_name(place->func) : NULL;
	struct iota_function wanted = {.name = name, .place = place}, *new;
	struct iota_function **there = tfind(&wanted, &a->spots.functions, by_function);

	if (there) {
		free(name);
		return *there;
	}
	new = iota_alloc(&a->memory, sizeof(*new));
	*new = wanted;
	new->name = kept(a, name);
	free(name);
	return iota_tree_add(&a->spots.functions, new, by_function);
}

int iota_place_compare(const struct iota_place *x, const struct iota_place *y)
{
	return by_place(x, y);
}

struct iota_place *iota_place(struct iota *a, const struct iota_place *like)
{
	struct iota_place **there = tfind(like, &a->spots.places, by_place), *new;

	if (there)
		return *there;
	new = iota_alloc(&a->memory, sizeof(*new));
	new->func = kept(a, like->func);
	new->file = kept(a, like->file);
	new->module = kept(a, like->module);
	new->line = like->line;
	new->offset = like->offset;
	new->function = function_of(a, new);
	return iota_tree_add(&a->spots.places, new, by_place);
}

struct iota_chain *iota_chain_new(struct iota *a, unsigned n)
{
	struct iota_chain *chain =
		iota_alloc(&a->memory, sizeof(*chain) + n * sizeof(chain->at[0]));

	chain->n = n;
	return chain;
}

int iota_chain_compare(const struct iota_chain *x, const struct iota_chain *y)
{
	unsigned i;
	int order;

	if (!x || !y)
		return (x != NULL) - (y != NULL);
	for (i = 0; i < x->n && i < y->n; i++) {
		order = x->at[i] == y->at[i] ? 0 : by_place(x->at[i], y->at[i]);
		if (order)
			return order;
	}
	return (x->n > y->n) - (x->n < y->n);
}

static struct iota_place *place_of(struct iota *a, const struct iotr_frame *f)
{
	return iota_place(a, &(struct iota_place){.func = f->func,
						  .file = f->file,
						  .module = f->module,
						  .line = f->line,
						  .offset = f->line ? 0 : f->module_offset});
}

/* What makes the call on some occasions alone, with a buffer of its own for instance, has a part in how often
   that is. */
static enum iota_turns turns(struct iota_loop_at loop, int level)
{
	if (loop.level == level)
		return IOTA_TURNS;
	return loop.level == IOTA_LOOP_UNKNOWN || !loop.always ? IOTA_TURNS_PERHAPS : IOTA_TURNS_NOT;
}

/* The first so many of a stack that are good enough; or how many there are. */
#define LEVELS 64

static unsigned collect(struct iota *a, struct iotr_log *log, const struct iotr_stack *stack,
			enum iota_merit merit, struct iota_place **at)
{
	const struct iotr_frame *f;
	unsigned n = 0;
	int level;
	uint32_t i;

	for (i = 0; i < stack->n && n < LEVELS; i++) {
		level = 0;
		for (f = iotr_log_frame(log, stack, i); f && n < LEVELS; f = f->outer, level++) {
			if (iota_frame_merit(f) < merit)
				continue;
			at[n] = place_of(a, f);
			at[n++]->turns |= turns(iota_loop_at(a, log, stack, i), level);
		}
	}
	return n;
}

/* A C++ stream with std::unitbuf calls its buffer's sync() itself. */
static bool flushes(const char *func)
{
	return strcasestr(func, "flush") || strstr(func, "endl") || (strstr(func, "filebuf") && strstr(func, "::sync("));
}

/* A C++ stream writes what its buffer has before it goes elsewhere. */
static bool seeks(const char *func)
{
	return strstr(func, "::seekp(") || strstr(func, "::seekg(") ||
	       (strstr(func, "filebuf") && (strstr(func, "::seekoff(") || strstr(func, "::seekpos(")));
}

/* H5Dwrite_async(), H5D__flush_real(): what stays in the cache of chunks comes at the end. */
static bool moves_dataset(const char *func)
{
	return !strncmp(func, "H5Dwrite", 8) || !strncmp(func, "H5Dread", 7) || !strncmp(func, "H5D__flush", 10);
}

/* Functions of libraries between the program's line and the call: std::flush, H5Dflush. */
static void see_libraries(struct iotr_log *log, const struct iotr_stack *stack,
			  struct iota_chain *chain)
{
	const struct iota_place *innermost = chain->at[0];
	const struct iotr_frame *f;
	uint32_t i;

	for (i = 0; i < stack->n; i++)
		for (f = iotr_log_frame(log, stack, i); f; f = f->outer) {
			if (f->line == innermost->line && f->func && innermost->func &&
			    !strcmp(f->func, innermost->func))
				return;
			chain->way |= IOTA_BY_LIBRARY;
			if (!f->func)
				continue;
			if (flushes(f->func))
				chain->way |= IOTA_FLUSHES;
			if (strstr(f->func, "filebuf"))
				chain->way |= IOTA_BY_FILEBUF;
			if (seeks(f->func))
				chain->way |= IOTA_SEEKS;
			if (moves_dataset(f->func))
				chain->way |= IOTA_BY_DATASET;
			if (!strncmp(f->func, "MPI_", 4) || !strncmp(f->func, "PMPI_", 5))
				chain->way |= IOTA_BY_MPI;
		}
}

static struct iota_chain *chain_of_stack(struct iota *a, struct iotr_log *log, const struct iotr_stack *stack)
{
	struct iota_place *at[LEVELS];
	struct iota_chain *chain;
	unsigned n;

	n = collect(a, log, stack, IOTA_MERIT_LINE, at);
	n = n ? n : collect(a, log, stack, IOTA_MERIT_CODE, at);
	if (!n)
		return NULL;
	chain = iota_chain_new(a, n);
	memcpy(chain->at, at, n * sizeof(*at));
	see_libraries(log, stack, chain);
	return chain;
}

struct iota_chain *iota_chain_of(struct iota *a, const struct iota_origin *from)
{
	struct iotr_call call = {.log = from->log,
				 .stack = from->stack,
				 .process = from->process,
				 .pid = from->pid,
				 .ticks = from->ticks};
	const struct iotr_stack *stack = from->stack ? iotr_call_stack(&call) : NULL;
	struct iota_stack_notes *notes;

	if (!stack)
		return NULL;
	/* several kinds of calls may have one stack */
	notes = iota_stack_notes(stack);
	if (!notes->has_chain)
		notes->chain = chain_of_stack(a, from->log, stack);
	notes->has_chain = true;
	return notes->chain;
}

void iota_chain_callers(struct iota_chain *chain)
{
	unsigned i;

	for (i = 0; chain && i + 1 < chain->n; i++) {
		struct iota_function *function = chain->at[i]->function;
		const struct iota_place *caller = chain->at[i + 1];

		if (caller->function == function) /* it calls itself */
			continue;
		function->several |= function->caller && function->caller != caller;
		function->caller = caller;
	}
}

void iota_function_count(struct iota_function *f, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);

	if (spot->does == IOTA_DOES_READ)
		f->moved[0] = spot->file;
	if (spot->does == IOTA_DOES_WRITE)
		f->moved[1] = spot->file;
	if (!f->most || calls < f->least)
		f->least = calls;
	if (calls > f->most)
		f->most = calls;
}
