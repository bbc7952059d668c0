/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spots.c - what each line of the program does to each file.
 *
 * A spot is one line's calls of one kind on one file.  While calls are added, it is found by the
 * file, the kind of call and the stack's number, without a look at any frame.  A file's spots
 * form a ring while they are few, as those of most files are; the others are in a hash table.
 * spots-joined.c goes on when all calls have come.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "spots.h"

/* ---- the one of a call ---- */

/* What calls of one spot have in common, beside the file.  A stack whose code was replaced is a
   different one from then on. */
struct key {
	const char *name;
	const struct iotr_log *log;
	uint32_t stack;
	uint64_t since;
};

static struct key key_of(const struct iota_origin *o)
{
	return (struct key){o->call, o->log, o->stack, o->since};
}

static bool has_key(const struct iota_origin *o, const struct key *k)
{
	return o->call == k->name && o->stack == k->stack && o->log == k->log && o->since == k->since;
}

static uint64_t hash_of(struct key k)
{
	uint64_t h = (uintptr_t)k.name * 0x9e3779b97f4a7c15u;

	h = (h ^ (uintptr_t)k.log ^ k.stack ^ k.since) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static size_t slot_of(const struct iota_spots *s, const struct iota_row *file, uint64_t hash)
{
	uint64_t h = ((uintptr_t)file ^ hash) * 0x9e3779b97f4a7c15u;

	return (size_t)(h ^ h >> 32) & (s->size - 1);
}

/* Enters a spot into the hash table; number is 1 more than its index. */
static void put(struct iota_spots *s, uint32_t number)
{
	const struct iota_spot *spot = s->spot[number - 1];
	size_t at = slot_of(s, spot->file, hash_of(key_of(spot->from)));

	while (s->hash[at])
		at = (at + 1) & (s->size - 1);
	s->hash[at] = number;
}

static void grow(struct iota_spots *s)
{
	size_t i;

	free(s->hash);
	s->size = s->size ? s->size * 2 : 1024;
	s->hash = iota_grow(NULL, s->size, sizeof(*s->hash));
	memset(s->hash, 0, s->size * sizeof(*s->hash));
	for (i = 0; i < s->n; i++)
		if (s->spot[i]->hashed)
			put(s, (uint32_t)i + 1);
}

static void put_hashed(struct iota_spots *s, uint32_t number)
{
	if (2 * s->n_hashed >= s->size)
		grow(s);
	put(s, number);
	s->spot[number - 1]->hashed = true;
	s->n_hashed++;
}

#define TOGETHER 64 /* memory for so many spots is taken */

struct iota_spot *iota_spot_new(struct iota *a)
{
	struct iota_spots *s = &a->spots;

	if (!s->n_fresh) {
		s->fresh = iota_alloc(&a->memory, TOGETHER * sizeof(*s->fresh));
		s->n_fresh = TOGETHER;
	}
	if (s->n == UINT32_MAX - 1)
		iota_no_memory(); /* numbers of spots have 32 bits */
	IOTA_ROOM(s->spot, s->n, s->cap);
	s->n_fresh--;
	return s->spot[s->n++] = s->fresh++;
}

/* ---- from where it comes ---- */

struct iota_origin *iota_origin_new(struct iota *a, const char *call, struct iota_chain *chain)
{
	struct iota_spots *s = &a->spots;
	struct iota_origin *new = iota_alloc(&a->memory, sizeof(*new));

	new->call = call;
	new->roles = iota_roles(call);
	new->chain = chain;
	new->number = (uint32_t)s->n_origins;
	IOTA_ROOM(s->origin, s->n_origins, s->cap_origins);
	return s->origin[s->n_origins++] = new;
}

static void grow_origins(struct iota_spots *s)
{
	size_t i, at;

	free(s->origin_hash);
	s->origin_size = s->origin_size ? s->origin_size * 2 : 256;
	s->origin_hash = iota_grow(NULL, s->origin_size, sizeof(*s->origin_hash));
	memset(s->origin_hash, 0, s->origin_size * sizeof(*s->origin_hash));
	for (i = 0; i < s->n_origins; i++) {
		const struct iota_origin *o = s->origin[i];

		at = hash_of(key_of(o)) & (s->origin_size - 1);
		while (s->origin_hash[at])
			at = (at + 1) & (s->origin_size - 1);
		s->origin_hash[at] = s->origin[i];
	}
}

/* The origin of a call.  Processes of one log, which forked each other, may have different code at the
   same address. */
static struct iota_origin *origin_of(struct iota *a, const struct iotr_call *call, const struct key *key)
{
	const struct iotr_path *statement = iota_statement(a, call);
	struct iota_spots *s = &a->spots;
	struct iota_origin *o;
	size_t at;

	if (2 * s->n_origins >= s->origin_size)
		grow_origins(s);
	for (at = hash_of(*key) & (s->origin_size - 1); (o = s->origin_hash[at]); at = (at + 1) & (s->origin_size - 1))
		if (has_key(o, key) && o->process == call->process && o->statement == statement)
			return o;
	o = s->origin_hash[at] = iota_origin_new(a, key->name, NULL);
	o->log = call->log;
	o->stack = key->stack;
	o->since = key->since;
	o->process = call->process;
	o->pid = call->pid;
	o->ticks = call->ticks;
	o->statement = statement;
	return o;
}

static inline bool is_of(const struct iota_spot *spot, const struct iota_row *file, const struct key *key)
{
	return spot->file == file && has_key(spot->from, key);
}

static struct iota_spot *spot_of(struct iota *a, struct iota_row *file, const struct iotr_call *call,
				 const struct key *key)
{
	struct iota_spot *spot = iota_spot_new(a);

	spot->file = file;
	spot->from = origin_of(a, call, key);
	return spot;
}

static struct iota_spot *look_up_hashed(struct iota *a, struct iota_row *file, const struct iotr_call *call,
					const struct key *key)
{
	struct iota_spots *s = &a->spots;
	struct iota_spot *spot;
	size_t at;

	for (at = slot_of(s, file, hash_of(*key)); s->hash[at]; at = (at + 1) & (s->size - 1)) {
		spot = s->spot[s->hash[at] - 1];
		if (is_of(spot, file, key))
			return spot;
	}
	spot = spot_of(a, file, call, key);
	put_hashed(s, (uint32_t)s->n);
	return spot;
}

#define CHAINED 8 /* so many spots of a file form a ring */

/* Finds the file's spot.  file->spots is the last one of the ring, and the first one follows it. */
static struct iota_spot *look_up(struct iota *a, struct iota_row *file, const struct iotr_call *call,
				 const struct key *key)
{
	struct iota_spots *s = &a->spots;
	struct iota_spot *spot, *last = file->spots;
	unsigned n = 0;

	if (last && last->hashed)
		return look_up_hashed(a, file, call, key);
	for (spot = last; spot; spot = spot == last ? NULL : spot) {
		spot = s->spot[spot->next - 1];
		if (has_key(spot->from, key))
			return spot;
		n++;
	}
	if (n == CHAINED) {
		for (; n; n--, last = s->spot[last->next - 1])
			put_hashed(s, last->next);
		return look_up_hashed(a, file, call, key);
	}
	spot = spot_of(a, file, call, key);
	spot->next = last ? last->next : (uint32_t)s->n;
	if (last)
		last->next = (uint32_t)s->n;
	file->spots = spot;
	return spot;
}

/* Finds the file's spot.  A call in a loop has the same one as the call before. */
static struct iota_spot *get(struct iota *a, struct iota_row *file, const struct iotr_call *call,
			     const char *name)
{
	const struct key key = {name, call->log, call->stack, iotr_call_since(call)};
	struct iota_spots *s = &a->spots;

	if (!s->last || !is_of(s->last, file, &key))
		s->last = look_up(a, file, call, &key);
	return s->last;
}

/* ---- what a call adds to it ---- */

/* Does the error say "not now" or "not of this kind"?  Then it is no mistake. */
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

/* Does the call give ranks a view (MPI_File_set_view) in which a part is more than one piece? */
static bool scatters(const struct iotr_call *call)
{
	return !same_text(&call->value[2], &call->value[3]);
}

/* The traits that follow from MPI_File_open()'s hints. */
static unsigned char hints(const struct iotr_call *call)
{
	static const char *const names[] = {"romio_cb_read=enable", "romio_cb_write=enable"};
	const struct iotr_value *v = iota_value(call, IOTR_KIND_STR);
	const char *text = !v ? NULL : v->type == IOTR_VAL_BYTES ? v->bytes : v->type == IOTR_VAL_PATH ? v->path->name : NULL;
	size_t len = !text ? 0 : v->type == IOTR_VAL_BYTES ? v->len : v->path->len;
	unsigned char traits = 0;
	unsigned i;

	for (i = 0; i < 2; i++)
		if (len && memmem(text, len, names[i], strlen(names[i])))
			traits |= (unsigned char)(IOTA_TRAIT_CB_READ << i);
	return traits;
}

/* The flags with which open(2), its like, or fopen(3) opens a file: those O_* that matter here. */
static uint64_t opening(const struct iotr_call *call)
{
	const struct iotr_value *mode = iota_value(call, IOTR_KIND_FMODE);
	uint64_t flags;

	if (mode && mode->type == IOTR_VAL_BYTES && mode->len)
		return mode->bytes[0] == 'w' ? O_TRUNC : mode->bytes[0] == 'a' ? O_APPEND : 0;
	return iota_param(call, IOTR_KIND_OFLAGS, &flags) ? flags : 0;
}

static uint32_t traits_of(uint64_t flags)
{
	return (flags & O_DSYNC ? IOTA_TRAIT_SYNCED : 0) | (flags & O_APPEND ? IOTA_TRAIT_APPENDED : 0) |
	       (flags & O_DIRECT ? IOTA_TRAIT_DIRECT : 0);
}

/* The trait that a file gets by a call that says how it will be read. */
static uint32_t advised(const struct iota_sample *s)
{
	uint64_t advice = POSIX_FADV_WILLNEED; /* what readahead(2) does, which has no such parameter */

	if (s->failed || !(s->kind->roles & IOTA_ADVISES) ||
	    (s->kind->has_advice && !iota_param(s->call, IOTR_KIND_FADVISE, &advice)))
		return 0;
	return advice == POSIX_FADV_RANDOM ? IOTA_TRAIT_RANDOM : advice == POSIX_FADV_WILLNEED ? IOTA_TRAIT_ANNOUNCED : 0;
}

static uint32_t advised_of_pages(const struct iota_sample *s)
{
	uint64_t advice;

	if (!s->kind->of_memory || s->failed || !iota_param(s->call, IOTR_KIND_ADVICE, &advice))
		return 0;
	return advice == MADV_RANDOM ? IOTA_TRAIT_PAGED : advice == MADV_WILLNEED ? IOTA_TRAIT_ANNOUNCED : 0;
}

static void remember_file(struct iota_row *file, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	uint64_t mode;

	if (call->handle && call->handle->mode)
		file->mode = call->handle->mode & S_IFMT;
	if (!s->does && iota_param(call, IOTR_KIND_BUFMODE, &mode) && mode < 3)
		file->buffering |= (unsigned char)(1u << mode);
	if (s->opened)
		file->traits |= traits_of(opening(call));
	file->traits |= (uint16_t)(advised(s) | advised_of_pages(s));
	if (s->kind->views && !s->does && scatters(call))
		file->traits |= IOTA_TRAIT_VIEWED;
	if (s->kind->hints && (s->does == IOTA_DOES_OPEN || !s->does))
		file->traits |= hints(call);
}

/* Bits of a Fortran statement's mode: IOMODE in table/kinds-named.def. */
#define MODE_LIST 2
#define MODE_NONADVANCING 32
#define MODE_UNFORMATTED 128

/* Did the call move less than half of what it asked for?  An inferred call is a stream's, and asks for a
   whole buffer. */
static bool is_short(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	uint64_t asked = call->inferred ? IOTA_STREAM : call->has & IOTR_HAS_SIZE ? call->size : 0;

	return s->moved && s->moved < asked / 2;
}

/* Was there nothing to read? */
static bool is_vain(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;

	if (s->kind->roles & IOTA_POLLS)
		return !s->failed && !call->ret;
	if (s->kind->does != IOTA_DOES_READ || call->inferred || !s->is_syscall)
		return false;
	return s->failed ? call->err == EAGAIN : !s->moved && !s->peeked && call->has & IOTR_HAS_SIZE && call->size;
}

static void add_transfer(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	const struct iota_rule *rule = s->does == IOTA_DOES_WRITE ? a->small[1] : a->small[0];
	uint64_t mode;
	bool small;

	if (s->kind->has_mode && iota_param(s->call, IOTR_KIND_IOMODE, &mode)) {
		iota_spot_plus(a, spot, IOTA_S_LIST, !!(mode & MODE_LIST));
		iota_spot_plus(a, spot, IOTA_S_RAW, !!(mode & MODE_UNFORMATTED));
		iota_spot_plus(a, spot, IOTA_S_NONADVANCING, !!(mode & MODE_NONADVANCING));
	}
	small = s->moved && s->moved < rule->size;
	iota_spot_bytes(a, spot, s->moved, small);
	iota_spot_plus(a, spot, IOTA_S_SHORT, is_short(s));
	iota_spot_plus(a, spot, IOTA_S_ONES, small && s->moved == 1);
}

uint64_t iota_threads(const uint64_t v[IOTA_N_SPOT])
{
	int bits = __builtin_popcountll(v[IOTA_S_THREADS]);

	return bits < 64 ? (uint64_t)(64 * log(64.0 / (64 - bits)) + .5) : 64 * 64;
}

static void add_error(struct iota *a, struct iota_spot *spot, int err)
{
	iota_spot_plus(a, spot, IOTA_S_ERRORS, 1);
	iota_spot_plus(a, spot, IOTA_S_MISSING, err == ENOENT || err == ENOTDIR);
	iota_spot_plus(a, spot, IOTA_S_EXISTS, err == EEXIST);
	iota_spot_plus(a, spot, IOTA_S_REFUSED, err == EMFILE || err == ENFILE);
}

/* Did the call come too early: is what it asked for not there yet, or there already? */
static bool is_tried(const struct iota_sample *s, bool vain)
{
	int err = s->failed ? s->call->err : 0;

	return err == ENOENT || err == ENOTDIR || err == EEXIST || (vain && !(s->kind->roles & IOTA_POLLS));
}

/*
 * TCP holds a small part back until the peer acknowledges what was sent before, and a peer that has nothing
 * to say does so after 40 ms.  A program that sends two parts, and then waits for the answer, loses this
 * time.
 */
#define HELD_BACK_LEAST 38000000 /* ns */
#define HELD_BACK_MOST 60000000

static void see_talk(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	struct iota_talk *t = &a->talk;

	if (t->socket != spot->file || t->thread != a->thread.serial)
		*t = (struct iota_talk){.socket = spot->file, .thread = a->thread.serial};
	if (s->does == IOTA_DOES_WRITE && s->is_syscall) {
		t->writes++;
		t->last = spot;
	} else if (s->does == IOTA_DOES_READ && s->is_syscall) {
		if (t->writes > 1 && s->self >= HELD_BACK_LEAST && s->self < HELD_BACK_MOST) {
			iota_spot_plus(a, t->last, IOTA_S_DELAYED, 1);
			iota_spot_plus(a, t->last, IOTA_S_TRIED, s->self);
		}
		t->writes = 0;
	}
}

/* A program that has an answer, waits for more in vain, and then sends its next request, takes silence
   for the end of the answer. */
#define EXPIRED_LEAST 1000000 /* ns */

static void see_dialog(struct iota *a, struct iota_spot *spot, const struct iota_sample *s, bool vain)
{
	struct iota_dialog *d = &a->dialog;

	if (d->thread != a->thread.serial)
		*d = (struct iota_dialog){.thread = a->thread.serial};
	if (vain && s->self >= EXPIRED_LEAST) {
		d->wait = d->from && !d->wait ? spot : NULL;
		d->from = d->wait ? d->from : NULL; /* a second wait in vain has nothing that it could follow */
		d->time = s->self;
	} else if (s->does == IOTA_DOES_READ && (s->moved || s->peeked)) {
		d->from = spot->file;
		d->wait = NULL;
	} else if (s->does == IOTA_DOES_WRITE && spot->file == d->from) {
		if (d->wait) {
			iota_spot_plus(a, d->wait, IOTA_S_EXPIRED, 1);
			iota_spot_plus(a, d->wait, IOTA_S_EXPIRED_TIME, d->time);
		}
		d->from = NULL;
		d->wait = NULL;
	}
}

static bool gives_descriptor(const struct iotr_call *call)
{
	const unsigned result = call->schema->result;

	return result == IOTR_KIND_FD || result == IOTR_KIND_FILE || result == IOTR_KIND_DIR;
}

struct iota_spot *iota_spot_add(struct iota *a, struct iota_row *file, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const char *syscall = s->kind->any ? iotr_call_syscall(call) : NULL;
	struct iota_spot *spot = get(a, file, call, syscall ? syscall : call->schema->name);
	bool vain = is_vain(s);

	if (call->mpi_own)
		return spot;
	if (s->does == IOTA_DOES_OTHER || s->does == IOTA_DOES_OPEN || call->handle)
		remember_file(file, s);
	if (s->does)
		spot->does = (unsigned char)s->does;
	spot->is_syscall |= s->is_syscall || call->inferred;
	iota_spot_call(a, spot, s);
	if (s->failed && !expected(call))
		add_error(a, spot, call->err);
	if (spot->full)
		spot->sums->tried = is_tried(s, vain);
	iota_spot_plus(a, spot, IOTA_S_BENEATH, call->depth > 0 || call->inferred);
	iota_spot_plus(a, spot, IOTA_S_CARRIED, s->carried);
	iota_spot_plus(a, spot, IOTA_S_OPENED, s->opened);
	iota_spot_plus(a, spot, IOTA_S_EMPTIED, s->opened && opening(call) & O_TRUNC);
	if (s->opened && gives_descriptor(call))
		iota_opened_add(a, spot, call);
	else if (s->does == IOTA_DOES_CLOSE && !call->inferred && call->handle)
		iota_opened_close(a, file, call->handle);
	iota_spot_plus(a, spot, IOTA_S_WAITS, s->waits);
	iota_spot_plus(a, spot, IOTA_S_VAIN, vain);
	if (S_ISSOCK(file->mode)) {
		see_talk(a, spot, s);
		iota_spot_plus(a, spot, IOTA_S_PEEKED, s->peeked);
	}
	if (s->kind->roles & IOTA_POLLS || (s->is_syscall && (S_ISSOCK(file->mode) || S_ISCHR(file->mode))))
		see_dialog(a, spot, s, vain);
	if (s->kind->has_advice)
		iota_spot_plus(a, spot, IOTA_S_DROPS, iota_word(call, IOTR_KIND_FADVISE) == POSIX_FADV_DONTNEED);
	if (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE || s->does == IOTA_DOES_COPY)
		add_transfer(a, spot, s);
	return spot;
}
