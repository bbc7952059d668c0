/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spots.c - what each line of the program does to each file.
 *
 * While calls are added, a spot is found by file, kind of call and the number of the stack:
 * no frame is looked up.  When all have come, each spot gets the lines of its stack, and
 * spots that have the same lines become one.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "spots.h"

/* ---- the one of a call ---- */

static size_t slot_of(const struct iota_spots *s, const struct iota_row *file, const char *call,
		      const struct iotr_log *log, uint32_t stack)
{
	uint64_t h = (uintptr_t)file * 0x9e3779b97f4a7c15u;

	h = (h ^ (uintptr_t)call) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uintptr_t)log ^ stack) * 0x9e3779b97f4a7c15u;
	return (size_t)(h ^ h >> 32) & (s->size - 1);
}

static void grow(struct iota_spots *s)
{
	size_t i, at;

	free(s->hash);
	s->size = s->size ? s->size * 2 : 1024;
	s->hash = iota_grow(NULL, s->size, sizeof(struct iota_spot *));
	memset(s->hash, 0, s->size * sizeof(struct iota_spot *));
	for (i = 0; i < s->n; i++) {
		const struct iota_spot *spot = s->spot[i];

		at = slot_of(s, spot->file, spot->call, spot->log, spot->stack);
		while (s->hash[at])
			at = (at + 1) & (s->size - 1);
		s->hash[at] = s->spot[i];
	}
}

struct iota_spot *iota_spot_new(struct iota *a)
{
	struct iota_spots *s = &a->spots;
	struct iota_spot *new = iota_alloc(&a->memory, sizeof(*new));

	if (s->n == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 256;
		s->spot = iota_grow(s->spot, s->cap, sizeof(struct iota_spot *));
	}
	s->spot[s->n++] = new;
	return new;
}

static struct iota_spot *get(struct iota *a, struct iota_row *file, const struct iotr_call *call,
			     const char *name)
{
	struct iota_spots *s = &a->spots;
	struct iota_spot *spot;
	size_t at;

	if (2 * s->n >= s->size)
		grow(s);
	for (at = slot_of(s, file, name, call->log, call->stack); (spot = s->hash[at]);
	     at = (at + 1) & (s->size - 1))
		if (spot->file == file && spot->call == name && spot->log == call->log &&
		    spot->stack == call->stack)
			return spot;
	spot = s->hash[at] = iota_spot_new(a);
	spot->file = file;
	spot->call = name;
	spot->family = call->schema->family;
	spot->log = call->log;
	spot->stack = call->stack;
	spot->process = call->process;
	spot->pid = call->pid;
	spot->ticks = call->ticks;
	spot->statement = iota_statement(a, call);
	return spot;
}

/* ---- what a call adds to it ---- */

/* Errors by which a call says "not now" or "not of this kind", and which are no mistake. */
static bool expected(const struct iotr_call *call)
{
	switch (call->err) {
	case EAGAIN:
	case EINTR:
	case EINPROGRESS:
	case ENOTTY:
	case ESPIPE:
	case ECHILD:
	case ENOSYS:
		return true;
	default:
		return false;
	}
}

static bool same_text(const struct iotr_value *x, const struct iotr_value *y)
{
	if (x->type != y->type)
		return false;
	if (x->type == IOTR_VAL_PATH)
		return x->path == y->path ||
		       (x->path->len == y->path->len && !memcmp(x->path->name, y->path->name, x->path->len));
	return x->type == IOTR_VAL_BYTES && x->len == y->len && !memcmp(x->bytes, y->bytes, x->len);
}

/* Does it give ranks a view of MPI's in which a part is more than one piece? */
static bool scatters(const struct iotr_call *call)
{
	return !same_text(&call->value[2], &call->value[3]);
}

/* Which traits the hints have that MPI_File_open() is given. */
static uint32_t hints(const struct iotr_call *call)
{
	static const char *const names[] = {"romio_cb_read=enable", "romio_cb_write=enable"};
	const struct iotr_value *v = iota_value(call, IOTR_KIND_STR);
	const char *text = !v ? NULL : v->type == IOTR_VAL_BYTES ? v->bytes : v->type == IOTR_VAL_PATH ? v->path->name : NULL;
	size_t len = !text ? 0 : v->type == IOTR_VAL_BYTES ? v->len : v->path->len;
	uint32_t traits = 0;
	unsigned i;

	for (i = 0; i < 2; i++)
		if (len && memmem(text, len, names[i], strlen(names[i])))
			traits |= IOTA_TRAIT_CB_READ << i;
	return traits;
}

