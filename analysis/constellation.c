/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constellation.c - who shares which bytes of a file with whom, what orders them, and what
 * the program needs of a file system therefore.
 *
 * Runs of all files are gone through in the order in which they began (order.c), with each
 * byte's last writer, and its readers since then, in pieces (pieces.c).  A read is compared
 * with the last write, a write with that and with the reads behind it: if all such neighbours
 * are ordered, all accesses are.
 *
 * Two accesses of different tasks are in order if
 *  - the later one's task knows of the earlier one: order.c; or else, by their times,
 *  - the earlier one's process closed the file, and then the later one's opened it; or
 *  - the earlier one's process synced or closed it before the later one began; or
 *  - both are threads of a process, and the earlier one's thread had ended.
 * What a process needs that another wrote before it is seen by close and open in between
 * (session), by a sync or a close (commit), or at once only (posix).
 */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"

#define MOST_CONFLICTS 100 /* so many conflicts of a file are listed */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

struct walk {
	struct iota *a;
	struct iota_readers readers; /* of the file's pieces */
	const struct iota_clocks *clocks;
	struct iota_sharing_file *f;
	uint32_t run;
	uint64_t low, high; /* the run's own piece */
	/* the pair that was compared last, and its result */
	uint32_t earlier, later;
	const struct iota_sharing_file *judged;
	enum iota_order order;
	enum iota_consistency needs;
};

const char *iota_order_name(enum iota_order order)
{
	static const char *const names[IOTA_N_ORDERS] = {
		"nothing", "fork", "wait",	 "exec", "thread",
		"lock",	   "mpi",  "close_open", "sync", "thread_end"};

	return names[order];
}

const char *iota_consistency_name(enum iota_consistency c)
{
	static const char *const names[] = {"none", "session", "commit", "posix"};

	return names[c];
}

const char *iota_conflict_name(enum iota_conflict_kind kind)
{
	static const char *const names[] = {"write-read", "write-write", "read-write"};

	return names[kind];
}

bool iota_chain_line(const struct iota_chain *chain, struct iota_line *line)
{
	const struct iota_place *place = chain ? chain->at[0] : NULL;

	if (!place)
		return false;
	*line = (struct iota_line){.func = place->func,
				   .file = place->file,
				   .module = place->module,
				   .line = place->line,
				   .offset = place->offset};
	return true;
}

/* ---- opens, closes and syncs ---- */

