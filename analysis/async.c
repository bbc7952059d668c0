/* SPDX-License-Identifier: BSD-3-Clause */
/* async.c - the asynchronous requests on one file: async.h. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"
#include "async.h"
#include "watch.h"

static int by_number(const void *a, const void *b)
{
	const struct iota_request *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* It is through with, and stays if it is listed. */
static void over(struct iota_requests *r, struct iota_request *p)
{
	tdelete(p, &r->tree, by_number);
	if (p->unlisted)
		free(p);
}

static struct iota_request *find(struct iota_requests *r, const struct iotr_call *call, uint64_t number)
{
	struct iota_request wanted = {.log = call->log, .process = call->process, .number = number}, **at;

	at = tfind(&wanted, &r->tree, by_number);
	return at ? *at : NULL;
}

static struct iota_request *add(struct iota_requests *r, const struct iotr_call *call, uint64_t number)
{
	struct iota_request *p = iota_malloc(sizeof(*p));

	*p = (struct iota_request){.log = call->log, .process = call->process, .number = number, .unlisted = true};
	iota_tree_add(&r->tree, p, by_number);
	return p;
}

static void count_end(struct iota_requests *r, const struct iota_request *p)
{
	r->bytes += p->moved;
	r->in_flight--;
	r->completed++;
	r->unseen -= p->unseen;
	r->failed += p->failed;
	r->uncollected += p->to_collect && !p->collected;
	if (!p->wait)
		return;
	r->waited += p->wait;
	if (!r->timed++ || p->wait < r->shortest)
		r->shortest = p->wait;
	r->longest = p->wait > r->longest ? p->wait : r->longest;
}

static void issued(struct iota_requests *r, struct iota *a, const struct iotr_call *call, uint64_t number)
{
	struct iota_request *p = find(r, call, number);

	/* a damaged log may have a number twice */
	if (p && p->issued) {
		over(r, p);
		p = NULL;
	}
	if (!p)
		p = add(r, call, number);
	p->issued = true;
	p->pid = call->pid;
	p->start = call->start;
	p->size = call->has & IOTR_HAS_SIZE ? call->size : 0;
	p->offset = call->offset;
	p->has_offset = call->has & IOTR_HAS_OFFSET;
	p->operation = iota_operation(call);
	p->site = iota_site_name(a, call);
	p->depth = ++r->in_flight;
	p->unlisted = r->n >= IOTA_MOST_REQUESTS;
	p->unseen = iota_word(call, IOTR_KIND_UNSEEN) != 0;
	r->unseen += p->unseen;
	r->n++;
	r->depth = p->depth > r->depth ? p->depth : r->depth;
	if (!p->unlisted) {
		r->list = iota_grow(r->list, r->n_listed + 1, sizeof(*r->list));
		r->list[r->n_listed++] = p;
	}
	if (!p->completed)
		return;
	count_end(r, p);
	if (p->unlisted && (p->collected || !p->to_collect))
		over(r, p);
}

static void completed(struct iota_requests *r, struct iota_request *p, const struct iotr_call *call, uint64_t moved)
{
	/* a multishot request of an io_uring ends more than once */
	if (p->completed) {
		if (p->issued)
			r->bytes += moved;
		else
			p->moved += moved;
		return;
	}
	p->completed = true;
	p->moved = moved;
	p->ret = call->ret;
	p->err = call->err;
	p->failed = iotr_call_failed(call);
	p->wait = iota_word(call, IOTR_KIND_SINCE);
	p->unsure = iota_word(call, IOTR_KIND_UNSURE);
	p->refused = iota_word(call, IOTR_KIND_REFUSED);
	p->to_collect = iota_op_is_to_be_collected(call);
	if (!p->issued)
		return;
	count_end(r, p);
	if (!p->to_collect && p->unlisted)
		over(r, p);
}

static void collected(struct iota_requests *r, struct iota_request *p, const struct iotr_call *call)
{
	const struct iotr_value *told = iota_value(call, IOTR_KIND_TOLD);

	p->collected = true;
	p->kept = iota_word(call, IOTR_KIND_ENDED);
	if (told && told->type == IOTR_VAL_PATH)
		p->told = told->path->name;
	if (!p->issued)
		return;
	r->uncollected -= r->uncollected > 0;
	over(r, p);
}

void iota_requests_add(struct iota_requests *r, struct iota *a, const struct iotr_call *call, uint64_t moved)
{
	struct iota_request *p;
	uint64_t number;

	if (!iota_operation(call))
		return;
	if (iota_op_begins(call, &number)) {
		issued(r, a, call, number);
	} else if (iota_op_ends(call, &number)) {
		p = find(r, call, number);
		completed(r, p ? p : add(r, call, number), call, moved);
	} else if (iota_op_collected(call, &number)) {
		p = find(r, call, number);
		if (p)
			collected(r, p, call);
	}
}

void iota_requests_free(struct iota_requests *r)
{
	size_t i;

	while (r->tree)
		over(r, *(struct iota_request **)r->tree);
	for (i = 0; i < r->n_listed; i++)
		free(r->list[i]);
	free(r->list);
}