static void remember_file(struct iota_row *file, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	uint64_t mode;

	if (call->handle && call->handle->mode)
		file->mode = call->handle->mode & S_IFMT;
	if (!s->does && iota_param(call, IOTR_KIND_BUFMODE, &mode) && mode < 3)
		file->buffering |= 1u << mode;
	if (s->opened && iota_param(call, IOTR_KIND_OFLAGS, &mode) && mode & O_DSYNC)
		file->traits |= IOTA_TRAIT_SYNCED;
	if (s->kind->has_advice && !s->failed && iota_param(call, IOTR_KIND_FADVISE, &mode) && mode == POSIX_FADV_RANDOM)
		file->traits |= IOTA_TRAIT_RANDOM;
	if (s->kind->views && !s->does && scatters(call))
		file->traits |= IOTA_TRAIT_VIEWED;
	if (s->kind->hints && (s->does == IOTA_DOES_OPEN || !s->does))
		file->traits |= hints(call);
}

/* Bits of a Fortran statement's mode: IOMODE in table/symbols-x86_64.def. */
#define MODE_LIST 2
#define MODE_NONADVANCING 32
#define MODE_UNFORMATTED 128

/* A stream asks for as much as its buffer holds, also where that can only be inferred. */
#define STREAM 4096

static bool is_short(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	uint64_t asked = call->inferred ? STREAM : call->has & IOTR_HAS_SIZE ? call->size : 0;

	return s->moved && s->moved < asked / 2;
}

static void add_transfer(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	const struct iota_rule *rule = s->does == IOTA_DOES_WRITE ? a->small[1] : a->small[0];
	uint64_t mode;

	if (s->kind->has_mode && iota_param(s->call, IOTR_KIND_IOMODE, &mode)) {
		iota_spot_plus(a, spot, IOTA_S_LIST, !!(mode & MODE_LIST));
		iota_spot_plus(a, spot, IOTA_S_RAW, !!(mode & MODE_UNFORMATTED));
		iota_spot_plus(a, spot, IOTA_S_NONADVANCING, !!(mode & MODE_NONADVANCING));
	}
	spot->common[IOTA_S_BYTES] += s->moved;
	iota_spot_plus(a, spot, IOTA_S_SHORT, is_short(s));
	if (!s->moved || s->moved >= rule->size)
		return;
	spot->common[IOTA_S_SMALL]++;
	spot->common[IOTA_S_SMALL_BYTES] += s->moved;
	iota_spot_plus(a, spot, IOTA_S_ONES, s->moved == 1);
}

static void greatest(uint64_t *v, uint64_t of)
{
	*v = of > *v ? of : *v;
}

/* Calls come thread by thread. */
static void add_thread(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	uint64_t start = s->call->start, end = start + s->time, *v = spot->common, outside;

	if (spot->thread != a->thread.serial) {
		spot->thread_time = 0;
		spot->thread_end = start;
	} else if (s->does == IOTA_DOES_READ) {
		outside = a->thread.outside - spot->outside;
		iota_spot_plus(a, spot, IOTA_S_HIDES, outside < s->self ? outside : s->self);
		iota_spot_plus(a, spot, IOTA_S_BETWEEN, outside);
	}
	spot->outside = a->thread.outside;
	spot->thread = a->thread.serial;
	spot->thread_time += s->self + s->own;
	v[IOTA_S_SPANS] += end > spot->thread_end ? end - spot->thread_end : 0;
	greatest(&spot->thread_end, end);
	greatest(&v[IOTA_S_MOST], spot->thread_time);
	greatest(&v[IOTA_S_BEFORE], UINT64_MAX - start);
	greatest(&v[IOTA_S_LAST], end);
	v[IOTA_S_THREADS] |= a->thread.bit;
}

uint64_t iota_threads(const uint64_t v[IOTA_N_SPOT])
{
	int bits = __builtin_popcountll(v[IOTA_S_THREADS]);

	return bits < 64 ? (uint64_t)(64 * log(64.0 / (64 - bits)) + .5) : 64 * 64;
}

/* ---- who opened what is closed ---- */

struct opened {
	const struct iota_row *file;
	uint32_t process;
	int64_t fd;
	struct iota_spot *spot;
};

static int by_descriptor(const void *a, const void *b)
{
	const struct opened *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->fd != y->fd)
		return x->fd < y->fd ? -1 : 1;
	return (x->file > y->file) - (x->file < y->file);
}

