/* SPDX-License-Identifier: BSD-3-Clause */
/* detail.c - all about one file: opens, calls, order, lines and threads. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "detail.h"
#include "internal.h"

/* Where a thread left a descriptor of the file. */
struct place {
	const struct iotr_handle *handle;
	uint32_t tid;
	uint64_t start, end;
	int64_t distance;
	bool closed; /* what comes has the same descriptor, but is another open */
};

static bool any_name(const struct iota_row *row, iota_chosen_fn *chosen, void *arg)
{
	for (; row; row = row->rare->other)
		if (chosen(arg, row->name, row->name_len))
			return true;
	return false;
}

struct iota_details *iota_details_new(struct iota *a, iota_chosen_fn *chosen, void *arg)
{
	const struct iota_table *t = &a->table[IOTA_BY_FILE];
	struct iota_details *d = iota_malloc(sizeof(*d));
	size_t i;

	d->detail = iota_malloc((t->n + 1) * sizeof(*d->detail));
	d->n = 0;
	for (i = 0; i < t->n; i++) {
		if (!any_name(t->row[i], chosen, arg))
			continue;
		d->detail[d->n] = (struct iota_detail){.row = t->row[i]};
		iota_rare_of(a, t->row[i])->detail = &d->detail[d->n++];
	}
	return d;
}

static struct iota_detail *detail_of(struct iota *a, const struct iotr_call *call)
{
	struct iota_row *row = iota_file_of(a, call);

	return !row ? NULL : row->rare->same ? row->rare->same->rare->detail : row->rare->detail;
}

/* ---- places ---- */

static int by_handle(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->handle != y->handle)
		return (uintptr_t)x->handle < (uintptr_t)y->handle ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static struct place *place_of(struct iota_detail *d, const struct iotr_call *call, bool *is_new)
{
	struct place wanted = {.handle = call->handle, .tid = call->tid}, **at, *place;

	at = tfind(&wanted, &d->places, by_handle);
	*is_new = !at;
	if (at)
		return *at;
	place = iota_malloc(sizeof(*place));
	*place = wanted;
	return iota_tree_add(&d->places, place, by_handle);
}

/* ---- opens ---- */

static void add_open(struct iota_detail *d, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	struct iota_opening *o = d->n_openings ? &d->opening[d->n_openings - 1] : NULL;
	size_t len;

	/* what fopen() has inside is the same open */
	if (o && call->parent_id && o->id == call->parent_id) {
		o->fd = s->is_syscall ? (int)call->ret : -1;
		return;
	}
	if (++d->opens > IOTA_MOST_OPENS)
		return;
	d->opening = iota_grow(d->opening, d->n_openings + 1, sizeof(*o));
	d->opening[d->n_openings++] = (struct iota_opening){
		.start = call->start,
		.id = call->id,
		.log = call->log,
		.call = call->schema->name,
		.name = iotr_call_path(call, &len, &(const struct iotr_path *){NULL}, NULL),
		.process = call->process,
		.pid = call->pid,
		.tid = call->tid,
		.fd = s->is_syscall ? (int)call->ret : -1,
	};
}

static void add_close(struct iota_detail *d, const struct iotr_call *call, bool is_syscall)
{
	struct place wanted = {.handle = call->handle, .tid = call->tid}, **at;
	int fd = call->handle ? call->handle->fd : -1;
	size_t i;

	/* fclose() writes before it closes */
	at = is_syscall ? tfind(&wanted, &d->places, by_handle) : NULL;
	if (at)
		(*at)->closed = true;
	for (i = d->n_openings; i; i--) {
		struct iota_opening *o = &d->opening[i - 1];

		if (o->log != call->log || o->process != call->process || (o->fd >= 0 && o->fd != fd))
			continue;
		/* the close() inside of an fclose() that has been seen */
		if (!o->end)
			o->end = call->start + call->dur;
		return;
	}
}

/* ---- order ---- */

static void add_stride(struct iota_sequence *o, int64_t distance)
{
	unsigned i;

	for (i = 0; i < IOTA_N_STRIDES && o->stride[i].n; i++)
		if (o->stride[i].distance == distance)
			break;
	if (i == IOTA_N_STRIDES) {
		o->other++;
		return;
	}
	o->stride[i].distance = distance;
	o->stride[i].n++;
}

