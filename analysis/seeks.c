/* SPDX-License-Identifier: BSD-3-Clause */
/* seeks.c - seeks and ranges of each process and file, and files by their first read: see seeks.h. */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"
#include "seeks.h"

/* ---- while calls come ---- */

static struct iota_trail *trail_of(struct iota_member *m)
{
	if (m->trail)
		return m->trail;
	m->trail = iota_malloc(sizeof(*m->trail));
	*m->trail = (struct iota_trail){.first = UINT64_MAX};
	return m->trail;
}

void iota_trail_free(struct iota_trail *t)
{
	if (t)
		free(t->range);
	free(t);
}

static void first_read(struct iota_trail *t, uint64_t time)
{
	if (time < t->first)
		t->first = time;
}

void iota_trail_map(struct iota_member *m, const struct iotr_call *call)
{
	struct iota_trail *t = trail_of(m);

	t->mapped++;
	first_read(t, call->start);
}

void iota_trail_unknown(struct iota_member *m, const struct iotr_call *call, bool writes)
{
	struct iota_trail *t = trail_of(m);

	t->unknown++;
	if (!writes)
		first_read(t, call->start);
}

static void count_seek(struct iota_trail *t, uint64_t to)
{
	uint64_t distance = to > t->at ? to - t->at : t->at - to;

	t->seeks++;
	t->back += to < t->at;
	t->distance = iota_sum_of_sizes(t->distance, distance);
}

void iota_trail_add(struct iota_member *m, const struct iota_sample *s, bool writes)
{
	struct iota_trail *t = trail_of(m);
	const struct iotr_call *call = s->call;
	bool moved = t->ranges && t->at != call->offset;

	if (!writes)
		first_read(t, call->start);
	if (moved)
		count_seek(t, call->offset);
	if (!t->ranges || moved || t->writes != writes) {
		t->ranges++;
		t->writes = writes;
		if (t->n < IOTA_RANGES_MOST) {
			IOTA_ROOM(t->range, t->n, t->cap);
			t->range[t->n++] = (struct iota_range){
				.start = call->offset, .first = call->start, .writes = writes};
		}
	}
	t->at = call->offset + s->moved;
	if (t->n == t->ranges)
		t->range[t->n - 1].end = t->at;
}

/* What the same thread did to the file by another name, or is known of it elsewhere. */
void iota_trail_join(struct iota_member *m, const struct iota_trail *more)
{
	struct iota_trail *t = trail_of(m);
	size_t i;

	first_read(t, more->first);
	t->mapped += more->mapped;
	t->unknown += more->unknown;
	t->seeks += more->seeks;
	t->back += more->back;
	t->distance = iota_sum_of_sizes(t->distance, more->distance);
	t->ranges += more->ranges;
	for (i = 0; i < more->n; i++) {
		IOTA_ROOM(t->range, t->n, t->cap);
		t->range[t->n++] = more->range[i];
	}
}

/* ---- when all parts are there ---- */

static int by_first(const void *a, const void *b)
{
	const struct iota_range *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->writes - y->writes;
}

/* What a thread did is part of what its process did. */
static void add_member(struct iota_seeks *r, const struct iota_member *m)
{
	const struct iota_trail *t = m->trail;

	r->threads++;
	r->reads += m->calls[0];
	r->writes += m->calls[1];
	r->read += m->bytes[0];
	r->written += m->bytes[1];
	r->seeks += t->seeks;
	r->back += t->back;
	r->distance = iota_sum_of_sizes(r->distance, t->distance);
	r->unknown += t->unknown;
	r->ranges += t->ranges;
	r->range = iota_grow(r->range, r->n + t->n + 1, sizeof(*r->range));
	if (t->n)
		memcpy(r->range + r->n, t->range, t->n * sizeof(*r->range));
	r->n += t->n;
}

static struct iota_seeks *row_of(struct iota_sharing *s, size_t from, const struct iota_client *c,
				 const struct iota_sharing_file *f)
{
	size_t i;

	/* a process's tasks follow each other mostly */
	for (i = s->n_seeks; i > from; i--)
		if (s->seeks[i - 1].key == c->key)
			return &s->seeks[i - 1];
	IOTA_ROOM(s->seeks, s->n_seeks, s->cap_seeks);
	s->seeks[s->n_seeks] = (struct iota_seeks){
		.name = f->name[0], .host = c->host, .pid = c->pid, .rank = c->rank, .key = c->key};
	return &s->seeks[s->n_seeks++];
}

static void add_file(struct iota_sharing *s, const struct iota_sharing_file *f)
{
	struct iota_first_read read = {.name = f->name[0], .first = UINT64_MAX};
	size_t from = s->n_seeks, i;

	for (i = 0; i < f->n_members; i++) {
		const struct iota_member *m = &f->member[i];

		if (!m->trail)
			continue;
		if (m->calls[0] || m->calls[1])
			add_member(row_of(s, from, s->task[m->task]->client, f), m);
		read.first = m->trail->first < read.first ? m->trail->first : read.first;
		read.reads += m->calls[0];
		read.read += m->bytes[0];
		read.mapped += m->trail->mapped;
	}
	for (i = from; i < s->n_seeks; i++)
		qsort(s->seeks[i].range, s->seeks[i].n, sizeof(struct iota_range), by_first);
	if (read.first == UINT64_MAX)
		return;
	IOTA_ROOM(s->first_read, s->n_first_reads, s->cap_first_reads);
	s->first_read[s->n_first_reads++] = read;
}

static int by_seeks(const void *a, const void *b)
{
	const struct iota_seeks *x = a, *y = b;
	uint64_t p = x->read + x->written, q = y->read + y->written;
	int order;

	if (x->seeks != y->seeks)
		return x->seeks > y->seeks ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->key, y->key);
}

static int by_first_read(const void *a, const void *b)
{
	const struct iota_first_read *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return strcmp(x->name, y->name);
}

void iota_seeks_done(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	size_t i;

	for (i = 0; i < s->n_files; i++)
		if (!s->file[i]->in && s->file[i]->n_names)
			add_file(s, s->file[i]);
	if (s->n_seeks)
		qsort(s->seeks, s->n_seeks, sizeof(*s->seeks), by_seeks);
	if (s->n_first_reads)
		qsort(s->first_read, s->n_first_reads, sizeof(*s->first_read), by_first_read);
}

void iota_seeks_free(struct iota_sharing *s)
{
	size_t i;

	for (i = 0; i < s->n_seeks; i++)
		free(s->seeks[i].range);
	free(s->seeks);
	free(s->first_read);
}

const struct iota_seeks *iota_seeks(const struct iota *a, size_t *n)
{
	*n = a->sharing->n_seeks;
	return a->sharing->seeks;
}

const struct iota_first_read *iota_first_reads(const struct iota *a, size_t *n)
{
	*n = a->sharing->n_first_reads;
	return a->sharing->first_read;
}
