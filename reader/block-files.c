/* SPDX-License-Identifier: BSD-3-Clause */
/* block-files.c - which files blocks name, and which blocks need not be read therefore. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "block-files.h"
#include "packed.h"
#include "schema.h"
#include "set.h"
#include "streams.h"

/* ---- noting ---- */

/* The first range that ends at id or behind it. */
static unsigned range_at(const struct iotr_files_seen *seen, uint32_t id)
{
	unsigned low = 0, high = seen->n;

	while (low < high) {
		unsigned mid = (low + high) / 2;

		if (seen->range[mid].to < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void remove_range(struct iotr_files_seen *seen, unsigned at)
{
	seen->n--;
	memmove(&seen->range[at], &seen->range[at + 1], (seen->n - at) * sizeof(seen->range[0]));
}

/* Two ranges become one: those between which the fewest ids are, both of handles or both of
   arguments. */
static void join_nearest(struct iotr_files_seen *seen)
{
	uint32_t least = UINT32_MAX;
	unsigned best = 0;

	for (unsigned i = 0; i + 1 < seen->n; i++) {
		uint32_t gap = seen->range[i + 1].from - seen->range[i].to;

		if (gap < least && !((seen->range[i].to ^ seen->range[i + 1].from) & IOTR_OF_ARGUMENT)) {
			least = gap;
			best = i;
		}
	}
	seen->range[best].to = seen->range[best + 1].to;
	remove_range(seen, best + 1);
}

void iotr_files_add(struct iotr_files_seen *seen, uint32_t id)
{
	unsigned at = range_at(seen, id);
	struct iotr_id_range *r = &seen->range[at];

	seen->last = id;
	if (at < seen->n && r->from <= id)
		return;
	if (at && r[-1].to + 1 == id && id != IOTR_OF_ARGUMENT) {
		r[-1].to = id;
		if (at < seen->n && r->from == id + 1 && r->from != IOTR_OF_ARGUMENT) {
			r[-1].to = r->to;
			remove_range(seen, at);
		}
		return;
	}
	if (at < seen->n && r->from == id + 1 && r->from != IOTR_OF_ARGUMENT) {
		r->from = id;
		return;
	}
	memmove(r + 1, r, (seen->n - at) * sizeof(*r));
	*r = (struct iotr_id_range){id, id};
	if (++seen->n > IOTR_FILE_RANGES)
		join_nearest(seen);
}

static void note_handle(struct iotr_files_seen *seen, uint32_t id)
{
	if (id >= IOTR_OF_ARGUMENT)
		seen->unknown = true;
	else if (id)
		iotr_files_note(seen, id);
}

/* An id, or two. */
static void note_argument(struct iotr_files_seen *seen, uint64_t word)
{
	const uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);

	if (low && low < IOTR_OF_ARGUMENT)
		iotr_files_note(seen, low | IOTR_OF_ARGUMENT);
	if (high && high < IOTR_OF_ARGUMENT)
		iotr_files_note(seen, high | IOTR_OF_ARGUMENT);
}

/* Can it be a text's first word, or say where among the strings of a job one is?  Negative
   numbers can't. */
static bool is_text(uint64_t word, size_t left)
{
	if (!(word & IOT_INLINE))
		return false;
	if (word & IOT_SHARED)
		return (word & ~(IOT_INLINE | IOT_SHARED)) < 1ULL << 48;
	return iot_inline_words(word) <= left;
}

void iotr_files_general(struct iotr_files_seen *seen, uint64_t call_bit, const uint64_t *w)
{
	const size_t words = iot_general_words(w[1]);
	size_t at = 4 + iot_count_bits(iot_general_present(w[1]));

	note_handle(seen, (uint32_t)w[2]);
	while (at < words) {
		const uint64_t word = w[at++];

		if (is_text(word, words - at)) {
			seen->texts |= call_bit;
			at += iot_inline_words(word);
		} else {
			note_argument(seen, word);
		}
	}
}

void iotr_files_alike(struct iotr_files_seen *seen, const uint64_t *w)
{
	const uint32_t own = iot_alike_own(w[1]);

	note_handle(seen, iot_record_handle(w[0]));
	for (uint32_t i = iot_count_bits(own & 0xff); i < iot_count_bits(own); i++)
		note_argument(seen, w[2 + i]);
}

void iotr_files_word(struct iotr_files_seen *seen, uint64_t call_bit, uint64_t word)
{
	if (is_text(word, UINT16_MAX))
		seen->texts |= call_bit;
	note_argument(seen, word);
	if ((uint32_t)word < IOTR_OF_ARGUMENT)
		note_handle(seen, (uint32_t)word);
}

void iotr_files_put(struct iotr_block_files *to, const struct iotr_files_seen *seen, uint64_t off)
{
	*to = (struct iotr_block_files){.off = off, .texts = seen->texts, .n = seen->n};
	memcpy(to->range, seen->range, seen->n * sizeof(seen->range[0]));
}

void iotr_files_done(struct iotr_log *log, struct iotr_ref *ref, const struct iotr_files_seen *seen)
{
	struct iotr_block_files *files;

	if (ref->files || seen->unknown)
		return;
	files = iotr_arena_alloc(&log->arena, IOTR_BLOCK_FILES_SIZE(seen->n));
	iotr_files_put(files, seen, ref->off);
	ref->files = files;
}

/* ---- choosing ---- */

/* The ids by which one of the two choices of files finds a call in a block. */
struct ids {
	uint32_t *id; /* sorted */
	size_t n, cap;
};

struct chosen {
	struct ids handles;   /* that records have, */
	struct ids paths;     /* that arguments may be, */
	struct ids arguments; /* handles that arguments may be; only if all files count */
};

struct iotr_chosen_files {
	struct chosen by[2]; /* first, any: see set.h */
	bool given[2];
	uint64_t named;	 /* bits of calls that have a path among their arguments, */
	uint64_t paired; /* or a handle, */
	uint64_t always; /* and of those that pass whatever their files are */
	bool all;	 /* an id has too many bits: nothing is known */
	struct iotr_files_seen seen; /* of the block that is being read */
};

static void ids_add(struct iotr_chosen_files *f, struct ids *ids, uint64_t id, uint32_t flag)
{
	f->all |= id >= IOTR_OF_ARGUMENT;
	ids->id = iotr_grow(ids->id, &ids->cap, ids->n + 1, sizeof(*ids->id));
	ids->id[ids->n++] = (uint32_t)id | flag;
}

static int by_id(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void ids_sort(struct ids *ids)
{
	if (ids->n)
		qsort(ids->id, ids->n, sizeof(*ids->id), by_id);
}

static bool ids_within(const struct ids *ids, const struct iotr_id_range *r)
{
	size_t low = 0, high = ids->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ids->id[mid] < r->from)
			low = mid + 1;
		else
			high = mid;
	}
	return low < ids->n && ids->id[low] <= r->to;
}

static void choose(const struct iotr_set *set, struct iotr_log *log, struct iotr_chosen_files *f,
		   bool any)
{
	struct chosen *c = &f->by[any];
	const struct iotr_handle *h;
	const struct iotr_path *path;
	uint64_t id;
	size_t at;

	for (at = 0; (path = iotr_idmap_next(&log->path, &at, &id));)
		if (iotr_chosen_path(set, path, any))
			ids_add(f, &c->paths, id, IOTR_OF_ARGUMENT);
	for (at = 0; (h = iotr_idmap_next(&log->handle, &at, &id));) {
		if (!h->path || !iotr_chosen_path(set, h->path, any))
			continue;
		ids_add(f, &c->handles, id, 0);
		if (any)
			ids_add(f, &c->arguments, id, IOTR_OF_ARGUMENT);
	}
	ids_sort(&c->handles);
	ids_sort(&c->paths);
	ids_sort(&c->arguments);
}

static void note_schema(struct iotr_chosen_files *f, const struct iotr_schema *s, uint64_t bit)
{
	if (!s || s->flags & IOTR_CALL_UNKNOWN || iotr_passes_always(s))
		f->always |= bit;
	for (unsigned i = 0; s && i < s->n_params; i++) {
		const struct iotr_param *p = &s->param[i];

		if (p->as == IOTR_AS_PATH || p->kind == IOTR_KIND_PATH || p->kind == IOTR_KIND_RELPATH)
			f->named |= bit;
		if (p->as == IOTR_AS_HANDLE || p->as == IOTR_AS_PAIR)
			f->paired |= bit;
	}
}

void iotr_files_forget(struct iotr_log *log)
{
	struct iotr_chosen_files *f = log->chosen_files;

	if (!f)
		return;
	for (unsigned i = 0; i < 2; i++) {
		free(f->by[i].handles.id);
		free(f->by[i].paths.id);
		free(f->by[i].arguments.id);
	}
	free(f);
	log->chosen_files = NULL;
	log->files_seen = NULL;
}

void iotr_files_choose(const struct iotr_set *set, struct iotr_log *log)
{
	struct iotr_chosen_files *f;

	iotr_files_forget(log);
	if (!set->choice.path && !set->choice.any)
		return;
	f = log->chosen_files = iotr_alloc(sizeof(*f));
	log->files_seen = &f->seen;
	f->given[0] = set->choice.path;
	f->given[1] = set->choice.any;
	for (unsigned id = 0; log->bits && id < IOTR_MAX_CALL; id++)
		if (log->bits->which[id])
			note_schema(f, log->calls->schema[id], iotr_call_bit(log->bits, id));
	for (unsigned any = 0; log->bits && any < 2; any++)
		if (f->given[any])
			choose(set, log, f, any);
}

static bool may_pass(const struct iotr_chosen_files *f, const struct iotr_ref *ref, bool any)
{
	const struct iotr_block_files *files = ref->files;
	const struct chosen *c = &f->by[any];

	if (any && ref->calls & f->always)
		return true;
	if (files->texts & f->named)
		return true;
	for (unsigned i = 0; i < files->n; i++) {
		const struct iotr_id_range *r = &files->range[i];

		if (r->from < IOTR_OF_ARGUMENT ? ids_within(&c->handles, r)
					       : (ref->calls & f->named && ids_within(&c->paths, r)) ||
							 (ref->calls & f->paired && ids_within(&c->arguments, r)))
			return true;
	}
	return false;
}

bool iotr_files_may_pass(const struct iotr_log *log, const struct iotr_ref *ref)
{
	const struct iotr_chosen_files *f = log->chosen_files;

	if (!f || f->all || !ref->files || !ref->calls)
		return true;
	return (!f->given[0] || may_pass(f, ref, false)) && (!f->given[1] || may_pass(f, ref, true));
}

bool iotr_files_record_may_pass(const struct iotr_set *set, const struct iotr_log *log,
				const uint64_t *w)
{
	const struct iotr_handle *h;
	const struct iotr_schema *s;

	if (iot_record_form(w[0]) >= IOT_GENERAL)
		return true;
	s = log->calls->schema[iot_record_call(w[0])];
	h = iot_record_handle(w[0]) ? iotr_idmap_get(&log->handle, iot_record_handle(w[0])) : NULL;
	if (!s || (iot_record_handle(w[0]) && !h))
		return true; /* for that to be said */
	if (set->choice.path && (!h || !h->path || !iotr_chosen_path(set, h->path, false)))
		return false;
	return !set->choice.any || iotr_passes_always(s) ||
	       (h && h->path && iotr_chosen_path(set, h->path, true));
}
