/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - what calls did to which file, and in which order. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "spots.h"

#define UNKNOWN UINT64_MAX

/* Where one thread is with a descriptor.  Threads are read one after the other, and each begins anew. */
struct place {
	struct iota_row *row;
	uint64_t begin, end; /* of the bytes that the thread moved last */
	uint64_t position; /* file offset as its last call left it */
	uint64_t stream_at; /* where libc reads or writes next without a record of its own, */
	uint32_t number; /* among all uses of the analysis */
	uint32_t stream;
	bool vague; /* whether stream_at is so to the block only */
	bool moved; /* has the thread read or written? */
};

/*
 * iotr_handle.user: all about an open descriptor.  When the descriptor is closed, its place alone is kept,
 * since descriptor and file may come again; a bit of iotr_handle.user says that it is a place.
 */
struct iota_use {
	struct place at;
	struct place *kept; /* where the place goes when the descriptor is closed; NULL: it never was */
	struct iota_use *next, *next_free;
	/* seeks since bytes were moved, without those that changed nothing: their number, the offset
	   before the first, the line of the last */
	uint64_t away, left;
	struct iota_spot *away_at;
	struct iota_opened_at opener;
	/* the bytes that are read and written in one go; empty if it ends where it starts */
	struct iota_interval run[2];
};

/* A run that is written has an owner and a time.  One that is read has none. */
static void end_run(struct iota *a, struct iota_use *use, unsigned direction)
{
	struct iota_interval *run = &use->run[direction];

	if (run->start == run->end)
		return;
	iota_owned_set(&a->memory, &use->at.row->seen[direction], *run);
	run->end = run->start;
}

static void run_on(struct iota *a, struct iota_use *use, const struct iota_sample *s, uint64_t start)
{
	unsigned direction = s->does == IOTA_DOES_WRITE;
	struct iota_interval *run = &use->run[direction];
	uint64_t end = iota_sum_of_sizes(start, s->moved);

	if (start == end)
		return;
	use->at.row->placed[direction] += s->moved;
	if (run->start == run->end || start != run->end) {
		end_run(a, use, direction);
		*run = (struct iota_interval){.start = start};
	}
	run->end = end;
	if (!direction)
		return;
	run->owner = a->thread.process->number;
	run->time = s->call->start;
}

void iota_file_end(struct iota *a)
{
	struct iota_use *use;
	unsigned i;

	for (use = a->uses; use; use = use->next)
		for (i = 0; i < 2; i++)
			end_run(a, use, i);
}

static struct iota_row *row_of_path(struct iota *a, const struct iotr_path *path)
{
	/* the object is the log's and const to us, but this field is ours */
	if (!path->user) {
		((struct iotr_path *)path)->user =
			iota_row(a, IOTA_BY_FILE, path->name, path->len, NULL);
		iota_name_is(a, path->user, path);
	}
	return path->user;
}

#define NAMELESS "(descriptor "

bool iota_is_nameless(const struct iota_row *file)
{
	return file->name_len > strlen(NAMELESS) && !memcmp(file->name, NAMELESS, strlen(NAMELESS));
}

/* A descriptor without a file's name has a row of its own in each process. */
static struct iota_row *row_of_descriptor(struct iota *a, const struct iotr_call *call,
					  const struct iotr_handle *h)
{
	char name[100];
	int n = snprintf(name, sizeof(name), NAMELESS "%d of process %u)", h->fd, call->pid);

	return iota_row(a, IOTA_BY_FILE, name, (size_t)n, NULL);
}

/* Some programs close all numbers that a descriptor can have.  All that are not open share one row. */
static bool is_not_open(const struct iotr_call *call)
{
	return call->err == EBADF && call->handle && !call->handle->path;
}

static struct iota_row *not_open(struct iota *a)
{
	static const char name[] = NAMELESS "that is not open)";

	if (!a->not_open)
		a->not_open = iota_row(a, IOTA_BY_FILE, name, strlen(name), NULL);
	return a->not_open;
}

#define CLOSED ((uintptr_t)1)

static bool is_closed(const struct iotr_handle *h)
{
	return (uintptr_t)h->user & CLOSED;
}

static struct place *place_of(const struct iotr_handle *h)
{
	return (struct place *)((uintptr_t)h->user & ~CLOSED); /* a use begins with it */
}

static void set_user(const struct iotr_handle *h, void *user)
{
	/* the object is the log's and const to us, but this field is ours */
	((struct iotr_handle *)h)->user = user;
}

