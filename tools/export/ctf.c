/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf.c - --to=ctf: a trace of the Common Trace Format 1.8, for babeltrace2 and Trace Compass.
 *
 * A call is two events, its entry and its exit; ctf-streams.c has the files that they are in.
 * A thread has a stream of its own as long as there are streams, then threads share them: the
 * event's context says which thread it is.  Events of a stream come in the order of time: exits
 * wait in a heap until what comes next is later.
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "ctf.h"
#include "tracks.h"

#define MOST_STREAMS 256u

/* A call that has not been left. */
struct entered {
	uint64_t end, order; /* of those that end at one time, who began last goes first */
	uint64_t id, moved, read, written;
	int64_t ret;
	uint32_t event, thread, process;
	int32_t rank;
	bool has_ret;
	const char *status;
	int err;
};

struct lane { /* thread_track.user */
	struct ctf_stream *stream;
	struct entered *heap; /* whose exit comes first is at its top */
	size_t n, cap;
};

static struct iota *analysis;
static struct lane *lanes;
static struct dict events;
static uint64_t started, n_calls, n_threads;
static unsigned n_lanes;

/* ---- events ---- */

static struct out *begin_event(const struct lane *l, uint64_t time, uint32_t event, uint32_t process, uint32_t thread,
			       int32_t rank)
{
	struct out *o = iot_ctf_event(l->stream, time > started ? time - started : 0, event);

	ctf_u32(o, process);
	ctf_u32(o, thread);
	ctf_u32(o, (uint32_t)rank);
	return o;
}

/* As in JSON, so that no name has bytes that end the text, or that a terminal obeys.  None is empty:
   of an empty text babeltrace2 2.0.4 shows what another event had there. */
static void text(struct out *o, const char *s, size_t len)
{
	if (!len)
		out_char(o, '-');
	else if (len == 1 && *s == '-')
		out_lit(o, "\\u002d");
	else
		iot_out_json(o, s, len);
	out_char(o, '\0');
}

static void word(struct out *o, const char *s)
{
	text(o, s ? s : "", s ? strlen(s) : 0);
}

static void write_errno(struct out *o, int err)
{
	const char *name = err ? iotr_errno_name(err) : NULL;

	if (err && !name) {
		out_signed(o, err);
		out_char(o, '\0');
	} else {
		word(o, name);
	}
}

static void write_exit(const struct lane *l, const struct entered *e)
{
	struct out *o = begin_event(l, e->end, e->event + 1, e->process, e->thread, e->rank);

	ctf_u64(o, e->id);
	out_char(o, e->has_ret);
	ctf_u64(o, (uint64_t)e->ret);
	write_errno(o, e->err);
	ctf_u64(o, e->read);
	ctf_u64(o, e->written);
	ctf_u64(o, e->moved);
	word(o, e->status);
}

/* ---- exits that wait ---- */

static bool earlier(const struct entered *a, const struct entered *b)
{
	return a->end != b->end ? a->end < b->end : a->order > b->order;
}

static void swap(struct entered *a, struct entered *b)
{
	const struct entered c = *a;

	*a = *b;
	*b = c;
}

static void push(struct lane *l, const struct entered *e)
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

static void pop(struct lane *l)
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

static void leave_until(struct lane *l, uint64_t time)
{
	while (l->n && l->heap[0].end <= time) {
		write_exit(l, &l->heap[0]);
		pop(l);
	}
}

/* ---- who ---- */

static struct lane *lane_of(struct thread_track *t)
{
	struct lane *l = &lanes[n_threads++ % n_lanes];

	if (!l->stream)
		l->stream = iot_ctf_stream((unsigned)(l - lanes));
	t->user = l;
	return l;
}

static void introduce_process(const struct thread_track *t, uint64_t time, int32_t rank)
{
	const struct process_track *p = t->process;
	struct out *o = begin_event(t->user, time, CTF_PROCESS, (uint32_t)p->number, (uint32_t)t->number, rank);
	const char *line;
	size_t len;

	ctf_u32(o, p->pid);
	word(o, iotr_log_key(p->log, "host", NULL));
	word(o, iotr_log_key(p->log, "program", NULL));
	line = iotr_log_key(p->log, "cmdline", &len);
	text(o, line, line ? len : 0);
}

static void introduce_thread(const struct thread_track *t, uint64_t time, int32_t rank)
{
	struct out *o = begin_event(t->user, time, CTF_THREAD, (uint32_t)t->process->number, (uint32_t)t->number, rank);

	ctf_u32(o, t->tid);
	out_char(o, t->beside);
}