static void add_transfer(struct iota_detail *d, const struct iota_sample *s, unsigned direction)
{
	const struct iotr_call *call = s->call;
	struct iota_sequence *o = &d->order[direction];
	struct place *p;
	int64_t distance;
	bool is_new;

	d->sizes[direction][s->moved ? 64 - __builtin_clzll(s->moved) : 0]++;
	if (s->timed)
		d->durations[direction][s->time ? 64 - __builtin_clzll(s->time) : 0]++;
	if (!(call->has & IOTR_HAS_OFFSET) || !call->handle)
		return;
	p = place_of(d, call, &is_new);
	distance = (int64_t)(call->offset - p->start);
	o->located++;
	if (is_new || p->closed) {
		o->first++;
	} else if (call->offset == p->end) {
		o->consecutive++;
	} else {
		o->strided += distance == p->distance;
		add_stride(o, distance);
	}
	p->closed = false;
	p->distance = distance;
	p->start = call->offset;
	p->end = call->offset + s->moved;
}

/* ---- calls, lines, threads ---- */

static struct iota_of_file *member(struct iota_list *l, const struct iota_of_file *like)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		struct iota_of_file *m = &l->of[i];

		if (like->name ? m->name && !strcmp(m->name, like->name)
			       : m->log == like->log && m->pid == like->pid && m->tid == like->tid)
			return m;
	}
	l->of = iota_grow(l->of, l->n + 1, sizeof(*l->of));
	l->of[l->n] = *like;
	return &l->of[l->n++];
}

static void add_to(struct iota_list *l, const struct iota_of_file *like, const struct iota_sample *s,
		   bool moves, bool outermost)
{
	struct iota_of_file *m = member(l, like);

	m->calls += !s->call->inferred;
	m->inferred += s->call->inferred;
	m->errors += s->failed;
	m->bytes += moves ? s->moved : 0;
	m->time += outermost ? s->time : 0;
	if (!m->first)
		m->first = s->call->start;
	if (s->call->start + s->time > m->last)
		m->last = s->call->start + s->time;
}

void iota_details_add(struct iota *a, struct iota_details *details, const struct iotr_call *call)
{
	struct iota_detail *d = detail_of(a, call);
	struct iota_sample s;
	bool moves;

	(void)details;
	if (!d)
		return;
	iota_sample(a, &s, call);
	moves = iota_transfers(&s);
	iota_page_cache_add(&d->cache, call);
	if (s.does == IOTA_DOES_OPEN && s.timed)
		add_open(d, &s);
	if (s.does == IOTA_DOES_CLOSE && s.timed)
		add_close(d, call, s.is_syscall);
	if (moves)
		add_transfer(d, &s, s.does == IOTA_DOES_WRITE);
	if (call->schema->flags & IOTR_CALL_OPS)
		iota_requests_add(&d->requests, a, call, moves ? s.moved : 0);
	add_to(&d->calls,
	       &(struct iota_of_file){.name = call->schema->name, .does = s.does, .is_syscall = s.is_syscall},
	       &s, true, true);
	add_to(&d->lines, &(struct iota_of_file){.name = iota_site_name(a, call)}, &s, moves, !call->depth);
	add_to(&d->threads, &(struct iota_of_file){.log = call->log, .pid = call->pid, .tid = call->tid}, &s,
	       moves, !call->depth);
}

/* ---- in the end ---- */

static int by_time(const void *a, const void *b)
{
	const struct iota_of_file *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_start(const void *a, const void *b)
{
	const struct iota_of_file *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_number(const void *a, const void *b)
{
	const struct iota_stride *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static void sort(struct iota_list *l, int (*compare)(const void *, const void *))
{
	if (l->n)
		qsort(l->of, l->n, sizeof(*l->of), compare);
}

void iota_details_end(struct iota_details *details)
{
	size_t i, j;

	for (i = 0; i < details->n; i++) {
		struct iota_detail *d = &details->detail[i];

		iota_page_cache_end(&d->cache);
		sort(&d->calls, by_start);
		sort(&d->lines, by_time);
		sort(&d->threads, by_start);
		for (j = 0; j < 2; j++)
			qsort(d->order[j].stride, IOTA_N_STRIDES, sizeof(d->order[j].stride[0]), by_number);
	}
}

void iota_details_free(struct iota_details *details)
{
	size_t i;

	for (i = 0; i < details->n; i++) {
		struct iota_detail *d = &details->detail[i];

		tdestroy(d->places, free);
		iota_page_cache_free(&d->cache);
		iota_requests_free(&d->requests);
		free(d->opening);
		free(d->calls.of);
		free(d->lines.of);
		free(d->threads.of);
	}
	free(details->detail);
	free(details);
}
