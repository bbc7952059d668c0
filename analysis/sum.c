/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.c - adding a call to the rows that it belongs to. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "constellation.h"
#include "nest.h"
#include "seeks.h"

/* A duration's bucket: its highest bit and the two below. */
static unsigned time_bucket(uint64_t ns)
{
	unsigned top;

	if (ns < 4)
		return (unsigned)ns;
	top = 63 - (unsigned)__builtin_clzll(ns);
	return (top - 1) * 4 + (unsigned)(ns >> (top - 2) & 3);
}

static uint64_t bytes_moved(const struct iotr_call *call, const struct iota_kind *kind)
{
	if (!(call->has & IOTR_HAS_RET) || (call->ret < 0 && kind->moves != IOTA_MOVES_WORD))
		return 0;
	switch (kind->moves) {
	case IOTA_MOVES_NOTHING:
		break;
	case IOTA_MOVES_RESULT:
		return (uint64_t)call->ret;
	case IOTA_MOVES_ITEMS:
		return (uint64_t)call->ret * call->itemsize;
	case IOTA_MOVES_ONE:
		return 1;
	case IOTA_MOVES_WORD:
		return call->ret == EOF ? 0 : sizeof(int);
	case IOTA_MOVES_SIZE:
		return call->has & IOTR_HAS_SIZE ? call->size : 0;
	}
	return 0;
}

/* What a call only looks at stays in the socket. */
static void look(struct iota_sample *s)
{
	if (s->does != IOTA_DOES_READ || !(iota_word(s->call, IOTR_KIND_MSGFLAGS) & MSG_PEEK))
		return;
	s->peeked = s->moved;
	s->moved = 0;
}

/* fcntl waits by one command of many. */
static bool waits_for_lock(const struct iota_kind *kind, const struct iotr_call *call)
{
	return kind->locks && call->value[1].type == IOTR_VAL_WORD &&
	       (call->value[1].word == 7 /* F_SETLKW */ ||
		call->value[1].word == 38 /* F_OFD_SETLKW */);
}

/* Whoever gives a lock back does not wait for it. */
static bool unlocks(const struct iotr_call *call)
{
	uint64_t how;

	if (iota_param(call, IOTR_KIND_LOCKTYPE, &how))
		return how == 2; /* F_UNLCK */
	if (iota_param(call, IOTR_KIND_LOCKFCMD, &how))
		return how == 0; /* F_ULOCK */
	return iota_param(call, IOTR_KIND_LOCKOP, &how) && how & 8; /* LOCK_UN */
}

/* Of a ring whose requests the call does not submit. */
static bool waits_for_ring(const struct iota_kind *kind, const struct iotr_call *call)
{
	return kind->does == IOTA_DOES_ENTER && call->schema->n_params > 1 &&
	       call->value[1].type == IOTR_VAL_WORD && !call->value[1].word;
}

/* Are the system calls among what is counted that MPI makes?  It makes some when it begins. */
static bool beneath_is_counted(const struct iotr_log *log)
{
	const struct iotr_schema *schema;
	size_t i;

	for (i = 0; (schema = iotr_log_schema(log, i)); i++) {
		const struct iota_kind *kind = schema->user;

		if (kind && kind->beneath && kind->counted)
			return true;
	}
	return false;
}

static inline bool waits_for_ranks(const struct iota_kind *kind, const struct iotr_log *log)
{
	if (!kind->counted && (kind->beneath || (kind->meets && beneath_is_counted(log))))
		((struct iota_kind *)kind)->counted = true; /* const to who makes no kinds */
	return kind->meets && kind->counted;
}

/* What an operation that ends here did: one whose calls are on record did nothing more.  Of
   Fortran's the statement that began it tells. */
static enum iota_does issued(const struct iotr_call *call)
{
	const char *operation = iota_operation(call);
	const struct iotr_value *v = iota_value(call, IOTR_KIND_ISSUED);

	if (operation)
		return iota_word(call, IOTR_KIND_SEEN) ? IOTA_DOES_OTHER : iota_effect(operation).does;
	if (!v || v->type != IOTR_VAL_PATH)
		return IOTA_DOES_OTHER;
	return strcmp(v->path->name, "READ") ? IOTA_DOES_WRITE : IOTA_DOES_READ;
}

/* Which way the call moved bytes, by the end of a pipe that its descriptor is. */
static enum iota_does by_end(const struct iotr_call *call)
{
	uint64_t reads;

	if (!iota_param(call, IOTR_KIND_READEND, &reads))
		return IOTA_DOES_OTHER;
	return reads ? IOTA_DOES_READ : IOTA_DOES_WRITE;
}

