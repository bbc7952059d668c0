/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.c - what comes before what.
 *
 * Each task has a clock for every task: up to which of that one's releases it knows what the
 * other has done (vector clocks).  A release stores the task's clocks under its key, and then
 * the task's own goes on; an acquisition takes over what is later there.  What task x did when
 * its own clock was n comes before all that y does once y's clock of x is at least n.
 *
 * Releases, acquisitions and the beginnings of runs are gone through in the order of time.  A
 * collective call counts where all have come, if a rank's clock says that it left earlier.
 * How a task came to know, the last step of it, is kept beside the clock.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"

/* The clocks that were released under a key. */
struct released {
	uint64_t low, high;
	uint32_t *clock;
	const struct iota_client *client;
	unsigned char order;
	bool shared, by_client;
};

struct store {
	uint64_t key;
	struct released *by;
	size_t n, cap;
};

struct iota_clocks {
	size_t n;	  /* tasks; 0: too many */
	uint32_t *clock;  /* of task y about x: [y * n + x] */
	unsigned char *by; /* enum iota_order */
	void *stores;	  /* tree */
	bool too_many_ranges;
};

enum iota_order iota_order_known(const struct iota_clocks *c, uint32_t y, uint32_t x,
				 uint32_t epoch)
{
	size_t at = (size_t)y * c->n + x;

	return c->n && c->clock[at] >= epoch ? (enum iota_order)c->by[at] : IOTA_ORDER_NOTHING;
}

/* ---- releases and acquisitions ---- */

static int by_store_key(const void *a, const void *b)
{
	const struct store *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static struct store *store_of(struct iota_clocks *c, uint64_t key, bool make)
{
	struct store wanted = {.key = key}, **there = tfind(&wanted, &c->stores, by_store_key), *new;

	if (there || !make)
		return there ? *there : NULL;
	new = iota_malloc(sizeof(*new));
	*new = wanted;
	return iota_tree_add(&c->stores, new, by_store_key);
}

static struct released *released(struct iota_clocks *c, struct store *s,
				 const struct iota_event *e)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->by[i].low == e->low && s->by[i].high == e->high &&
		    s->by[i].shared == e->shared)
			return &s->by[i];
	if (s->n == IOTA_MOST_RANGES) {
		c->too_many_ranges = true;
		return NULL;
	}
	IOTA_ROOM(s->by, s->n, s->cap);
	s->by[s->n] = (struct released){.low = e->low, .high = e->high, .shared = e->shared};
	s->by[s->n].clock = iota_grow(NULL, c->n, sizeof(uint32_t));
	memset(s->by[s->n].clock, 0, c->n * sizeof(uint32_t));
	return &s->by[s->n++];
}

static void release(struct iota_clocks *c, const struct iota_task *t, const struct iota_event *e)
{
	struct released *to = released(c, store_of(c, e->key, true), e);
	uint32_t *mine = c->clock + t->number * c->n;
	size_t i;

	if (!to)
		return;
	for (i = 0; i < c->n; i++)
		if (to->clock[i] < mine[i])
			to->clock[i] = mine[i];
	to->client = t->client;
	to->order = e->order;
	to->by_client = e->by_client;
	mine[t->number]++;
}

static void learn(struct iota_clocks *c, const struct iota_task *t, const struct released *from)
{
	uint32_t *mine = c->clock + t->number * c->n;
	unsigned char *by = c->by + t->number * c->n;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (mine[i] >= from->clock[i])
			continue;
		mine[i] = from->clock[i];
		by[i] = from->order;
	}
}

static void acquire(struct iota_clocks *c, const struct iota_task *t, const struct iota_event *e)
{
	const struct store *s = store_of(c, e->key, false);
	size_t i;

	for (i = 0; s && i < s->n; i++) {
		const struct released *r = &s->by[i];

		if (r->low >= e->high || r->high <= e->low || (r->shared && e->shared) ||
		    (r->by_client && e->by_client && r->client == t->client))
			continue;
		learn(c, t, r);
	}
}

/* ---- which thread a pthread_create() made ---- */