static int by_mark(const void *a, const void *b)
{
	const struct iota_mark *x = a, *y = b;

	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Sorts the marks, and gives each the earliest end among itself and those of its client and kind that
   began later. */
static void sort_marks(struct iota_sharing_file *f)
{
	size_t i;

	if (f->n_marks)
		qsort(f->mark, f->n_marks, sizeof(f->mark[0]), by_mark);
	for (i = f->n_marks; i > 1; i--) {
		struct iota_mark *m = &f->mark[i - 2];

		if (m->client == m[1].client && m->what == m[1].what && m->end > m[1].end)
			m->end = m[1].end;
	}
}

/* The first mark of a client and a kind that begins at that time or later. */
static size_t find_mark(const struct iota_sharing_file *f, uint32_t client,
			enum iota_mark_what what, uint64_t start)
{
	struct iota_mark wanted = {.client = client, .what = what, .start = start};
	size_t low = 0, high = f->n_marks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_mark(&f->mark[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_mark(const struct iota_sharing_file *f, size_t i, uint32_t client,
		    enum iota_mark_what what)
{
	return i < f->n_marks && f->mark[i].client == client && f->mark[i].what == what;
}

/* When the client's first mark of that kind behind the access was over.  The end of time: never. */
static uint64_t done_after(const struct walk *w, const struct iota_run *run,
			   enum iota_mark_what what)
{
	const struct iota_client *c = w->a->sharing->task[run->task]->client;
	size_t i = find_mark(w->f, c->number, what, run->last);
	uint64_t end = is_mark(w->f, i, c->number, what) ? w->f->mark[i].end : UINT64_MAX;

	if (what == IOTA_MARK_CLOSE && c->end >= run->last && c->end && c->end < end)
		end = c->end;
	return end;
}

static bool opened_between(const struct walk *w, const struct iota_run *later, uint64_t since)
{
	uint32_t client = w->a->sharing->task[later->task]->client->number;
	size_t i = find_mark(w->f, client, IOTA_MARK_OPEN, since);

	return is_mark(w->f, i, client, IOTA_MARK_OPEN) && w->f->mark[i].end <= later->first;
}

/* ---- two accesses ---- */

static void judge(struct walk *w, uint32_t earlier, uint32_t later)
{
	const struct iota_run *x = &w->f->run[earlier], *y = &w->f->run[later];
	const struct iota_task *by = w->a->sharing->task[x->task];
	bool same = by->client == w->a->sharing->task[y->task]->client, session, commit;
	uint64_t closed;

	if (w->judged == w->f && w->earlier == earlier && w->later == later)
		return;
	w->judged = w->f;
	w->earlier = earlier;
	w->later = later;
	closed = same ? UINT64_MAX : done_after(w, x, IOTA_MARK_CLOSE);
	session = closed < y->first && opened_between(w, y, closed);
	commit = !same && x->writes &&
		 (closed <= y->first || done_after(w, x, IOTA_MARK_SYNC) <= y->first);
	w->needs = same || !x->writes ? IOTA_CONSISTENCY_NONE
		   : session	      ? IOTA_CONSISTENCY_SESSION
		   : commit	      ? IOTA_CONSISTENCY_COMMIT
				      : IOTA_CONSISTENCY_POSIX;
	w->order = iota_order_known(w->clocks, y->task, x->task, x->epoch);
	if (w->order != IOTA_ORDER_NOTHING)
		return;
	if (session)
		w->order = IOTA_ORDER_CLOSE_OPEN;
	else if (commit)
		w->order = IOTA_ORDER_SYNC;
	else if (same && by->ended_at >= x->last && by->ended_at && by->ended_at <= y->first)
		w->order = IOTA_ORDER_THREAD_END;
}

static struct iota_accessor accessor(const struct iota *a, const struct iota_run *run)
{
	const struct iota_task *t = a->sharing->task[run->task];
	const struct iota_access_site *site = a->sharing->site[run->site];

	return (struct iota_accessor){.pid = t->client->pid,
				      .tid = t->tid,
				      .rank = t->client->rank,
				      .call = site->call,
				      .chain = site->chain};
}

static bool same_line(const struct iota_accessor *x, const struct iota_accessor *y)
{
	if (strcmp(x->call, y->call) || !x->chain != !y->chain)
		return false;
	return !x->chain || !iota_place_compare(x->chain->at[0], y->chain->at[0]);
}

static void conflict(struct walk *w, enum iota_conflict_kind kind, uint32_t earlier,
		     uint64_t offset, uint64_t bytes)
{
	struct iota_constellation *r = w->f->result;
	const struct iota_run *x = &w->f->run[earlier], *y = &w->f->run[w->run];
	struct iota_conflict new = {.kind = kind,
				    .at_once = x->last > y->first,
				    .bytes = bytes,
				    .offset = offset,
				    .by = {accessor(w->a, x), accessor(w->a, y)}};
	size_t i;

	for (i = 0; i < r->n_conflicts; i++) {
		struct iota_conflict *c = &r->conflict[i];

		if (c->kind != kind || !same_line(&c->by[0], &new.by[0]) ||
		    !same_line(&c->by[1], &new.by[1]))
			continue;
		c->bytes += bytes;
		c->at_once |= new.at_once;
		return;
	}
	if (r->n_conflicts == MOST_CONFLICTS) {
		r->more_conflicts += bytes;
		return;
	}
	if (!r->conflict)
		r->conflict = iota_alloc(&w->a->memory, MOST_CONFLICTS * sizeof(new));
	r->conflict[r->n_conflicts++] = new;
}

static void pair(struct walk *w, enum iota_conflict_kind kind, uint32_t earlier,
		 const struct iota_piece *piece)
{
	struct iota_constellation *r = w->f->result;
	uint64_t bytes = piece->end - piece->start;

	judge(w, earlier, w->run);
	r->by[w->order] += bytes;
	if (kind != IOTA_READ_WRITE && w->needs > r->needs)
		r->needs = w->needs;
	r->at_once |= w->f->run[earlier].last > w->f->run[w->run].first;
	if (w->order == IOTA_ORDER_NOTHING)
		conflict(w, kind, earlier, piece->start, bytes);
}

/* ---- all of them ---- */

static void read_piece(void *arg, struct iota_piece *piece)
{
	struct walk *w = arg;
	const struct iota_run *run = w->f->run;
	uint32_t *at = &piece->readers, me = run[w->run].task;

	if (piece->writer != IOTA_NO_RUN && run[piece->writer].task != me) {
		w->f->result->depends += piece->end - piece->start;
		pair(w, IOTA_WRITE_READ, piece->writer, piece);
	}
	/* what this task read before comes before what it reads now; mostly there is nothing */
	while (w->f->rereads && *at != IOTA_NO_RUN) {
		if (run[w->readers.cell[*at].run].task == me)
			iota_readers_remove(&w->readers, at);
		else
			at = &w->readers.cell[*at].next;
	}
	iota_readers_add(&w->readers, piece, w->run);
}

static void write_piece(void *arg, struct iota_piece *piece)
{
	struct walk *w = arg;
	const struct iota_run *run = w->f->run;
	uint32_t at, me = run[w->run].task;

	if (piece->writer != IOTA_NO_RUN && run[piece->writer].task != me) {
		w->f->result->overwritten += piece->end - piece->start;
		pair(w, IOTA_WRITE_WRITE, piece->writer, piece);
	}
	for (at = piece->readers; at != IOTA_NO_RUN; at = w->readers.cell[at].next) {
		if (run[w->readers.cell[at].run].task == me)
			continue;
		w->f->result->replaced += piece->end - piece->start;
		pair(w, IOTA_READ_WRITE, w->readers.cell[at].run, piece);
	}
}

/* An appended write's place depends on who wrote before, up to there. */
static void see_end(struct walk *w, const struct iota_run *run)
{
	struct iota_sharing_file *f = w->f;

	if (f->reached && run->start == f->reached) {
		f->result->appends++;
		f->result->handed_over += f->run[f->last].task != run->task;
		judge(w, f->last, w->run);
		if (run->appends && w->needs > f->result->needs)
			f->result->needs = w->needs;
	}
	if (run->end < f->reached)
		return;
	f->reached = run->end;
	f->last = w->run;
}

static void on_run(void *arg, const struct iota_clocks *c, struct iota_sharing_file *f, uint32_t i)
{
	struct walk *w = arg;
	const struct iota_run *run = &f->run[i];

	w->clocks = c;
	w->f = f;
	w->run = i;
	if (!run->writes) {
		iota_pieces_read(&w->readers, &f->pieces, run->start, run->end, read_piece, w);
		return;
	}
	iota_pieces_write(&w->readers, &f->pieces, run->start, run->end, i, write_piece, w);
	see_end(w, run);
}

/* ---- a file by itself ---- */

static int by_task_and_place(const void *a, const void *b)
{
	const struct iota_run *x = a, *y = b;

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->writes != y->writes)
		return x->writes - y->writes;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static bool all_located(const struct iota_sharing_file *f)
{
	return !f->v[IOTA_SEEN_UNKNOWN] && !f->v[IOTA_SEEN_LEFT_OUT];
}

/* Counts bytes that one task has read, or written, more than once. */
static void count_again(const struct iota_sharing_file *f, struct iota_constellation *r)
{
	uint64_t bytes[2] = {0}, distinct[2] = {0}, end = 0;
	size_t i;

	for (i = 0; i < f->n_members; i++) {
		bytes[0] += f->member[i].bytes[0];
		bytes[1] += f->member[i].bytes[1];
	}
	for (i = 0; i < f->n; i++) {
		const struct iota_run *run = &f->run[i];

		if (!i || run->task != run[-1].task || run->writes != run[-1].writes)
			end = 0;
		if (run->end <= end)
			continue;
		distinct[run->writes] += run->end - (run->start > end ? run->start : end);
		end = run->end;
	}
	for (i = 0; i < 2 && all_located(f); i++)
		r->again[i] = bytes[i] - distinct[i];
}

static const char *in_words(const struct iota_sharing_file *f, const struct iota_constellation *r)
{
	bool known = all_located(f);
	size_t i, n = 0;

	for (i = 0; i < f->n_members; i++)
		n += f->member[i].calls[0] || f->member[i].calls[1];
	if (!n)
		return r->threads ? "mapped, or read and written unseen" : "metadata only";
	if (n > 1)
		return !r->writers   ? "several read"
		       : !r->readers ? "several write"
				     : "several read and write";
	if (r->readers && r->writers)
		return "one reads and writes";
	if (r->readers)
		return !known ? "one reads" : r->again[0] ? "one reads repeatedly" : "one reads once";
	return !known ? "one writes" : r->again[1] ? "one writes repeatedly" : "one writes once";
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t processes(const struct iota_sharing *s, const struct iota_sharing_file *f)
{
	uint32_t *client = iota_grow(NULL, f->n_members + 1, sizeof(*client));
	size_t i, n = 0;

	for (i = 0; i < f->n_members; i++)
		client[i] = s->task[f->member[i].task]->client->number;
	qsort(client, f->n_members, sizeof(*client), by_number);
	for (i = 0; i < f->n_members; i++)
		n += !i || client[i] != client[i - 1];
	free(client);
	return n;
}

static void begin_result(const struct iota_sharing *s, struct iota_sharing_file *f,
			 struct iota_constellation *r)
{
	size_t i;

	f->result = r;
	if (f->n)
		qsort(f->run, f->n, sizeof(f->run[0]), by_task_and_place);
	sort_marks(f);
	*r = (struct iota_constellation){.name = f->name[0],
					 .names = f->n_names,
					 .threads = f->n_members,
					 .processes = processes(s, f),
					 .syncs = f->v[IOTA_SEEN_SYNCS],
					 .locks = f->v[IOTA_SEEN_LOCKS],
					 .collectives = f->v[IOTA_SEEN_COLLECTIVES],
					 .looked = f->v[IOTA_SEEN_LOOKED],
					 .changed = f->v[IOTA_SEEN_CHANGED],
					 .unknown = f->v[IOTA_SEEN_UNKNOWN],
					 .mapped = f->v[IOTA_SEEN_MAPPED],
					 .left_out = f->v[IOTA_SEEN_LEFT_OUT],
					 .joined = f->v[IOTA_SEEN_JOINED]};
	for (i = 0; i < f->n_members; i++) {
		r->readers += f->member[i].calls[0] != 0;
		r->writers += f->member[i].calls[1] != 0;
		r->reads += f->member[i].calls[0];
		r->writes += f->member[i].calls[1];
		r->read += f->member[i].bytes[0];
		r->written += f->member[i].bytes[1];
	}
	for (i = 0; i < f->n_marks; i++) {
		r->opens += f->mark[i].what == IOTA_MARK_OPEN;
		r->closes += f->mark[i].what == IOTA_MARK_CLOSE;
	}
	count_again(f, r);
	f->rereads = r->again[0] || !all_located(f);
	r->is = in_words(f, r);
	r->at_least = r->processes > 1 && (r->writers || r->mapped) &&
		      (r->unknown || r->mapped || r->left_out);
}

/* ---- when all parts are there ---- */

static int by_task_key(const void *a, const void *b)
{
	const struct iota_task *x = *(struct iota_task *const *)a,
			       *y = *(struct iota_task *const *)b;

	if (x->key_len != y->key_len)
		return x->key_len < y->key_len ? -1 : 1;
	return memcmp(x->key, y->key, x->key_len);
}

static int by_member(const void *a, const void *b)
{
	const struct iota_member *x = a, *y = b;

	return (x->task > y->task) - (x->task < y->task);
}

/* Numbers tasks so that their numbers do not depend on the order of reading. */
static void number_tasks(struct iota_sharing *s)
{
	uint32_t *new = iota_grow(NULL, s->n_tasks + 1, sizeof(*new));
	size_t i, j;

	if (s->n_tasks)
		qsort(s->task, s->n_tasks, sizeof(struct iota_task *), by_task_key);
	for (i = 0; i < s->n_tasks; i++) {
		new[s->task[i]->number] = (uint32_t)i;
		s->task[i]->number = (uint32_t)i;
	}
	for (i = 0; i < s->n_files; i++) {
		struct iota_sharing_file *f = s->file[i];

		for (j = 0; j < f->n; j++)
			f->run[j].task = new[f->run[j].task];
		for (j = 0; j < f->n_members; j++)
			f->member[j].task = new[f->member[j].task];
		if (f->n_members)
			qsort(f->member, f->n_members, sizeof(f->member[0]), by_member);
	}
	free(new);
}

static int by_interest(const void *a, const void *b)
{
	const struct iota_constellation *x = a, *y = b;
	uint64_t p = x->read + x->written, q = y->read + y->written;

	if (!x->by[IOTA_ORDER_NOTHING] != !y->by[IOTA_ORDER_NOTHING])
		return x->by[IOTA_ORDER_NOTHING] ? -1 : 1;
	if (x->needs != y->needs)
		return x->needs > y->needs ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

void iota_sharing_done(struct iota *a)
{
	struct iota_sharing *s = a->sharing;
	struct iota_sharing_file **shared;
	struct walk w = {.a = a, .readers.free = IOTA_NO_RUN};
	size_t i, n = 0;

	iota_sharing_names_join(a);
	number_tasks(s);
	if (s->trails)
		iota_seeks_done(a);
	if (!s->constellations)
		return;
	shared = iota_grow(NULL, s->n_files + 1, sizeof(*shared));
	s->result = iota_grow(NULL, s->n_files + 1, sizeof(*s->result));
	for (i = 0; i < s->n_files; i++) {
		struct iota_sharing_file *f = s->file[i];

		if (f->in || !(f->n_members || f->n_marks || f->v[IOTA_SEEN_LOOKED] || f->v[IOTA_SEEN_CHANGED]))
			continue;
		begin_result(s, f, &s->result[s->n_results++]);
		if (f->result->writers && f->result->threads > 1)
			shared[n++] = f;
	}
	if (n)
		iota_order_runs(a, shared, n, on_run, &w);
	if (s->n_results)
		qsort(s->result, s->n_results, sizeof(*s->result), by_interest);
	for (i = 0; i < n; i++)
		iota_pieces_free(shared[i]->pieces);
	free(w.readers.cell);
	free(shared);
}

const struct iota_constellation *iota_constellations(const struct iota *a, size_t *n)
{
	*n = a->sharing ? a->sharing->n_results : 0;
	return a->sharing ? a->sharing->result : NULL;
}

const char *iota_constellations_bound(const struct iota *a)
{
	if (a->sharing && a->sharing->too_many_tasks)
		return "more than " TEXT(IOTA_MOST_TASKS) " threads: of what orders accesses, only open, close and "
		       "sync are known";
	if (a->sharing && a->sharing->too_many_ranges)
		return "more than " TEXT(IOTA_MOST_RANGES) " ranges of a file were locked: of the others it is not known "
		       "whom they order";
	return NULL;
}