/* A descriptor that is opened again was closed by what is in no log. */
static void remember_opener(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	struct opened like = {spot->file, a->thread.process->number, s->call->ret, NULL}, **at, *new;

	at = tfind(&like, &a->opened, by_descriptor);
	if (at) {
		(*at)->spot = spot;
		return;
	}
	new = iota_malloc(sizeof(*new));
	*new = like;
	new->spot = spot;
	iota_tree_add(&a->opened, new, by_descriptor);
}

/* Those that another thread or process closes may have been read before they were opened, or after:
   iota_weigh_leaked() supposes that any line may have opened them. */
static void find_opener(struct iota *a, const struct iota_row *file, const struct iotr_handle *handle)
{
	struct opened like = {file, a->thread.process->number, handle->fd, NULL}, **at, *gone;

	at = tfind(&like, &a->opened, by_descriptor);
	if (!at)
		return;
	gone = *at;
	gone->spot->common[IOTA_S_CLOSED]++;
	tdelete(&like, &a->opened, by_descriptor);
	free(gone);
}

struct iota_spot *iota_spot_add(struct iota *a, struct iota_row *file, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const char *syscall = s->kind->any ? iotr_call_syscall(call) : NULL;
	struct iota_spot *spot = get(a, file, call, syscall ? syscall : call->schema->name);
	uint64_t *v = spot->common;

	if (call->mpi_own)
		return spot;
	if (s->does)
		spot->does = s->does;
	spot->is_syscall |= s->is_syscall || call->inferred;
	v[IOTA_S_CALLS]++;
	if (s->failed && !expected(call)) {
		iota_spot_plus(a, spot, IOTA_S_ERRORS, 1);
		iota_spot_plus(a, spot, IOTA_S_MISSING, call->err == ENOENT || call->err == ENOTDIR);
	}
	v[IOTA_S_TIME] += s->self + s->own;
	greatest(&v[IOTA_S_MAX], s->self);
	add_thread(a, spot, s);
	v[IOTA_S_BENEATH] += call->depth > 0 || call->inferred;
	iota_spot_plus(a, spot, IOTA_S_CARRIED, s->carried);
	v[IOTA_S_OPENED] += s->opened;
	if (s->opened && s->is_syscall)
		remember_opener(a, spot, s);
	else if (s->does == IOTA_DOES_CLOSE && !call->inferred && call->handle)
		find_opener(a, file, call->handle);
	iota_spot_plus(a, spot, IOTA_S_WAITS, s->waits);
	if (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE || s->does == IOTA_DOES_COPY)
		add_transfer(a, spot, s);
	if (s->does == IOTA_DOES_OTHER || s->does == IOTA_DOES_OPEN || call->handle)
		remember_file(file, s);
	return spot;
}

void iota_spot_moved(struct iota *a, struct iota_spot *spot, const void *use, uint64_t offset,
		     uint64_t size, bool jumps)
{
	bool again = spot->use == use;
	int64_t delta = (int64_t)(offset - spot->last);

	spot->common[IOTA_S_LOCATED]++;
	iota_spot_plus(a, spot, IOTA_S_JUMPS, jumps);
	iota_spot_plus(a, spot, IOTA_S_SAME, again && !delta);
	if (jumps && again) {
		iota_spot_plus(a, spot, IOTA_S_BACK, delta < 0);
		iota_spot_plus(a, spot, IOTA_S_OWN, offset == spot->end);
		iota_spot_plus(a, spot, IOTA_S_STRIDED, delta && delta == spot->delta);
	}
	spot->delta = again ? delta : 0;
	spot->use = use;
	spot->last = offset;
	spot->end = iota_sum_of_sizes(offset, size);
}

/* ---- when all have come ---- */

static int by_all(const void *a, const void *b)
{
	const struct iota_spot *x = *(struct iota_spot *const *)a, *y = *(struct iota_spot *const *)b;
	int order;

	order = x->file == y->file ? 0 : iota_row_by_key(x->file, y->file);
	order = order ? order : iota_chain_compare(x->chain, y->chain);
	return order ? order : strcmp(x->call, y->call);
}

static void sum(uint64_t *to, const uint64_t *from, unsigned field, unsigned end)
{
	for (; field < end; field++, to++, from++) {
		switch (field) {
		case IOTA_S_MAX:
		case IOTA_S_MOST:
		case IOTA_S_BEFORE:
		case IOTA_S_LAST:
		case IOTA_S_BETWEEN:
			greatest(to, *from);
			break;
		case IOTA_S_THREADS:
			*to |= *from;
			break;
		default:
			*to += *from;
		}
	}
}

