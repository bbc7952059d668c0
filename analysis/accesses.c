/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accesses.c - which bytes of which file each thread read and wrote, in runs, and when it
 * opened, closed and synced it.
 *
 * Calls come thread by thread, so that memory is needed for runs and not for calls.  Where a
 * thread jumps about, neighbours among its runs become one when there are many of them: what
 * is lost is when exactly each part was accessed, and files say how often that was so.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"

/* Of a descriptor: the runs of the thread that is being read, which may go on. */
struct use {
	struct iota_sharing_file *file;
	const char *name;
	uint32_t stream, depth, generation;
	uint32_t run[2]; /* reads, writes; IOTA_NO_RUN */
	bool appends;
};

/* How descriptors of the process were opened: by number. */
struct opened {
	uint64_t id;
	const struct iotr_path *path;
	bool appends;
};

static int by_id(const void *a, const void *b)
{
	const struct opened *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static struct opened *opened(struct iota *a, const struct iota_task *t, int fd)
{
	struct opened wanted = {.id = (uint64_t)t->client->number << 32 | (uint32_t)fd}, *new;
	struct opened **there = tfind(&wanted, &a->sharing->opened, by_id);

	if (there)
		return *there;
	new = iota_alloc(&a->memory, sizeof(*new));
	*new = wanted;
	return iota_tree_add(&a->sharing->opened, new, by_id);
}

static bool to_append(const struct iotr_call *call)
{
	const struct iotr_value *letters = iota_value(call, IOTR_KIND_FMODE);

	if (iota_word(call, IOTR_KIND_OFLAGS) & 02000) /* O_APPEND */
		return true;
	return letters && letters->type == IOTR_VAL_BYTES && letters->len && letters->bytes[0] == 'a';
}

static struct use *use_of(struct iota *a, const struct iota_task *t, const struct iotr_call *call)
{
	const struct iotr_handle *h = call->handle;
	struct use *use = iotr_notes_get(a->sharing->notes, h);
	struct opened *how;

	if (!use) {
		use = iota_alloc(&a->memory, sizeof(*use));
		use->file = h->path && iota_maybe_file(h->mode) ? iota_sharing_path(a, call->log, h->path) : NULL;
		use->stream = ~call->stream;
		how = opened(a, t, h->fd);
		use->appends = how->appends && how->path == h->path;
		if (iotr_notes_put(a->sharing->notes, h, use) < 0)
			iota_no_memory();
	}
	if (use->stream != call->stream) {
		use->stream = call->stream;
		use->run[0] = use->run[1] = IOTA_NO_RUN;
	}
	return use;
}

/* ---- runs ---- */

static int by_kind_and_place(const void *a, const void *b)
{
	const struct iota_run *x = a, *y = b;

	if (x->writes != y->writes)
		return x->writes - y->writes;
	if (x->events != y->events)
		return x->events < y->events ? -1 : 1;
	if (x->marks != y->marks)
		return x->marks < y->marks ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Neighbours among the runs that the thread has of it become one. */
static void join_neighbours(struct iota_sharing_file *f)
{
	struct iota_run *from = f->run + f->begun, *end = f->run + f->n, *to = from, *r;

	qsort(from, f->n - f->begun, sizeof(*from), by_kind_and_place);
	for (r = from + 1; r < end; r++) {
		if (r->writes != to->writes || r->events != to->events || r->marks != to->marks ||
		    r->site != to->site || r->start > to->end) {
			*++to = *r;
			continue;
		}
		f->v[IOTA_SEEN_JOINED]++;
		to->end = r->end > to->end ? r->end : to->end;
		to->first = r->first < to->first ? r->first : to->first;
		to->last = r->last > to->last ? r->last : to->last;
		to->appends &= r->appends;
	}
	f->n = (size_t)(to + 1 - f->run);
	f->generation++;
	if (f->n - f->begun > f->limit / 2)
		f->limit *= 2;
}

static bool room_for_run(struct iota_sharing_file *f, uint32_t task)
{
	if (f->task != task) {
		f->task = task;
		f->begun = f->n;
		f->limit = IOTA_RUNS_EXACT;
		f->generation++;
	}
	if (f->n - f->begun < f->limit)
		return true;
	if (f->limit > IOTA_RUNS_MOST)
		return false;
	join_neighbours(f);
	return true;
}

static void add_run(struct iota *a, struct iota_task *t, struct use *use,
		    const struct iota_sample *s, bool writes)
{
	struct iota_sharing_file *f = use->file;
	const struct iotr_call *call = s->call;
	struct iota_run new = {.start = call->offset,
			       .end = call->offset + s->moved,
			       .first = call->start,
			       .last = call->start + s->time,
			       .task = t->number,
			       .site = iota_access_site_of(a, call),
			       .events = (uint32_t)t->n,
			       .marks = (uint32_t)f->n_marks,
			       .writes = writes,
			       .appends = writes && use->appends};
	struct iota_run *run;

	if (!room_for_run(f, t->number)) {
		f->v[IOTA_SEEN_LEFT_OUT]++;
		return;
	}
	if (use->run[writes] != IOTA_NO_RUN && use->generation == f->generation &&
	    use->depth == call->depth) {
		run = &f->run[use->run[writes]];
		if (run->end == new.start && run->site == new.site && run->events == new.events &&
		    run->marks == new.marks) {
			run->end = new.end;
			run->last = new.last > run->last ? new.last : run->last;
			return;
		}
	}
	if (use->generation != f->generation)
		use->run[!writes] = IOTA_NO_RUN;
	IOTA_ROOM(f->run, f->n, f->cap);
	use->run[writes] = (uint32_t)f->n;
	use->generation = f->generation;
	use->depth = call->depth;
	f->run[f->n++] = new;
}

static void transfer(struct iota *a, struct iota_task *t, struct use *use,
		     const struct iota_sample *s)
{
	bool writes = s->does == IOTA_DOES_WRITE;
	struct iota_member *m;

	if (!s->moved)
		return;
	m = iota_member(use->file, t->number);
	m->calls[writes]++;
	m->bytes[writes] += s->moved;
	if (!(s->call->has & IOTR_HAS_OFFSET) || s->moved > UINT64_MAX - s->call->offset) {
		use->file->v[IOTA_SEEN_UNKNOWN]++;
		if (a->sharing->trails)
			iota_trail_unknown(m, s->call, writes);
		return;
	}
	if (a->sharing->trails)
		iota_trail_add(m, s, writes);
	if (a->sharing->constellations)
		add_run(a, t, use, s, writes);
}

static void copied(struct iota *a, const struct iota_task *t, struct iota_sharing_file *f,
		   const struct iota_sample *s, bool writes)
{
	struct iota_member *m = iota_member(f, t->number);

	f->v[IOTA_SEEN_UNKNOWN]++;
	m->calls[writes]++;
	m->bytes[writes] += s->moved;
	if (a->sharing->trails)
		iota_trail_unknown(m, s->call, writes);
}

/* From one file to another, at places that its arguments may or may not tell. */
static void copy(struct iota *a, struct iota_task *t, const struct iota_sample *s)
{
	unsigned i;
	struct iota_sharing_file *f = iota_sharing_file_of(a, s->call), *to;

	if (!s->moved)
		return;
	if (f)
		copied(a, t, f, s, false);
	for (i = 0; i < s->call->schema->n_params; i++) {
		const struct iotr_value *v = &s->call->value[i];

		if (v->type != IOTR_VAL_HANDLE || !v->handle->path || !iota_maybe_file(v->handle->mode))
			continue;
		to = iota_sharing_path(a, s->call->log, v->handle->path);
		if (!to)
			continue;
		copied(a, t, to, s, true);
	}
}

/* ---- opens, closes, metadata ---- */

static void mark(struct iota_sharing_file *f, const struct iota_task *t,
		 const struct iotr_call *call, enum iota_mark_what what)
{
	IOTA_ROOM(f->mark, f->n_marks, f->cap_marks);
	f->mark[f->n_marks++] = (struct iota_mark){.start = call->start,
						   .end = call->start + call->dur,
						   .client = t->client->number,
						   .what = what};
}

static void metadata(struct iota *a, const struct iota_task *t, const struct iota_sample *s)
{
	struct iota_sharing_file *f = iota_sharing_file_of(a, s->call);
	struct iota_member *m;

	if (!f)
		return;
	if (s->kind->shares == IOTA_SHARES_MAPS || s->kind->shares == IOTA_SHARES_UNSEEN) {
		m = iota_member(f, t->number);
		if (a->sharing->trails && s->kind->shares == IOTA_SHARES_MAPS)
			iota_trail_map(m, s->call);
	}
	f->v[IOTA_SEEN_LOOKED] += s->kind->shares == IOTA_SHARES_LOOKS;
	f->v[IOTA_SEEN_CHANGED] += s->kind->shares == IOTA_SHARES_CHANGES;
	f->v[IOTA_SEEN_MAPPED] += s->kind->shares == IOTA_SHARES_MAPS;
	f->v[IOTA_SEEN_UNKNOWN] += s->kind->shares == IOTA_SHARES_UNSEEN;
}

static void open_file(struct iota *a, struct iota_task *t, const struct iota_sample *s)
{
	const struct iotr_path *path = NULL;
	struct iota_sharing_file *f;
	struct opened *how;
	size_t len;

	if (!iotr_call_path(s->call, &len, &path, NULL) || !path)
		return;
	f = iota_sharing_path(a, s->call->log, path);
	how = opened(a, t, (int)s->call->ret);
	how->path = path;
	how->appends = to_append(s->call);
	if (f)
		mark(f, t, s->call, IOTA_MARK_OPEN);
}

static void close_file(struct iota *a, struct iota_task *t, const struct iotr_call *call)
{
	struct iota_sharing_file *f = iota_sharing_file_of(a, call);

	if (!f)
		return;
	mark(f, t, call, IOTA_MARK_CLOSE);
	iota_event_unlock(t, f, call->start);
}

static void sync_file(struct iota *a, struct iota_task *t, const struct iotr_call *call)
{
	struct iota_sharing_file *f = call->handle ? iota_sharing_file_of(a, call) : NULL;

	if (!f)
		return;
	f->v[IOTA_SEEN_SYNCS]++;
	mark(f, t, call, IOTA_MARK_SYNC);
}

void iota_access_add(struct iota *a, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	struct iota_task *t = iota_task_of(a, call);
	struct use *use;

	if (s->failed)
		return;
	if (iota_transfers(s) && s->does == IOTA_DOES_COPY) {
		copy(a, t, s);
	} else if (iota_transfers(s) && call->handle) {
		use = use_of(a, t, call);
		if (use->file)
			transfer(a, t, use, s);
	} else if (s->opened) {
		open_file(a, t, s);
	} else if (s->does == IOTA_DOES_SYNC && s->is_syscall) { /* MPI_File_sync has another meaning */
		sync_file(a, t, call);
	} else if (s->kind->shares == IOTA_SHARES_CLOSES) {
		close_file(a, t, call);
	} else if (s->kind->shares) {
		metadata(a, t, s);
	}
}
