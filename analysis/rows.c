/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - the tables, their rows, and what a call adds to a row of any table. */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

const struct iota_shape iota_shapes[IOTA_N_TABLES] = {
	[IOTA_BY_CALL] = {.by = "call",
			  .plural = "calls",
			  .name = "call",
			  .extra = "family",
			  .n_fields = IOTA_N_CALL},
	[IOTA_BY_FILE] = {.by = "file", .plural = "files", .name = "path", .n_fields = IOTA_N_FILE},
	[IOTA_BY_PROCESS] = {.by = "process",
			     .plural = "processes",
			     .name = "prog",
			     .extra = "host",
			     .n_fields = IOTA_N_THREAD},
	[IOTA_BY_THREAD] = {.by = "thread",
			    .plural = "threads",
			    .name = "prog",
			    .extra = "host",
			    .n_fields = IOTA_N_THREAD},
	[IOTA_BY_RANK] = {.by = "rank",
			  .plural = "ranks",
			  .name = "prog",
			  .extra = "host",
			  .n_fields = IOTA_N_THREAD},
	[IOTA_BY_REGION] = {.by = "region",
			    .plural = "regions",
			    .name = "region",
			    .n_fields = IOTA_N_REGION},
	[IOTA_BY_SITE] = {.by = "site",
			  .plural = "sites",
			  .name = "site",
			  .n_fields = IOTA_N_COMMON},
};

/* ---- numbers of files ---- */

/* Those that are not 0: as 32 bits, or as two words. */
struct iota_packed {
	uint64_t which, wide; /* bits of their fields */
	uint32_t word[];
};
_Static_assert(IOTA_N_FILE <= 64, "each number of a file has a bit: struct iota_packed");

/* A file that has had so many calls keeps its numbers spelled out. */
#define MANY 64

static unsigned words_before(const struct iota_packed *p, uint64_t bit)
{
	return (unsigned)(__builtin_popcountll(p->which & (bit - 1)) + __builtin_popcountll(p->wide & (bit - 1)));
}

static uint64_t number_at(const struct iota_packed *p, unsigned at, bool wide)
{
	return wide ? p->word[at] | (uint64_t)p->word[at + 1] << 32 : p->word[at];
}

uint64_t iota_number(const struct iota_row *row, enum iota_field f)
{
	const struct iota_packed *p = row->packed;
	uint64_t bit = 1ull << f;

	if (row->v)
		return row->v[f];
	return p && p->which & bit ? number_at(p, words_before(p, bit), p->wide & bit) : 0;
}

static void spell_out(uint64_t *v, size_t n, const struct iota_packed *p)
{
	uint64_t which = p ? p->which : 0, bit;
	unsigned at = 0, f;

	memset(v, 0, n * sizeof(*v));
	for (; which; which &= which - 1) {
		f = (unsigned)__builtin_ctzll(which);
		bit = 1ull << f;
		if (f >= n)
			return;
		v[f] = number_at(p, at, p->wide & bit);
		at += p->wide & bit ? 2 : 1;
	}
}

void iota_numbers_copy(uint64_t *v, const struct iota_row *row, size_t n)
{
	if (row->v)
		memcpy(v, row->v, n * sizeof(*v));
	else
		spell_out(v, n, row->packed);
}

static void pack(struct iota_row *file)
{
	struct iota_packed *p, head = {0};
	const uint64_t *v = file->v;
	unsigned f, at;

	for (f = 0; f < IOTA_N_FILE; f++) {
		head.which |= (uint64_t)(v[f] != 0) << f;
		head.wide |= (uint64_t)(v[f] > UINT32_MAX) << f;
	}
	at = (unsigned)(__builtin_popcountll(head.which) + __builtin_popcountll(head.wide));
	p = file->packed = iota_grow(file->packed, 1, sizeof(head) + at * sizeof(p->word[0]));
	*p = head;
	for (f = at = 0; f < IOTA_N_FILE; f++) {
		if (v[f])
			p->word[at++] = (uint32_t)v[f];
		if (v[f] > UINT32_MAX)
			p->word[at++] = (uint32_t)(v[f] >> 32);
	}
	file->v = NULL;
}

static void put_away(struct iota *a, struct iota_row *file)
{
	size_t size = IOTA_N_FILE * sizeof(file->v[0]);

	if (file->v[IOTA_F_CALLS] < MANY) {
		pack(file);
		return;
	}
	file->v = memcpy(iota_alloc(&a->memory, size), file->v, size);
	free(file->packed);
	file->packed = NULL;
}

uint64_t *iota_unpack(struct iota *a, struct iota_row *file)
{
	struct iota_numbers *n = &a->at_hand[a->next_at_hand++ % IOTA_AT_HAND];

	if (n->row)
		put_away(a, n->row);
	spell_out(n->v, IOTA_N_FILE, file->packed);
	n->row = file;
	return file->v = n->v;
}

/* ---- rows ---- */

static const struct iota_rare nothing;

struct iota_rare *iota_rare_of(struct iota *a, struct iota_row *file)
{
	if (file->rare == &nothing)
		file->rare = iota_alloc(&a->memory, sizeof(*file->rare));
	return (struct iota_rare *)file->rare;
}

void iota_row_free(struct iota_row *file)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		iota_owned_free(&file->seen[i]);
		free(file->rare->more[i]);
	}
	free(file->packed);
	file->packed = NULL;
	file->rare = &nothing;
}

void iota_files_free(struct iota *a)
{
	const struct iota_table *files = &a->table[IOTA_BY_FILE];
	size_t i;

	for (i = 0; i < files->n; i++)
		iota_row_free(files->row[i]);
}