static enum iota_does does(const struct iotr_call *call, const struct iota_kind *kind)
{
	switch (kind->does) {
	case IOTA_DOES_ISSUED:
		return issued(call);
	case IOTA_DOES_END:
		return by_end(call);
	case IOTA_DOES_ENTER: /* its requests have records */
		return IOTA_DOES_OTHER;
	default:
		return kind->does;
	}
}

/* Ranks wait for each other in it, and without the system calls inside nothing tells for how long. */
static bool is_undivided(const struct iota_sample *s)
{
	return s->kind->meets && !s->meets && iota_is_io(s->spent) && iota_word(s->call, IOTR_KIND_COMMSIZE) != 1;
}

/* What moves much may take its time. */
static bool took_long(const struct iota_rule *slow, const struct iota_sample *s)
{
	return s->time >= slow->time && (s->time - slow->time) / slow->factor >= s->moved && s->spent != IOTA_F_SELF &&
	       s->spent != IOTA_F_WAITING;
}

static void call_add(struct iota *a, const struct iota_sample *s)
{
	struct iota_row *row = iota_call_row(a, s->kind, s->call);
	uint64_t *v = row->v;

	iota_row_add(a, row, s);
	v[IOTA_F_MOVED] += s->moved;
	if (s->call->has & IOTR_HAS_SIZE)
		v[IOTA_F_ASKED] = iota_sum_of_sizes(v[IOTA_F_ASKED], s->call->size);
	if (!s->timed)
		return;
	v[IOTA_F_TIME] += s->time;
	if (is_undivided(s))
		v[IOTA_F_UNDIVIDED] += s->self;
	row->times[time_bucket(s->time)]++;
	if (took_long(a->slow, s)) {
		v[IOTA_F_SLOW]++;
		v[IOTA_F_SLOW_TIME] += s->self;
	}
}

/* Of asynchronous operations: the kernel moves bytes like a system call, when one ends, and
   whether it did so in order the requests tell. */
static void sample_operation(struct iota_sample *s)
{
	const char *operation = iota_operation(s->call);

	if (!operation)
		return;
	if (s->kind->does == IOTA_DOES_ISSUED)
		s->is_syscall = s->unseen = s->does != IOTA_DOES_OTHER;
	else if (iota_is_queued(s->call))
		s->asks = iota_effect(operation).does;
}

static inline __attribute__((always_inline)) void sample_itself(struct iota *a, struct iota_sample *s,
								const struct iotr_call *call)
{
	const struct iotr_schema *schema = call->schema;
	const struct iota_kind *kind = iota_kind(a, schema);
	const bool timed = call->status == IOTR_FINISHED && !call->inferred;

	/* a literal would be cleared first, which takes as long as all else here */
	s->call = call;
	s->kind = kind;
	s->does = s->asks = IOTA_DOES_OTHER;
	s->is_syscall = schema->syscall ? !call->no_syscall && !call->inferred : iotr_call_syscall(call) != NULL;
	s->failed = (call->err || call->ret <= 0 || schema->result == IOTR_KIND_ERRCODE) &&
		    iotr_call_failed(call);
	s->timed = timed;
	s->waits = s->unseen = s->opened = false;
	s->meets = waits_for_ranks(kind, call->log);
	s->moved = s->peeked = s->lib_moved = s->carried = s->self = s->own = 0;
	s->time = timed ? call->dur : 0;
	s->spent = IOTA_F_CALLS;
	if (!kind->plain)
		s->waits = (kind->does == IOTA_DOES_WAIT || waits_for_lock(kind, call) || waits_for_ring(kind, call)) &&
			   !unlocks(call);
	if ((timed || call->inferred) && !s->failed && kind->does) {
		s->does = kind->plain ? kind->does : does(call, kind);
		s->moved = bytes_moved(call, kind);
		if (kind->has_flags)
			look(s);
	}
	if (!kind->plain && schema->flags & IOTR_CALL_OPS)
		sample_operation(s);
}

void iota_sample(struct iota *a, struct iota_sample *s, const struct iotr_call *call)
{
	sample_itself(a, s, call);
}

/* And what follows from what is inside of it, which is inside of the call around it, too. */
static void sample(struct iota *a, struct iota_sample *s, const struct iotr_call *call,
		   struct iota_inside *inside)
{
	sample_itself(a, s, call);
	s->self = s->time > inside->time ? s->time - inside->time : 0;
	s->spent = iota_spent(s);
	if (!s->is_syscall && !call->inferred && s->moved > inside->lib_moved)
		s->lib_moved = s->moved - inside->lib_moved;
	s->opened = s->does == IOTA_DOES_OPEN && !inside->opens;
	s->carried = inside->transfers;
	s->own = inside->own;
	/* what has no time itself passes on what it has inside */
	iota_pass_on(&a->nest, inside, &(struct iota_inside){.time = s->timed ? s->time : inside->time,
						  .lib_moved = inside->lib_moved + s->lib_moved,
						  .opens = inside->opens + s->opened,
						  .transfers = inside->transfers + iota_transfers(s),
						  .own = call->mpi_own ? inside->own + s->self : 0,
						  .from = call->start,
						  .last = call->start});
}