static struct iota_use *new_use(struct iota *a)
{
	struct iota_use *use = a->free_uses;

	if (use) {
		a->free_uses = use->next_free;
		*use = (struct iota_use){.next = use->next};
	} else {
		use = iota_alloc(&a->memory, sizeof(*use));
		use->next = a->uses;
		a->uses = use;
	}
	return use;
}

/* The file offset is not known.  A stream begins at 0, but for descriptors up to 2, which the process
   may have been given with another offset. */
static void at_begin(struct place *at, const struct iotr_handle *h)
{
	at->position = UNKNOWN;
	at->stream_at = h->fd > STDERR_FILENO ? 0 : UNKNOWN;
	at->vague = false;
}

static struct iota_use *open_again(struct iota *a, const struct iotr_handle *h)
{
	struct iota_use *use = new_use(a);

	use->kept = place_of(h);
	use->at = *use->kept;
	at_begin(&use->at, h);
	set_user(h, use);
	return use;
}

static void close_use(struct iota *a, const struct iotr_handle *h, struct iota_use *use)
{
	if (use->away)
		return;
	end_run(a, use, 0);
	end_run(a, use, 1);
	if (!use->kept)
		use->kept = iota_alloc(&a->memory, sizeof(*use->kept));
	*use->kept = use->at;
	set_user(h, (void *)((uintptr_t)use->kept | CLOSED));
	use->next_free = a->free_uses;
	a->free_uses = use;
}

static struct iota_use *begin_use(struct iota *a, const struct iotr_call *call, const struct iotr_handle *h)
{
	struct iota_use *use = new_use(a);

	use->at.row = h->path ? row_of_path(a, h->path) : row_of_descriptor(a, call, h);
	use->at.number = ++a->n_uses;
	use->at.stream = call->stream;
	at_begin(&use->at, h);
	set_user(h, use);
	return use;
}

static struct iota_use *use_of(struct iota *a, const struct iotr_call *call, const struct iotr_handle *h)
{
	struct iota_use *use = is_closed(h) ? open_again(a, h) : h->user;

	if (!use)
		use = begin_use(a, call, h);
	if (use->at.stream != call->stream) {
		end_run(a, use, 0);
		end_run(a, use, 1);
		use->at.stream = call->stream;
		use->at.moved = false;
		use->at.position = use->at.stream_at = UNKNOWN;
		use->away = 0;
	}
	return use;
}

/* Does a transfer go elsewhere?  One that moves mostly the last one's bytes again does not. */
static bool jumps(const struct iota_use *use, uint64_t begin, uint64_t end)
{
	uint64_t low = begin > use->at.begin ? begin : use->at.begin, high = end < use->at.end ? end : use->at.end;

	return use->at.moved && begin != use->at.end && !(low < high && 2 * (high - low) >= end - begin);
}

/* Does the write end or begin inside a block?  The file system then reads the block, to keep the rest of
   it. */
static bool is_unaligned(const struct iota_sample *s, uint64_t end)
{
	const struct iotr_path *path = s->call->handle ? s->call->handle->path : NULL;
	uint64_t block = path ? path->blksize : 0;

	if (s->does != IOTA_DOES_WRITE || !block || path->size == IOTR_UNKNOWN_SIZE || end > path->size)
		return false;
	if (path->layout && path->layout->size && s->moved >= path->layout->size)
		block = path->layout->size;
	/* nothing lies behind the file's end */
	return s->moved >= block && (s->call->offset % block || (end % block && end != path->size));
}

/* Counts whether a transfer continues the one before. */
static void follow(struct iota *a, struct iota_use *use, uint64_t offset, uint64_t end)
{
	uint64_t *v = iota_numbers(a, use->at.row);

	v[IOTA_F_LOCATED]++;
	v[IOTA_F_CONSECUTIVE] += !use->at.moved || offset == use->at.end;
	v[IOTA_F_SEQUENTIAL] += !use->at.moved || offset >= use->at.end;
	use->at.moved = true;
	use->away = 0;
	use->at.begin = offset;
	use->at.end = end;
}

static void transfer(struct iota *a, struct iota_use *use, const struct iota_sample *s,
		     struct iota_spot *spot)
{
	const struct iotr_call *call = s->call;
	uint64_t *v = iota_numbers(a, use->at.row), end;

