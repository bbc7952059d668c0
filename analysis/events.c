/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - which calls put the accesses of different threads and processes in an order.
 *
 * Each is a release, an acquisition, or both: what a task did before a release comes before
 * what another does behind an acquisition of the same key that came later.
 *	fork, clone		release; the child's first call acquires
 *	the process's end	release; wait() that returns its pid acquires
 *	exec			release; the first call of the program that runs then acquires
 *	pthread_create		release; the thread's first call acquires (order.c finds which)
 *	unlocking, closing	release of a range; locking one that overlaps acquires, unless
 *				both locks are shared, or both are one process's
 *	MPI's collectives	see iota_event_what; the n-th of a communicator, or of a file
 *				and a kind, belong together
 *	MPI_Send, MPI_Recv	the n-th of two ranks, a communicator and a tag
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"

uint64_t iota_event_key(const char *what, const void *bytes, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;
	const unsigned char *p = bytes;

	/* FNV-1a */
	for (; *what; what++)
		h = (h ^ (unsigned char)*what) * 0x100000001b3;
	for (; n; n--)
		h = (h ^ *p++) * 0x100000001b3;
	return h ^ h >> 29;
}

void iota_event_add(struct iota_task *t, struct iota_event e)
{
	IOTA_ROOM(t->event, t->n, t->cap);
	t->event[t->n++] = e;
}

static struct iota_event whole(const struct iotr_call *call, enum iota_event_what what,
			       enum iota_order order, uint64_t key)
{
	return (struct iota_event){.time = call->start,
				   .end = call->start + call->dur,
				   .key = key,
				   .high = UINT64_MAX,
				   .what = (unsigned char)what,
				   .order = (unsigned char)order};
}

/* A process of the task's host. */
static uint64_t process_key(const char *what, const struct iota_task *t, int64_t pid)
{
	struct iota_bytes name = {0};
	uint64_t key;

	iota_bytes_text(&name, t->client->host);
	iota_bytes_format(&name, " %lld", (long long)pid);
	key = iota_event_key(what, name.p, name.len);
	free(name.p);
	return key;
}

void iota_event_life(struct iota_task *t)
{
	struct iota_event begin = {.time = t->first,
				   .end = t->first,
				   .high = UINT64_MAX,
				   .what = IOTA_ACQUIRE,
				   .order = IOTA_ORDER_FORK,
				   .key = process_key("fork", t, t->client->pid)};
	struct iota_event end = {.time = t->last,
				 .end = t->last,
				 .high = UINT64_MAX,
				 .what = IOTA_RELEASE,
				 .order = IOTA_ORDER_WAIT,
				 .key = process_key("exit", t, t->client->pid)};

	iota_event_add(t, begin);
	begin.order = IOTA_ORDER_EXEC;
	begin.key = process_key("exec", t, t->client->pid);
	iota_event_add(t, begin);
	iota_event_add(t, end);
}

/* ---- arguments ---- */

static bool word(const struct iotr_call *call, enum iotr_kind kind, int64_t *v)
{
	uint64_t bits;

	if (!iota_param(call, kind, &bits))
		return false;
	*v = (int64_t)bits;
	return true;
}

/* The communicator by its name. */
static bool add_communicator(struct iota_bytes *to, const struct iotr_call *call)
{
	const struct iotr_value *v = iota_value(call, IOTR_KIND_COMM);

	if (v && v->type == IOTR_VAL_PATH)
		iota_bytes_add(to, v->path->name, v->path->len);
	else if (v && v->type == IOTR_VAL_BYTES)
		iota_bytes_add(to, v->bytes, v->len);
	return v && (v->type == IOTR_VAL_PATH || v->type == IOTR_VAL_BYTES);
}

struct counter {
	uint64_t id, n;
};