void iota_spot_sum(uint64_t to[IOTA_N_SPOT], const struct iota_spot *from)
{
	sum(to, from->common, 0, IOTA_S_RARE);
	if (from->rare)
		sum(to + IOTA_S_RARE, from->rare, IOTA_S_RARE, IOTA_N_SPOT);
}

static void join(struct iota_spot *to, const struct iota_spot *from)
{
	sum(to->common, from->common, 0, IOTA_S_RARE);
	if (to->rare && from->rare)
		sum(to->rare, from->rare, IOTA_S_RARE, IOTA_N_SPOT);
	else if (from->rare)
		to->rare = from->rare;
	to->is_syscall |= from->is_syscall;
	if (from->does)
		to->does = from->does;
}

/* The compiler has told Fortran's runtime "file:line"; there is nothing more to know. */
static struct iota_chain *chain_of_statement(struct iota *a, const struct iotr_path *at)
{
	const char *colon = memrchr(at->name, ':', at->len);
	struct iota_chain *chain = iota_chain_new(a, 1);
	struct iota_bytes file = {0};

	iota_bytes_add(&file, at->name, colon ? (size_t)(colon - at->name) : at->len);
	iota_bytes_add(&file, "", 1);
	chain->at[0] = iota_place(a, &(struct iota_place){.file = file.p,
							  .line = colon ? atoi(colon + 1) : 0});
	free(file.p);
	return chain;
}

/* Rules ask each spot about all that its file has. */
static void sum_up(struct iota_spot *first)
{
	struct iota_spot *s, *of_line = first;

	for (s = first; s; s = s->next_of_file) {
		if (iota_chain_compare(s->chain, of_line->chain))
			of_line = s;
		s->of_line = of_line;
		if (iota_stays(s) && iota_spot_v(s, IOTA_S_LOCATED) > first->stays)
			first->stays = iota_spot_v(s, IOTA_S_LOCATED);
		if (s->does == IOTA_DOES_CLOSE)
			first->closed += iota_spot_v(s, IOTA_S_CALLS) - iota_spot_v(s, IOTA_S_BENEATH);
		first->known += iota_spot_v(s, IOTA_S_CLOSED);
	}
}

void iota_spots_sort(struct iota *a)
{
	struct iota_spots *s = &a->spots;
	size_t i, n = 0;

	if (s->n)
		qsort(s->spot, s->n, sizeof(struct iota_spot *), by_all);
	for (i = 0; i < s->n; i++) {
		if (n && !by_all(&s->spot[n - 1], &s->spot[i]))
			join(s->spot[n - 1], s->spot[i]);
		else
			s->spot[n++] = s->spot[i];
	}
	s->n = n;
	for (i = 0; i < n; i++)
		s->spot[i]->file->spots = NULL;
	while (i--) {
		s->spot[i]->next_of_file = s->spot[i]->file->spots;
		s->spot[i]->file->spots = s->spot[i];
		iota_chain_callers(s->spot[i]->chain);
		if (s->spot[i]->chain && !iota_spot_v(s->spot[i], IOTA_S_BENEATH))
			iota_function_count(s->spot[i]->chain->at[0]->function, s->spot[i]);
	}
	for (i = 0; i < n; i++)
		if (s->spot[i]->file->spots == s->spot[i])
			sum_up(s->spot[i]);
}

/* What has been remembered of the last call gives way. */
static void begin_judging(struct iota_spot *spot)
{
	spot->of_line = NULL;
	spot->index = spot->weight = 0;
	spot->site = NULL;
	spot->level = 0;
	spot->counted = false;
	spot->stays = spot->closed = spot->known = 0;
}

void iota_spots_finish(struct iota *a)
{
	struct iota_spots *s = &a->spots;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct iota_spot *spot = s->spot[i];

		spot->chain = iota_chain_of(a, spot);
		if (spot->statement)
			spot->chain = chain_of_statement(a, spot->statement);
		begin_judging(spot);
	}
	free(s->hash);
	s->hash = NULL;
	s->size = 0;
}

static void nothing(void *place)
{
	(void)place;
}

void iota_spots_free(struct iota *a)
{
	free(a->spots.spot);
	free(a->spots.hash);
	tdestroy(a->opened, free);
	tdestroy(a->spots.places, nothing);
	tdestroy(a->spots.functions, nothing);
}