	if (s->does == IOTA_DOES_WRITE) {
		iota_sizes_count(a, &use->at.row->sizes[1], s->moved);
		v[IOTA_F_WRITE_TIME] += s->self;
	} else {
		iota_sizes_count(a, &use->at.row->sizes[0], s->moved);
		v[IOTA_F_READ_TIME] += s->self;
	}
	if (!(call->has & IOTR_HAS_OFFSET)) {
		if (!s->kind->positioned)
			use->at.position = use->at.stream_at = UNKNOWN;
		return;
	}
	end = call->offset + s->moved;
	if (spot) {
		bool jump = jumps(use, call->offset, end);

		run_on(a, use, s, call->offset);
		if (s->moved) /* one that meets the file's end has no place */
			iota_spot_moved(a, spot, use->at.number, call->offset, s->moved, jump);
		iota_spot_plus(a, spot, IOTA_S_UNALIGNED, jump && is_unaligned(s, end));
	}
	/* the kernel carries queued operations out in any order; the program's is that of the requests */
	if (!iota_is_queued(call))
		follow(a, use, call->offset, end);
	if (!s->kind->positioned)
		use->at.position = use->at.stream_at = end;
	if (s->does != IOTA_DOES_WRITE && end > v[IOTA_F_HIGHEST_READ])
		v[IOTA_F_HIGHEST_READ] = end;
}

/* When a seek leads back to where the last transfer ended, all seeks since then have changed nothing. */
static void seek(struct iota *a, struct iota_use *use, uint64_t to, struct iota_spot *spot)
{
	uint64_t *v = iota_numbers(a, use->at.row), idle = to == use->at.position;

	v[IOTA_F_SEEKS]++;
	if (!idle && use->away && to == use->left) {
		idle = 1;
		v[IOTA_F_IDLE_SEEKS] += use->away;
		if (use->away_at)
			iota_spot_plus(a, use->away_at, IOTA_S_IDLE, use->away);
		use->away = 0;
	} else if (!idle && use->at.moved) {
		if (!use->away++)
			use->left = use->at.position;
		use->away_at = spot;
	}
	v[IOTA_F_IDLE_SEEKS] += idle;
	if (spot)
		iota_spot_plus(a, spot, IOTA_S_IDLE, idle);
	use->at.position = use->at.stream_at = to;
}

/* libc reads a stream from its beginning, or from the block to which the program went. */
static void move_stream(struct iota_use *use, const struct iotr_call *call)
{
	uint64_t offset = 0, whence = 0;

	use->at.stream_at = UNKNOWN;
	use->at.vague = true;
	if (!strcmp(call->schema->name, "fsetpos") || iotr_call_failed(call))
		return;
	if (strcmp(call->schema->name, "rewind") != 0 &&
	    !(iota_param(call, IOTR_KIND_LONG, &offset) && iota_param(call, IOTR_KIND_WHENCE, &whence)))
		return;
	if (!whence)
		use->at.stream_at = offset - offset % IOTA_STREAM;
}

/* It is known to the byte where libc writes, as long as libc has neither read nor moved in this stream. */
static void move_unseen(struct iota *a, struct iota_use *use, const struct iota_sample *s)
{
	bool writes = s->does == IOTA_DOES_WRITE;

	use->at.vague |= !writes;
	if (use->at.stream_at == UNKNOWN || (writes && (use->at.vague || use->at.row->traits & IOTA_TRAIT_APPENDED)))
		return;
	run_on(a, use, s, use->at.stream_at);
	use->at.stream_at += s->moved;
}

static void with_descriptor(struct iota *a, struct iota_use *use, const struct iota_sample *s,
			    struct iota_spot *spot)
{
	uint64_t *v = iota_numbers(a, use->at.row);

	switch (s->does) {
	case IOTA_DOES_READ:
	case IOTA_DOES_WRITE:
	case IOTA_DOES_COPY:
		transfer(a, use, s, spot);
		break;
	case IOTA_DOES_SEEK:
		seek(a, use, (uint64_t)s->call->ret, spot);
		break;
	case IOTA_DOES_SYNC:
		v[IOTA_F_SYNCS]++;
		break;
	default:
		break;
	}
}

static void page_cache(uint64_t *v, const struct iotr_call *call)
{
	if (call->has & IOTR_HAS_CACHED) {
		v[IOTA_F_LOOKED] += (uint64_t)call->ret;
		v[IOTA_F_CACHED] += call->cached;
	}
	v[IOTA_F_FETCHED] += call->has & IOTR_HAS_FETCHED ? call->fetched : 0;
	v[IOTA_F_DIRTIED] += call->has & IOTR_HAS_DIRTIED ? call->dirtied : 0;
}