int iota_row_by_key(const void *a, const void *b)
{
	const struct iota_row *x = a, *y = b;

	if (x->key_len != y->key_len)
		return x->key_len < y->key_len ? -1 : 1;
	return memcmp(x->key, y->key, x->key_len);
}

static struct iota_row *new_row(struct iota *a, struct iota_table *t, const char *key, size_t len)
{
	size_t of_numbers = t->id == IOTA_BY_FILE ? 0 : t->shape->n_fields * sizeof(uint64_t);
	struct iota_row *row = iota_alloc(&a->memory, sizeof(*row) + of_numbers);
	char *copy = iota_alloc(&a->memory, len + 1);

	memcpy(copy, key, len);
	row->key = row->name = copy;
	row->key_len = row->name_len = (uint32_t)len;
	if (t->id == IOTA_BY_FILE)
		row->rare = &nothing;
	else
		row->v = (uint64_t *)(row + 1);
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 64;
		t->row = iota_grow(t->row, t->cap, sizeof(struct iota_row *));
	}
	t->row[t->n++] = row;
	row->number = (uint32_t)t->n;
	return row;
}

const struct iota_row *iota_row_find(const struct iota *a, enum iota_table_id id, const char *key,
				     size_t len)
{
	return iota_keys_find(&a->table[id].keys, key, len);
}

struct iota_row *iota_row(struct iota *a, enum iota_table_id id, const char *key, size_t len,
			  bool *is_new)
{
	struct iota_table *t = &a->table[id];
	struct iota_row *row = iota_keys_find(&t->keys, key, len);

	if (is_new)
		*is_new = !row;
	if (row)
		return row;
	row = new_row(a, t, key, len);
	iota_keys_add(&t->keys, row);
	return row;
}

const struct iota_table *iota_table(const struct iota *a, enum iota_table_id id)
{
	return &a->table[id];
}

uint64_t iota_undivided(const struct iota *a)
{
	const struct iota_table *t = &a->table[IOTA_BY_CALL];
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < t->n; i++)
		total += t->row[i]->v[IOTA_F_UNDIVIDED];
	return total;
}

/* ---- what is added ---- */

static void add_status(uint64_t *v, const struct iotr_call *call)
{
	v[IOTA_F_UNFINISHED] += call->status == IOTR_UNFINISHED;
	v[IOTA_F_NORETURN] += call->status == IOTR_NORETURN;
	v[IOTA_F_ABANDONED] += call->status == IOTR_ABANDONED;
	v[IOTA_F_INFERRED] += call->inferred;
}

void iota_row_add(struct iota *a, struct iota_row *row, const struct iota_sample *s)
{
	uint64_t *v = iota_numbers(a, row);

	v[IOTA_F_CALLS] += !s->call->inferred;
	v[IOTA_F_SYSCALLS] += s->is_syscall && !s->unseen;
	v[IOTA_F_ERRORS] += s->failed;
	v[IOTA_F_SELF] += s->self;
	if (s->spent != IOTA_F_SELF)
		v[s->spent] += s->self;
	if (iota_is_io(s->spent))
		v[IOTA_F_IO] += s->self;
	if (s->time > v[IOTA_F_MAX])
		v[IOTA_F_MAX] = s->time;
	if (s->call->inferred) {
		v[IOTA_F_READ] += s->does == IOTA_DOES_READ ? s->moved : 0;
		v[IOTA_F_WRITTEN] += s->does == IOTA_DOES_WRITE ? s->moved : 0;
	} else if (!s->is_syscall) {
		v[IOTA_F_LIB_READ] += s->does == IOTA_DOES_READ ? s->lib_moved : 0;
		v[IOTA_F_LIB_WRITTEN] += s->does == IOTA_DOES_WRITE ? s->lib_moved : 0;
	} else {
		if (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_COPY) {
			v[IOTA_F_READS]++;
			v[IOTA_F_READ] += s->moved;
		}
		if (s->does == IOTA_DOES_WRITE || s->does == IOTA_DOES_COPY) {
			v[IOTA_F_WRITES]++;
			v[IOTA_F_WRITTEN] += s->moved;
		}
	}
	if (!s->timed)
		add_status(v, s->call);
}

static void add_mover(struct iota_movers **movers, uint32_t process)
{
	struct iota_movers *m = *movers;
	size_t n = m ? m->n : 0, low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (m->process[middle] < process)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < n && m->process[low] == process)
		return;
	/* room for a power of two */
	if (!(n & (n + 1)))
		m = *movers = iota_grow(m, 1, sizeof(*m) + (2 * n + 1) * sizeof(m->process[0]));
	memmove(&m->process[low + 1], &m->process[low], (n - low) * sizeof(m->process[0]));
	m->process[low] = process;
	m->n = n + 1;
}

void iota_moved_by(struct iota *a, struct iota_row *row, unsigned direction, uint32_t process, uint32_t tid)
{
	if (row->mover[direction] == process && row->mover_tid[direction] == tid)
		return;
	if (row->mover_tid[direction] && tid && row->mover_tid[direction] != tid)
		row->movers |= (unsigned char)(4u << direction);
	else if (tid)
		row->mover_tid[direction] = tid;
	if (row->mover[direction] && process && row->mover[direction] != process) {
		row->movers |= (unsigned char)(1u << direction);
		add_mover(&iota_rare_of(a, row)->more[direction], process);
	} else if (process) {
		row->mover[direction] = process;
	}
}
