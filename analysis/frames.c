/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.c - the stacks of calls as one tree: functions, from main() inwards, with lines. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "draw.h"

/* A stack of a log, and its innermost node. */
struct known {
	const struct iotr_log *log;
	uint32_t stack;
	size_t node;
};

static int by_stack(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->log != y->log)
		return (uintptr_t)x->log < (uintptr_t)y->log ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

struct leaf {
	size_t parent, node;
	const char *func, *file;
	int line;
};

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !!a - !!b;
}

static int by_frame(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;
	int order;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	order = compare_text(x->func, y->func);
	return order ? order : compare_text(x->file, y->file);
}

static char *keep(const char *s)
{
	size_t n = s ? strlen(s) + 1 : 0;

	return s ? memcpy(iota_malloc(n), s, n) : NULL;
}

static size_t add_node(struct iota_picture *p, size_t parent, const char *func, const char *file, int line)
{
	p->node = iota_grow(p->node, p->n_nodes + 1, sizeof(*p->node));
	p->node[p->n_nodes] = (struct iota_node){
		.parent = parent, .func = keep(func), .file = keep(file), .line = line};
	return p->n_nodes++;
}

static size_t node_of_leaf(struct iota_picture *p, const struct leaf *like)
{
	struct leaf **at, *e;

	if (!p->n_nodes)
		add_node(p, 0, NULL, NULL, 0);
	at = tfind(like, &p->nodes, by_frame);
	if (at)
		return (*at)->node;
	e = iota_malloc(sizeof(*e));
	*e = *like;
	e->node = add_node(p, like->parent, like->func, like->file, like->line);
	e->func = p->node[e->node].func;
	e->file = p->node[e->node].file;
	iota_tree_add(&p->nodes, e, by_frame);
	return e->node;
}

/* Functions without a name differ in where they are, which is said as iotrace-stat does. */
size_t iota_node_below(struct iota_picture *p, size_t parent, const struct iota_line *line)
{
	struct iota_bytes place = {0};
	size_t node;

	if (!line->func && !line->file && line->module) {
		iota_bytes_format(&place, "%s + 0x%llx", line->module, (unsigned long long)line->offset);
		iota_bytes_add(&place, "", 1);
	}
	node = node_of_leaf(p, &(struct leaf){
		.parent = parent, .func = line->func, .file = place.p ? place.p : line->file ? line->file : line->module,
		.line = line->file ? line->line : 0});
	free(place.p);
	return node;
}

/* A frame, and those that its function was expanded in, which are further out. */
static size_t descend(struct iota_picture *p, size_t node, const struct iotr_frame *f)
{
	if (!f)
		return node;
	node = descend(p, node, f->outer);
	return iota_node_below(p, node, &(struct iota_line){
		.func = f->func, .file = f->file, .line = f->line, .module = f->module, .offset = f->module_offset});
}

static size_t walk(struct iota_picture *p, const struct iotr_call *call)
{
	const struct iotr_stack *s = iotr_call_stack(call);
	size_t node = 0;
	uint32_t i;

	if (!s || !s->n)
		return SIZE_MAX;
	for (i = s->n; i-- > 0;)
		node = descend(p, node, iotr_log_frame(call->log, s, i));
	return node;
}

size_t iota_node_of(struct iota_picture *p, const struct iotr_call *call)
{
	struct known like = {call->log, call->stack, 0}, **at, *known;

	if (!call->stack)
		return SIZE_MAX;
	at = tfind(&like, &p->stacks, by_stack);
	if (at)
		return (*at)->node;
	known = iota_malloc(sizeof(*known));
	*known = like;
	known->node = walk(p, call);
	iota_tree_add(&p->stacks, known, by_stack);
	return known->node;
}

void iota_nodes_free(struct iota_picture *p)
{
	size_t i;

	for (i = 0; i < p->n_nodes; i++) {
		free(p->node[i].func);
		free(p->node[i].file);
	}
	free(p->node);
	tdestroy(p->stacks, free);
	tdestroy(p->nodes, free);
}