static void gained(uint64_t *v, const struct iotr_call *call)
{
	uint64_t unused;

	v[IOTA_F_FOUND] += iota_word(call, IOTR_KIND_FOUND);
	if (!iota_param(call, IOTR_KIND_UNUSED, &unused))
		return;
	v[IOTA_F_GAINED] += call->size;
	v[IOTA_F_TOUCHED] += iota_word(call, IOTR_KIND_TOUCHED);
	v[IOTA_F_UNUSED] += unused;
}

/* The call's argument says whether the file had to be read.  In sequential access, the kernel maps or
   reads pages before the program touches them: the next fault lies somewhat further on. */
static void fault(struct iota *a, struct iota_row *row, const struct iota_sample *s, struct iota_spot *spot)
{
	const struct iotr_call *call = s->call;
	uint64_t access, last, *v = iota_numbers(a, row);

	if (spot && call->has & IOTR_HAS_OFFSET)
		iota_spot_moved(a, spot, row->number, call->offset, 0,
				iota_spot_last(spot, &last) && call->offset - last > a->touched->size);
	v[IOTA_F_FAULTS]++;
	if (iota_param(s->call, IOTR_KIND_ACCESS, &access))
		v[IOTA_F_MAJOR] += !!(access & IOTA_ACCESS_MAJOR);
}

/* The row of all calls that are on no file, so that the rows add up to all calls. */
static struct iota_row *no_file(struct iota *a)
{
	if (!a->no_file)
		a->no_file = iota_row(a, IOTA_BY_FILE, IOTA_NO_FILE, strlen(IOTA_NO_FILE), NULL);
	return a->no_file;
}

struct iota_row *iota_copied_to(struct iota *a, const struct iotr_call *call)
{
	unsigned i;

	for (i = 0; i < call->schema->n_params; i++)
		if (call->value[i].type == IOTR_VAL_HANDLE)
			return use_of(a, call, call->value[i].handle)->at.row;
	return NULL;
}

/* A copy reads one file and writes another. */
static void copy(struct iota *a, struct iota_row *from, const struct iota_sample *s)
{
	struct iota_sample half = *s;
	struct iota_row *to;
	uint64_t *v;

	half.does = IOTA_DOES_READ;
	iota_row_add(a, from, &half);
	if (!s->is_syscall)
		return;
	to = iota_copied_to(a, s->call);
	to = to ? to : no_file(a);
	if (iota_regular(to))
		from->traits |= IOTA_TRAIT_COPIED;
	v = iota_numbers(a, to);
	v[IOTA_F_WRITES]++;
	v[IOTA_F_WRITTEN] += s->moved;
}

/* Is it a poll() or select() of no descriptors, which only lets time pass? */
static bool is_pause(const struct iota_sample *s)
{
	uint64_t descriptors;

	return s->waits && iota_param(s->call, IOTR_KIND_NFDS, &descriptors) && !descriptors;
}

#define PROGRAMS (IOTA_STARTS | IOTA_EXECS | IOTA_FORKS | IOTA_AWAITS)

/* The spot of a call on no file, if a rule looks at such calls.  Starting a program takes all of the
   call's time, also what libc calls for it.  A call that need not wait is no pause.  A child's return
   from fork() is not counted. */
static struct iota_spot *no_file_spot(struct iota *a, const struct iota_sample *s)
{
	struct iota_sample seen = *s;

	if (!a->finds || !(s->kind->roles & (IOTA_POLLS | PROGRAMS | IOTA_WALKS) || s->does == IOTA_DOES_SYNC))
		return NULL;
	if (s->kind->roles & IOTA_FORKS && !s->call->ret)
		return NULL;
	if (s->kind->roles & PROGRAMS)
		seen.self = s->time;
	seen.waits = is_pause(s);
	return iota_spot_add(a, no_file(a), &seen);
}

/* Notes who reads and writes the file, and when its name was removed. */
static void remember_use(struct iota *a, struct iota_row *row, const struct iota_sample *s)
{
	if (s->call->mpi_own)
		return;
	if (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE)
		iota_moved_by(a, row, s->does == IOTA_DOES_WRITE, a->thread.process->number, s->call->tid);
	if (s->does == IOTA_DOES_REMOVE && s->call->start > row->rare->removed)
		iota_rare_of(a, row)->removed = s->call->start;
}

