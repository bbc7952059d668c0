/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf-events.c - calls as events: an entry and an exit of each, and one for each process and
 * thread before its first.
 *
 * A thread has a lane of its own as long as there are lanes, then threads share them: the event's
 * context says which thread it is.  Events of a lane come in the order of time: exits wait in a
 * heap until what comes next is later.
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctf.h"

/* A call that has not been left. */
struct ctf_left {
	uint64_t end, order; /* of those that end at one time, who began last goes first */
	uint64_t kind;
	struct ctf_context context;
	struct ctf_exit fields; /* error is set when it is left */
	int err;
};

/* ---- text: where it begins in c->text ---- */

static size_t text(struct ctf *c, const char *s, size_t len)
{
	const size_t at = c->text.len;

	if (!len)
		out_char(&c->text, '-');
	else if (len == 1 && *s == '-')
		out_lit(&c->text, "\\u002d");
	else
		iot_out_json(&c->text, s, len);
	out_char(&c->text, '\0');
	return at;
}

static size_t word(struct ctf *c, const char *s)
{
	return text(c, s, s ? strlen(s) : 0);
}

/* Its words, each with a NUL behind it. */
static size_t command(struct ctf *c, const char *words, size_t len)
{
	const size_t at = c->text.len;
	size_t word, done;

	for (done = 0; done < len; done += word + 1) {
		word = strnlen(words + done, len - done);
		if (done)
			out_char(&c->text, ' ');
		iot_out_json(&c->text, words + done, word);
	}
	if (c->text.len == at)
		out_char(&c->text, '-');
	out_char(&c->text, '\0');
	return at;
}

static size_t args(struct ctf *c, const struct iotr_call *call)
{
	const size_t at = c->text.len;

	if (!iot_json_args(&c->text, call, ""))
		out_lit(&c->text, "{}");
	out_char(&c->text, '\0');
	return at;
}

/* ---- events ---- */

/* No reader reads on where time goes back, as it may in a log that is damaged. */
static void event(struct ctf *c, struct ctf_lane *l, uint64_t time, uint64_t kind, const struct ctf_context *context,
		  const void *fields)
{
	if (l->last < time)
		l->last = time;
	c->event(c, l, kind, context, fields);
}

static void leave(struct ctf *c, struct ctf_lane *l, struct ctf_left *e)
{
	char number[20];

	e->fields.error = e->err ? iotr_errno_name(e->err) : "-";
	if (!e->fields.error) {
		snprintf(number, sizeof(number), "%d", e->err);
		e->fields.error = number;
	}
	event(c, l, e->end, e->kind + 1, &e->context, &e->fields);
}

/* ---- exits that wait ---- */

static bool earlier(const struct ctf_left *a, const struct ctf_left *b)
{
	return a->end != b->end ? a->end < b->end : a->order > b->order;
}

static void swap(struct ctf_left *a, struct ctf_left *b)
{
	const struct ctf_left c = *a;

	*a = *b;
	*b = c;
}