static int by_id(const void *a, const void *b)
{
	const struct counter *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* The key of this task's next one of that name, which is freed. */
static uint64_t next_key(struct iota *a, const struct iota_task *t, const char *what,
			 struct iota_bytes *name)
{
	struct counter wanted = {.id = iota_event_key(what, name->p, name->len)}, **there, *c;
	uint64_t key[2] = {wanted.id};

	free(name->p);
	wanted.id ^= (uint64_t)(t->number + 1) * 0x9e3779b97f4a7c15;
	there = tfind(&wanted, &a->sharing->counters, by_id);
	if (there) {
		c = *there;
	} else {
		c = iota_alloc(&a->memory, sizeof(*c));
		*c = wanted;
		iota_tree_add(&a->sharing->counters, c, by_id);
	}
	key[1] = c->n++;
	return iota_event_key(what, key, sizeof(key));
}

/* ---- locks ---- */

static bool inside(const struct iota_event *held, const struct iota_event *by)
{
	return held->key == by->key && held->low >= by->low && held->high <= by->high;
}

static void lock(struct iota *a, struct iota_task *t, const struct iotr_call *call,
		 struct iota_event e, bool unlocks)
{
	struct iota_sharing_file *f = iota_sharing_file_of(a, call);
	size_t i, n = 0;

	if (!f || e.low >= e.high)
		return;
	e.key ^= iota_event_key("", f->key, f->inode_len);
	if (f->holder != t->number)
		f->n_held = 0;
	f->holder = t->number;
	for (i = 0; i < f->n_held; i++)
		if (!inside(&f->held[i], &e))
			f->held[n++] = f->held[i];
	f->n_held = n;
	e.what = unlocks ? IOTA_RELEASE : IOTA_ACQUIRE;
	iota_event_add(t, e);
	if (unlocks)
		return;
	f->v[IOTA_SEEN_LOCKS]++;
	IOTA_ROOM(f->held, f->n_held, f->cap_held);
	f->held[f->n_held++] = e;
}

void iota_event_unlock(struct iota_task *t, struct iota_sharing_file *f, uint64_t time)
{
	size_t i;

	for (i = 0; i < f->n_held && f->holder == t->number; i++) {
		struct iota_event e = f->held[i];

		e.time = e.end = time;
		e.what = IOTA_RELEASE;
		iota_event_add(t, e);
	}
	f->n_held = 0;
}

static void fcntl_lock(struct iota *a, struct iota_task *t, const struct iotr_call *call)
{
	struct iota_event e = whole(call, IOTA_ACQUIRE, IOTA_ORDER_LOCK, 1);
	int64_t cmd, type, whence, start, len;

	if (!word(call, IOTR_KIND_FCNTL, &cmd) || (cmd != 6 && cmd != 7 && cmd != 37 && cmd != 38))
		return; /* F_SETLK, F_SETLKW, and both of open file descriptions */
	if (!word(call, IOTR_KIND_LOCKTYPE, &type) || !word(call, IOTR_KIND_WHENCE, &whence) || whence ||
	    !word(call, IOTR_KIND_LOCKSTART, &start) || !word(call, IOTR_KIND_LOCKLEN, &len) || start < 0)
		return;
	e.low = (uint64_t)start;
	if (len < 0) {
		e.low = start + len > 0 ? (uint64_t)(start + len) : 0;
		e.high = (uint64_t)start;
	} else if (len) {
		e.high = (uint64_t)start + (uint64_t)len;
	}
	e.shared = type == 0;		/* F_RDLCK */
	e.by_client = cmd < 37;
	lock(a, t, call, e, type == 2); /* F_UNLCK */
}

static void lockf_lock(struct iota *a, struct iota_task *t, const struct iotr_call *call)
{
	struct iota_event e = whole(call, IOTA_ACQUIRE, IOTA_ORDER_LOCK, 1);
	int64_t cmd, len;

	if (!word(call, IOTR_KIND_LOCKFCMD, &cmd) || !word(call, IOTR_KIND_LOCKLEN, &len) || cmd > 2 || len < 0 ||
	    !(call->has & IOTR_HAS_OFFSET))
		return;
	e.low = call->offset;
	if (len)
		e.high = call->offset + (uint64_t)len;
	e.by_client = true;
	lock(a, t, call, e, cmd == 0); /* F_ULOCK */
}

static void flock_lock(struct iota *a, struct iota_task *t, const struct iotr_call *call)
{
	struct iota_event e = whole(call, IOTA_ACQUIRE, IOTA_ORDER_LOCK, 2);
	int64_t operation;

	if (!word(call, IOTR_KIND_LOCKOP, &operation))
		return;
	e.shared = operation & 1;	     /* LOCK_SH */
	lock(a, t, call, e, operation & 8); /* LOCK_UN */
}

/* ---- MPI ---- */

static void collective(struct iota *a, struct iota_task *t, const struct iotr_call *call,
		       enum iota_event_what what)
{
	struct iota_event e = whole(call, what, IOTA_ORDER_MPI, 0);
	struct iota_bytes name = {0};
	struct iota_sharing_file *f;
	const struct iotr_path *path;
	const char *bytes;
	int64_t size, root = 0, rank;
	size_t len;

	if (!word(call, IOTR_KIND_COMMSIZE, &size) || !word(call, IOTR_KIND_COMMRANK, &rank))
		return;
	if (what == IOTA_MAY_MEET) {
		bytes = iotr_call_path(call, &len, &path, NULL);
		if (!bytes)
			return;
		iota_bytes_add(&name, bytes, len);
		iota_bytes_text(&name, call->schema->name);
		f = iota_sharing_file_of(a, call);
		if (f)
			f->v[IOTA_SEEN_COLLECTIVES]++;
	} else if (!add_communicator(&name, call)) {
		return;
	}
	iota_bytes_format(&name, " %lld", (long long)size);
	word(call, IOTR_KIND_ROOT, &root);
	e.size = (uint32_t)size;
	e.root = root == rank || root == -3;
	e.key = next_key(a, t, "collective", &name);
	iota_event_add(t, e);
}

static void message(struct iota *a, struct iota_task *t, const struct iotr_call *call, bool sends)
{
	struct iota_event e =
		whole(call, sends ? IOTA_RELEASE : IOTA_ACQUIRE, IOTA_ORDER_MPI, 0);
	int64_t rank, peer, tag;
	struct iota_bytes name = {0};

	if (!word(call, IOTR_KIND_COMMRANK, &rank) ||
	    !word(call, sends ? IOTR_KIND_DEST : IOTR_KIND_SOURCE, &peer) || !word(call, IOTR_KIND_TAG, &tag) ||
	    peer < 0 || !add_communicator(&name, call))
		return;
	iota_bytes_format(&name, " %lld %lld %lld", (long long)(sends ? rank : peer),
			  (long long)(sends ? peer : rank), (long long)tag);
	e.key = next_key(a, t, "message", &name);
	iota_event_add(t, e);
}

/* ---- all of them ---- */

static void ordering(struct iota *a, struct iota_task *t, const struct iotr_call *call,
		     enum iota_shares shares)
{
	switch (shares) {
	case IOTA_SHARES_FORK:
		if (call->ret > 0)
			iota_event_add(t, whole(call, IOTA_RELEASE, IOTA_ORDER_FORK,
						process_key("fork", t, call->ret)));
		break;
	case IOTA_SHARES_WAIT:
		if (call->ret > 0)
			iota_event_add(t, whole(call, IOTA_ACQUIRE, IOTA_ORDER_WAIT,
						process_key("exit", t, call->ret)));
		break;
	case IOTA_SHARES_CREATE:
		/* which thread it is, order.c finds out */
		iota_event_add(t, whole(call, IOTA_RELEASE, IOTA_ORDER_THREAD, 0));
		break;
	case IOTA_SHARES_FCNTL:
		fcntl_lock(a, t, call);
		break;
	case IOTA_SHARES_LOCKF:
		lockf_lock(a, t, call);
		break;
	case IOTA_SHARES_FLOCK:
		flock_lock(a, t, call);
		break;
	case IOTA_SHARES_ALL_MEET:
		collective(a, t, call, IOTA_ALL_MEET);
		break;
	case IOTA_SHARES_MAY_MEET:
		collective(a, t, call, IOTA_MAY_MEET);
		break;
	case IOTA_SHARES_FROM_ROOT:
		collective(a, t, call, IOTA_FROM_ROOT);
		break;
	case IOTA_SHARES_TO_ROOT:
		collective(a, t, call, IOTA_TO_ROOT);
		break;
	case IOTA_SHARES_SEND:
	case IOTA_SHARES_RECEIVE:
		message(a, t, call, shares == IOTA_SHARES_SEND);
		break;
	default:
		break;
	}
}

void iota_event_see(struct iota *a, const struct iotr_call *call)
{
	enum iota_shares shares = (enum iota_shares)iota_kind(a, call->schema)->shares;
	struct iota_task *t = iota_task_of(a, call);
	uint64_t start = call->start, end = start;

	if (call->status == IOTR_FINISHED && !call->inferred)
		end += call->dur;
	if (shares == IOTA_SHARES_FORK && !call->ret)
		start = end; /* the child's, which began as its parent's did */
	if (!t->first || start < t->first)
		t->first = start;
	if (end > t->last)
		t->last = end;
	if (shares < IOTA_SHARES_FORK)
		return;
	if (shares == IOTA_SHARES_EXEC) {
		iota_event_add(t, whole(call, IOTA_RELEASE, IOTA_ORDER_EXEC,
					process_key("exec", t, t->client->pid)));
	} else if (shares == IOTA_SHARES_EXIT) {
		t->client->exits = true;
	} else if (shares == IOTA_SHARES_THREAD_START) {
		t->created_at = call->start;
	} else if (shares == IOTA_SHARES_THREAD_END) {
		t->ended_at = call->start;
	} else if (call->status == IOTR_FINISHED && !iotr_call_failed(call)) {
		ordering(a, t, call, shares);
	}
}