static inline void thread_add(struct iota *a, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	struct iota_thread *t = &a->thread;

	if (call->log != t->log || call->tid != t->tid || call->pid != t->pid ||
	    call->process != t->number)
		iota_thread_begin(a, call);
	if (s->time > t->longest)
		t->longest = s->time;
	t->calls++;
	if (t->end && call->start > t->end)
		t->outside += call->start - t->end;
	if (!t->begin || call->start < t->begin)
		t->begin = call->start;
	if (call->start + s->time > t->end)
		t->end = call->start + s->time;
}

void iota_call(struct iota *a, const struct iotr_call *call, bool wanted)
{
	struct iota_inside *inside = iota_inside_of(&a->nest, call);
	struct iota_spot *spot = NULL;
	struct iota_sample s;

	if (call->schema->flags & IOTR_CALL_OPS)
		iota_ops_see(&a->ops, call, wanted);
	if (a->table[IOTA_BY_REGION].wanted)
		iota_region_see(a, call);
	if (a->sharing)
		iota_event_see(a, call);
	if (!wanted) {
		iota_pass_on(&a->nest, inside, inside);
		if (call->level)
			iota_set_apart(&a->nest, call);
		if (a->slices)
			iota_when_pass(a, call);
		return;
	}
	sample(a, &s, call, inside);
	if (call->level)
		iota_set_apart(&a->nest, call);
	thread_add(a, &s);
	if (s.kind->shares == IOTA_SHARES_CREATE && !s.failed)
		iota_thread_creates(a, call);
	if (s.kind->shares == IOTA_SHARES_CREATE || s.kind->shares == IOTA_SHARES_FORK)
		iota_life_makes(a, call);
	call_add(a, &s);
	if (a->table[IOTA_BY_FILE].wanted)
		spot = iota_file_add(a, &s);
	if (a->finds) {
		iota_overlap_see(a, &s, spot);
		iota_phases_see(a, &s, spot);
	}
	if (a->table[IOTA_BY_SITE].wanted)
		iota_site_add(a, &s);
	if (a->table[IOTA_BY_REGION].wanted)
		iota_region_add(a, &s);
	if (a->slices)
		iota_when_add(a, &s);
	if (a->sharing)
		iota_access_add(a, &s);
	if (call->status == IOTR_UNFINISHED)
		iota_judge(a, IOTA_OVER_UNFINISHED, &(struct iota_evidence){.call = call});
	if (a->watch)
		a->watch(a->watch_arg, &s);
}

/* ---- an analysis ---- */

struct iota *iota_new(unsigned wanted)
{
	struct iota *a = iota_malloc(sizeof(*a));
	unsigned i;

	memset(a, 0, sizeof(*a));
	for (i = 0; i < IOTA_N_TABLES; i++) {
		a->table[i].id = (enum iota_table_id)i;
		a->table[i].shape = &iota_shapes[i];
		a->table[i].wanted = wanted & IOTA_IN(i);
		iota_merges((enum iota_table_id)i, a->merge[i]);
	}
	a->finds = wanted & IOTA_FINDINGS;
	a->joins_names = wanted & IOTA_NAMES;
	if (wanted & (IOTA_CONSTELLATIONS | IOTA_SEEKS))
		a->sharing = iota_sharing_new(wanted & IOTA_CONSTELLATIONS, wanted & IOTA_SEEKS);
	a->table[IOTA_BY_FILE].wanted |= a->finds || a->sharing;
	iota_rules_begin(a);
	return a;
}

void iota_end(struct iota *a)
{
	iota_thread_end(a);
	iota_file_end(a);
	iota_log_end(a);
	if (a->finds)
		iota_spots_finish(a);
	iota_region_end(a);
	if (a->sharing)
		iota_access_end(a);
	iota_judge(a, IOTA_OVER_LOGS, &(struct iota_evidence){0});
	iota_loops_forget(a);
}

void iota_free(struct iota *a)
{
	unsigned i;

	if (!a)
		return;
	iota_files_free(a);
	iota_mapped_free(a);
	iota_spots_free(a);
	iota_phases_free(a);
	free(a->lives.life);
	iota_sharing_free(a->sharing);
	for (i = 0; i < IOTA_N_TABLES; i++) {
		iota_keys_free(&a->table[i].keys);
		free(a->table[i].row);
	}
	iota_ops_free(&a->ops);
	iota_findings_free(a);
	iota_memory_free(&a->memory);
	free(a);
}