static int by_time(const void *a, const void *b)
{
	const struct iota_event *x = *(struct iota_event *const *)a,
				*y = *(struct iota_event *const *)b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Orders threads by number: later ones have greater numbers, until the numbers begin anew. */
static int by_tid(const void *a, const void *b)
{
	const struct iota_task *x = *(struct iota_task *const *)a,
			       *y = *(struct iota_task *const *)b;
	uint32_t p = x->tid - x->client->pid, q = y->tid - y->client->pid;

	return (p > q) - (p < q);
}

/* If as many calls made threads as threads began, the n-th made the n-th.  Else it is only known that
   all threads began after the first call. */
static void match_threads(struct iota_event **made, size_t n_made, struct iota_task **task,
			  size_t n)
{
	bool all = n == n_made;
	uint64_t key[2];
	size_t i;

	if (n_made)
		qsort(made, n_made, sizeof(struct iota_event *), by_time);
	if (n)
		qsort(task, n, sizeof(struct iota_task *), by_tid);
	for (i = 0; all && i < n; i++)
		all = made[i]->time <= task[i]->created_at;
	key[0] = n ? task[0]->client->number : 0;
	for (i = 0; i < n; i++) {
		key[1] = all ? i : 0;
		task[i]->created_key = iota_event_key("thread", key, sizeof(key));
		if (i < n_made && (all || !i))
			made[i]->key = task[i]->created_key;
	}
}

static int by_client(const void *a, const void *b)
{
	const struct iota_task *x = *(struct iota_task *const *)a,
			       *y = *(struct iota_task *const *)b;

	if (x->client != y->client)
		return x->client->number < y->client->number ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void find_threads(struct iota_sharing *s)
{
	struct iota_task **task = iota_grow(NULL, s->n_tasks, sizeof(struct iota_task *)), **begun;
	struct iota_event **made = NULL;
	size_t i, j, k, n_made, cap = 0, n;

	begun = iota_grow(NULL, s->n_tasks, sizeof(struct iota_task *));
	for (i = 0; i < s->n_tasks; i++)
		task[i] = s->task[i];
	qsort(task, s->n_tasks, sizeof(struct iota_task *), by_client);
	for (i = 0; i < s->n_tasks; i = j) {
		for (n_made = n = 0, j = i; j < s->n_tasks && task[j]->client == task[i]->client;
		     j++) {
			if (task[j]->created_at)
				begun[n++] = task[j];
			for (k = 0; k < task[j]->n; k++) {
				struct iota_event *e = &task[j]->event[k];

				if (e->order != IOTA_ORDER_THREAD || e->what != IOTA_RELEASE)
					continue;
				IOTA_ROOM(made, n_made, cap);
				made[n_made++] = e;
			}
		}
		match_threads(made, n_made, begun, n);
	}
	for (i = 0; i < s->n_tasks; i++)
		if (s->task[i]->created_at)
			iota_event_add(s->task[i],
				       (struct iota_event){.time = s->task[i]->created_at,
							   .end = s->task[i]->created_at,
							   .key = s->task[i]->created_key,
							   .high = UINT64_MAX,
							   .what = IOTA_ACQUIRE,
							   .order = IOTA_ORDER_THREAD});
	free(made);
	free(begun);
	free(task);
}

/* ---- collective calls ---- */

static int by_key(const void *a, const void *b)
{
	const struct iota_event *x = *(struct iota_event *const *)a,
				*y = *(struct iota_event *const *)b;

	return (x->key > y->key) - (x->key < y->key);
}

static bool collective(const struct iota_event *e)
{
	return e->what == IOTA_ALL_MEET || e->what == IOTA_MAY_MEET || e->what == IOTA_FROM_ROOT ||
	       e->what == IOTA_TO_ROOT;
}

/* Collective calls of one key meet.  A call on a file waited for the others only if all were in it at
   some moment. */
static void meet(struct iota_event **e, size_t n)
{
	uint64_t come = 0, left = UINT64_MAX;
	size_t i;

	for (i = 0; i < n; i++) {
		come = e[i]->time > come ? e[i]->time : come;
		left = e[i]->end < left ? e[i]->end : left;
	}
	for (i = 0; i < n; i++) {
		if (n > e[i]->size || (e[i]->what == IOTA_MAY_MEET && (n < e[i]->size || come > left)))
			e[i]->size = 0;
		else if (e[i]->what != IOTA_FROM_ROOT && e[i]->end < come)
			e[i]->end = come;
	}
}

static void find_meetings(struct iota_sharing *s)
{
	struct iota_event **e = NULL;
	size_t n = 0, cap = 0, i, j;

	for (i = 0; i < s->n_tasks; i++)
		for (j = 0; j < s->task[i]->n; j++) {
			if (!collective(&s->task[i]->event[j]))
				continue;
			IOTA_ROOM(e, n, cap);
			e[n++] = &s->task[i]->event[j];
		}
	if (n)
		qsort(e, n, sizeof(struct iota_event *), by_key);
	for (i = 0; i < n; i = j) {
		for (j = i; j < n && e[j]->key == e[i]->key; j++)
			;
		meet(e + i, j - i);
	}
	free(e);
}

/* ---- in the order of time ---- */

/* Runs lie in memory by place and not by time.  So each is fetched so many steps before its turn. */
#define AHEAD 16

/* Steps at the same time come in this order. */
enum step_kind { BIRTH, RELEASE, ACQUIRE, RUN };

struct step {
	uint64_t time;
	uint32_t task, i; /* event or run */
	uint32_t file;
	enum step_kind kind;
};

struct steps {
	struct step *step;
	size_t n, cap;
};

static int by_step(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

static void add_step(struct steps *s, enum step_kind kind, uint64_t time, uint32_t task, size_t i,
		     size_t file)
{
	IOTA_ROOM(s->step, s->n, s->cap);
	s->step[s->n++] = (struct step){
		.time = time, .kind = kind, .task = task, .i = (uint32_t)i, .file = (uint32_t)file};
}

static void add_event(struct steps *s, const struct iota_task *t, size_t i)
{
	const struct iota_event *e = &t->event[i];
	bool meets = collective(e);

	if (meets && !e->size)
		return;
	if (e->what == IOTA_RELEASE || (meets && (e->what != IOTA_FROM_ROOT || e->root)))
		add_step(s, RELEASE, e->time, t->number, i, 0);
	if (e->what == IOTA_ACQUIRE || (meets && (e->what != IOTA_TO_ROOT || e->root)))
		add_step(s, e->end == t->first ? BIRTH : ACQUIRE, e->end, t->number, i, 0);
}

static void add_steps(struct steps *steps, const struct iota_sharing *s,
		      struct iota_sharing_file **file, size_t n)
{
	size_t i, j;

	for (i = 0; i < s->n_tasks; i++)
		for (j = 0; j < s->task[i]->n; j++)
			add_event(steps, s->task[i], j);
	for (i = 0; i < n; i++)
		for (j = 0; j < file[i]->n; j++)
			add_step(steps, RUN, file[i]->run[j].first, file[i]->run[j].task, j, i);
	if (steps->n)
		qsort(steps->step, steps->n, sizeof(struct step), by_step);
}

/* ---- ends of processes ---- */

/* Descriptors of a process are closed at the latest when it has been waited for. */
static void find_ends(struct iota_sharing *s)
{
	struct iota_event **waits = NULL, wanted = {0}, *w = &wanted, **there;
	size_t n = 0, cap = 0, i, j;

	for (i = 0; i < s->n_tasks; i++) /* first: the events move */
		iota_event_life(s->task[i]);
	for (i = 0; i < s->n_tasks; i++)
		for (j = 0; j < s->task[i]->n; j++) {
			struct iota_event *e = &s->task[i]->event[j];

			if (e->order != IOTA_ORDER_WAIT || e->what != IOTA_ACQUIRE)
				continue;
			IOTA_ROOM(waits, n, cap);
			waits[n++] = e;
		}
	if (n)
		qsort(waits, n, sizeof(struct iota_event *), by_key);
	for (i = 0; i < s->n_tasks; i++) {
		struct iota_task *t = s->task[i];

		wanted.key = t->event[t->n - 1].key;
		there = n ? bsearch(&w, waits, n, sizeof(struct iota_event *), by_key) : NULL;
		if (t->client->exits)
			t->client->end = t->last > t->client->end ? t->last : t->client->end;
		else if (!t->client->end && there && (*there)->end >= t->last)
			t->client->end = (*there)->end;
	}
	free(waits);
}

static void free_store(void *p)
{
	struct store *s = p;

	while (s->n)
		free(s->by[--s->n].clock);
	free(s->by);
	free(s);
}

static void clocks_begin(struct iota_clocks *c, size_t n)
{
	size_t i;

	*c = (struct iota_clocks){.n = n};
	c->clock = iota_grow(NULL, n * n + 1, sizeof(*c->clock));
	c->by = iota_grow(NULL, n * n + 1, sizeof(*c->by));
	memset(c->clock, 0, n * n * sizeof(*c->clock));
	memset(c->by, 0, n * n);
	for (i = 0; i < n; i++)
		c->clock[i * n + i] = 1;
}

void iota_order_runs(struct iota *a, struct iota_sharing_file **file, size_t n, iota_run_fn *fn,
		     void *arg)
{
	struct iota_sharing *s = a->sharing;
	struct steps steps = {0};
	struct iota_clocks c;
	size_t i;

	s->too_many_tasks = s->n_tasks > IOTA_MOST_TASKS;
	find_ends(s);
	find_threads(s);
	find_meetings(s);
	clocks_begin(&c, s->too_many_tasks ? 0 : s->n_tasks);
	add_steps(&steps, s, file, n);
	for (i = 0; i < steps.n; i++) {
		const struct step *step = &steps.step[i], *soon = step + AHEAD;
		const struct iota_task *t = s->task[step->task];
		struct iota_run *run;

		if (i + AHEAD < steps.n && soon->kind == RUN)
			__builtin_prefetch(&file[soon->file]->run[soon->i]);
		if (step->kind == RUN) {
			run = &file[step->file]->run[step->i];
			run->epoch = c.n ? c.clock[(size_t)run->task * c.n + run->task] : 0;
			fn(arg, &c, file[step->file], step->i);
		} else if (c.n && step->kind == RELEASE) {
			release(&c, t, &t->event[step->i]);
		} else if (c.n) {
			acquire(&c, t, &t->event[step->i]);
		}
	}
	s->too_many_ranges = c.too_many_ranges;
	free(steps.step);
	tdestroy(c.stores, free_store);
	free(c.clock);
	free(c.by);
}