static void push(struct ctf_lane *l, const struct ctf_left *e)
{
	size_t at = l->n++;

	if (at == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 8;
		l->heap = reallocarray(l->heap, l->cap, sizeof(*l->heap));
		if (!l->heap)
			iot_no_memory();
	}
	l->heap[at] = *e;
	for (; at && earlier(&l->heap[at], &l->heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&l->heap[at], &l->heap[(at - 1) / 2]);
}

static void pop(struct ctf_lane *l)
{
	size_t at = 0, child;

	l->heap[0] = l->heap[--l->n];
	while ((child = 2 * at + 1) < l->n) {
		child += child + 1 < l->n && earlier(&l->heap[child + 1], &l->heap[child]);
		if (!earlier(&l->heap[child], &l->heap[at]))
			break;
		swap(&l->heap[child], &l->heap[at]);
		at = child;
	}
}

static void leave_until(struct ctf *c, struct ctf_lane *l, uint64_t time)
{
	while (l->n && l->heap[0].end <= time) {
		leave(c, l, &l->heap[0]);
		pop(l);
	}
}

/* ---- who ---- */

static void introduce_process(struct ctf *c, const struct thread_track *t, uint64_t time, const struct ctf_context *context)
{
	const struct iotr_log *log = t->process->log;
	size_t host, program, cmdline, len;
	const char *line = iotr_log_key(log, "cmdline", &len);

	host = word(c, iotr_log_key(log, "host", NULL));
	program = word(c, iotr_log_key(log, "program", NULL));
	cmdline = command(c, line, line ? len : 0);
	event(c, t->user, time, CTF_IS_PROCESS, context,
	      &(struct ctf_process){
		      .pid = t->process->pid,
		      .host = c->text.buf + host,
		      .program = c->text.buf + program,
		      .cmdline = c->text.buf + cmdline,
	      });
}

static void introduce_thread(struct ctf *c, const struct thread_track *t, uint64_t time, const struct ctf_context *context)
{
	event(c, t->user, time, CTF_IS_THREAD, context, &(struct ctf_thread){.tid = t->tid, .overlaps = t->beside});
}

/* ---- calls ---- */

/* Logs have names of calls, which may be any bytes. */
static uint64_t kind_of(struct ctf *c, const struct iotr_call *call)
{
	char name[200], *s;
	bool is_new;
	const int len = snprintf(name, sizeof(name), "%.80s:%.100s%s", call->schema->family, call->schema->name,
				 call->inferred ? "_inferred" : "");
	const uint64_t n = c->kinds.n;
	uint64_t *kind = iot_dict(&c->kinds, name, (size_t)len, &is_new);

	if (is_new) {
		*kind = CTF_IS_CALL + 2 * n;
		for (s = name; *s; s++)
			*s = isalnum((unsigned char)*s) || *s == ':' ? *s : '_';
		c->define(c, *kind, name);
	}
	return *kind;
}

static void enter(struct ctf *c, struct ctf_lane *l, const struct ctf_left *e, const struct iotr_call *call)
{
	const struct iota_row *site = call->stack ? iota_site_of(c->a, call) : NULL;
	const struct iotr_path *path;
	size_t len, name_at, site_at, args_at;
	const char *name = iotr_call_path(call, &len, &path, NULL);
	int fd;

	name_at = text(c, name, name ? len : 0);
	site_at = text(c, site ? site->name : NULL, site ? site->name_len : 0);
	args_at = args(c, call);
	event(c, l, call->start, e->kind, &e->context,
	      &(struct ctf_entry){
		      .id = call->id,
		      .parent_id = call->parent_id,
		      .fd = iot_fd_known(call, &fd) ? fd : -1,
		      .path = c->text.buf + name_at,
		      .offset = call->has & IOTR_HAS_OFFSET ? (int64_t)call->offset : -1,
		      .size = call->has & IOTR_HAS_SIZE ? (int64_t)call->size : -1,
		      .site = c->text.buf + site_at,
		      .args = c->text.buf + args_at,
		      .internal = call->internal,
		      .mpi_own = call->mpi_own,
	      });
}

static void fill_exit(struct ctf_exit *x, const struct iota_sample *s)
{
	const bool system = s->is_syscall || s->call->inferred, copies = s->does == IOTA_DOES_COPY && s->is_syscall;
	const char *status = iot_status_name(s->call);

	x->id = s->call->id;
	x->ret = s->call->ret;
	x->has_ret = (s->call->has & IOTR_HAS_RET) != 0;
	x->status = status ? status : "-";
	if (system && (s->does == IOTA_DOES_READ || copies))
		x->read = s->moved;
	if (system && (s->does == IOTA_DOES_WRITE || copies))
		x->written = s->moved;
	if (!system)
		x->moved = s->moved;
}

static struct ctf_lane *lane_of(struct ctf *c, struct thread_track *t)
{
	return t->user = &c->lanes[c->n_threads++ % c->n_lanes];
}

void iot_ctf_call(struct ctf *c, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const uint64_t dur = iotr_call_has_dur(call) ? call->dur : 0;
	bool is_new, new_process;
	struct thread_track *t = iot_track(&c->tracks, call, dur, &is_new, &new_process);
	struct ctf_lane *l = is_new ? lane_of(c, t) : t->user;
	struct ctf_left e = {
		.end = call->start + dur,
		.order = c->n_calls++,
		.kind = kind_of(c, call),
		.context = {(uint32_t)t->process->number, (uint32_t)t->number, iotr_log_rank(call->log, NULL)},
		.err = call->err,
	};

	c->text.len = 0;
	leave_until(c, l, call->start);
	if (new_process)
		introduce_process(c, t, call->start, &e.context);
	if (is_new)
		introduce_thread(c, t, call->start, &e.context);
	enter(c, l, &e, call);
	fill_exit(&e.fields, s);
	push(l, &e);
	leave_until(c, l, call->start); /* it took no time */
}

void iot_ctf_begin(struct ctf *c, unsigned n_lanes)
{
	unsigned i;

	c->text.fd = -1;
	c->n_lanes = n_lanes;
	c->lanes = calloc(n_lanes, sizeof(*c->lanes));
	if (!c->lanes)
		iot_no_memory();
	for (i = 0; i < n_lanes; i++)
		c->lanes[i].number = i;
}

void iot_ctf_end(struct ctf *c)
{
	unsigned i;

	for (i = 0; i < c->n_lanes; i++)
		leave_until(c, &c->lanes[i], UINT64_MAX);
}

void iot_ctf_free(struct ctf *c)
{
	unsigned i;

	for (i = 0; i < c->n_lanes; i++)
		free(c->lanes[i].heap);
	free(c->lanes);
	free(c->text.buf);
	iot_dict_free(&c->kinds);
	iot_tracks_free(&c->tracks);
}