/* ---- calls ---- */

static uint32_t event_of(const struct iotr_schema *schema)
{
	char name[200];
	bool is_new;
	const int len = snprintf(name, sizeof(name), "%.80s:%.100s", schema->family, schema->name);
	const uint64_t n = events.n;
	uint64_t *id = iot_dict(&events, name, (size_t)len, &is_new);

	if (is_new) {
		*id = CTF_CALLS + 2 * n;
		iot_ctf_define_call((uint32_t)*id, name);
	}
	return (uint32_t)*id;
}

static void write_args(struct out *o, const struct iotr_call *call)
{
	if (!iot_json_args(o, call, ""))
		out_lit(o, "{}");
	out_char(o, '\0');
}

static void write_entry(const struct lane *l, const struct entered *e, const struct iotr_call *call)
{
	struct out *o = begin_event(l, call->start, e->event, e->process, e->thread, e->rank);
	const struct iotr_path *path;
	size_t len;
	const char *name = iotr_call_path(call, &len, &path, NULL);
	const struct iota_row *site = call->stack ? iota_site_of(analysis, call) : NULL;
	int fd;

	ctf_u64(o, call->id);
	ctf_u64(o, call->parent_id);
	ctf_u32(o, (uint32_t)(iot_fd_known(call, &fd) ? fd : -1));
	text(o, name, name ? len : 0);
	ctf_u64(o, call->has & IOTR_HAS_OFFSET ? call->offset : (uint64_t)-1);
	ctf_u64(o, call->has & IOTR_HAS_SIZE ? call->size : (uint64_t)-1);
	text(o, site ? site->name : NULL, site ? site->name_len : 0);
	write_args(o, call);
	out_char(o, call->internal);
	out_char(o, call->mpi_own);
}

static void count_bytes(struct entered *e, const struct iota_sample *s)
{
	const bool system = s->is_syscall || s->call->inferred, copies = s->does == IOTA_DOES_COPY && s->is_syscall;

	if (system && (s->does == IOTA_DOES_READ || copies))
		e->read = s->moved;
	if (system && (s->does == IOTA_DOES_WRITE || copies))
		e->written = s->moved;
	if (!system)
		e->moved = s->moved;
}

static void add_call(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const uint64_t dur = iotr_call_has_dur(call) ? call->dur : 0;
	bool is_new, new_process;
	struct thread_track *t = iot_track(call, dur, &is_new, &new_process);
	const int32_t rank = iotr_log_rank(call->log, NULL);
	struct lane *l = is_new ? lane_of(t) : t->user;
	struct entered e;

	if (!n_calls++ && call->start < started)
		started = call->start; /* the first of all */
	leave_until(l, call->start);
	if (new_process)
		introduce_process(t, call->start, rank);
	if (is_new)
		introduce_thread(t, call->start, rank);
	e = (struct entered){
		.end = call->start + dur,
		.order = n_calls,
		.id = call->id,
		.ret = call->ret,
		.has_ret = call->has & IOTR_HAS_RET,
		.err = call->err,
		.status = iot_status_name(call),
		.event = event_of(call->schema),
		.process = (uint32_t)t->process->number,
		.thread = (uint32_t)t->number,
		.rank = rank,
	};
	count_bytes(&e, s);
	write_entry(l, &e, call);
	push(l, &e);
	leave_until(l, call->start); /* it took no time */
}

/* ---- the format ---- */

/* Not all descriptors that there may be: the reader has logs open. */
static unsigned streams_at_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / 4 >= MOST_STREAMS)
		return MOST_STREAMS;
	return limit.rlim_cur >= 8 ? (unsigned)limit.rlim_cur / 4 : 1;
}

static void begin(const char *name, const struct iotr_set *set, struct iota *a)
{
	analysis = a;
	started = iot_export_begins(set);
	n_lanes = streams_at_most();
	lanes = calloc(n_lanes, sizeof(*lanes));
	if (!lanes)
		iot_no_memory();
	iot_ctf_begin(name);
}

static void end(const struct iotr_set *set, struct iota *a)
{
	unsigned i;

	(void)set;
	(void)a;
	for (i = 0; i < n_lanes && lanes[i].stream; i++) {
		leave_until(&lanes[i], UINT64_MAX);
		free(lanes[i].heap);
	}
	iot_ctf_end(started);
	free(lanes);
	iot_dict_free(&events);
	iot_tracks_free();
}

const struct format iot_export_ctf = {
	.name = "ctf",
	.begin = begin,
	.call = add_call,
	.end = end,
};