/* Counts how often one process opens the file.  Calls come process by process, or nearly so. */
static void opened_by(struct iota_row *row, uint32_t process)
{
	row->opened = row->opener == process ? row->opened + 1 : 1;
	row->opener = process;
	if (row->opened > row->most_opened)
		row->most_opened = row->opened;
}

struct iota_row *iota_file_of(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_path *path;
	const char *name;
	size_t len;
	int index;

	name = iotr_call_path(call, &len, &path, &index);
	if (!name && is_not_open(call))
		return a->not_open;
	if (call->handle && (!name || index < 0))
		return call->handle->user ? place_of(call->handle)->row : NULL;
	if (!name)
		return a->no_file;
	return path ? path->user : iota_row(a, IOTA_BY_FILE, name, len, NULL);
}

/* The row of the file that the call is on, and, in *use, its descriptor.  NULL: it is on no file. */
static struct iota_row *row_of_call(struct iota *a, const struct iota_sample *s, struct iota_use **use)
{
	const struct iotr_call *call = s->call;
	const struct iotr_path *path;
	const char *name = NULL;
	struct iota_row *row;
	size_t len;

	/* most calls have a descriptor, and their name is not looked for */
	if (!(call->handle && call->handle->path))
		name = iotr_call_path(call, &len, &path, NULL);
	if (name)
		return path ? row_of_path(a, path) : iota_row(a, IOTA_BY_FILE, name, len, NULL);
	if (is_not_open(call))
		return not_open(a);
	if (call->handle) {
		*use = use_of(a, call, call->handle);
		return (*use)->at.row;
	}
	if (!s->kind->of_memory || !(row = a->memory_row = iota_mapped_row(a, call)))
		return NULL;
	iota_numbers(a, row)[IOTA_F_SYNCS] += s->does == IOTA_DOES_SYNC;
	return row;
}

static void add_to_row(struct iota *a, struct iota_row *row, const struct iota_sample *s)
{
	if (s->does == IOTA_DOES_COPY)
		copy(a, row, s);
	else
		iota_row_add(a, row, s);
}

struct iota_spot *iota_file_add(struct iota *a, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	struct iota_use *use = NULL;
	struct iota_spot *spot = NULL; /* NULL unless findings are wanted */
	struct iota_row *row = row_of_call(a, s, &use);
	uint64_t *v;

	if (!row) {
		add_to_row(a, no_file(a), s);
		return no_file_spot(a, s);
	}
	if (s->kind->roles & IOTA_UNNAMES)
		iota_name_removed(a, call);
	if (use && s->kind->of_memory)
		iota_mapped_add(a, call, row);
	add_to_row(a, row, s);
	v = iota_numbers(a, row);
	if (!v[IOTA_F_FIRST] || call->start < v[IOTA_F_FIRST])
		v[IOTA_F_FIRST] = call->start;
	if (call->start > v[IOTA_F_LAST])
		v[IOTA_F_LAST] = call->start;
	if (!s->failed && s->timed)
		iota_name_reached(row, call->start + call->dur);
	if (call->has & (IOTR_HAS_CACHED | IOTR_HAS_FETCHED | IOTR_HAS_DIRTIED))
		page_cache(v, call);
	if (a->finds)
		spot = iota_spot_add(a, row, s);
	if (s->kind->of_memory)
		gained(v, call);
	if (s->does == IOTA_DOES_FAULT)
		fault(a, row, s, spot);
	remember_use(a, row, s);
	if (s->opened) {
		v[IOTA_F_OPENS]++;
		opened_by(row, a->thread.process->number);
		v[IOTA_F_OPEN_TIME] += s->self;
	} else if (use && s->is_syscall) {
		with_descriptor(a, use, s, spot);
	} else if (use && s->kind->roles & IOTA_MOVES_STREAM) {
		move_stream(use, call);
	} else if (use && spot && call->inferred && (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE)) {
		move_unseen(a, use, s);
	} else if (use && (s->asks == IOTA_DOES_READ || s->asks == IOTA_DOES_WRITE) && call->has & IOTR_HAS_OFFSET) {
		follow(a, use, call->offset, call->offset + call->size);
	}
	if (use && s->does == IOTA_DOES_CLOSE && !s->failed)
		close_use(a, call->handle, use);
	else if (use && spot && !s->opened)
		iota_opened_use(a, row, call->handle, &use->opener);
	return spot;
}
