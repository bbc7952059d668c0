/* SPDX-License-Identifier: BSD-3-Clause */
/* pack-columns.c - what of a chunk is which item, and the way back. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "pack-columns.h"

static void begin_block(struct seen *s, const struct iot_block *b)
{
	s->base = b->base;
	s->end = 0;
	s->depth = 0;
}

static void forget(struct iotr_columns *c)
{
	memset(&c->seen, 0, sizeof(c->seen));
	c->seen.next_tag = FIRST_TAG;
}

/* ---- packing ---- */

struct iotr_columns *iotr_columns_new(bool packing)
{
	struct iotr_columns *c = iotr_alloc(sizeof(*c));
	const size_t most = IOTR_PACK_CHUNK / 8 + 1;
	unsigned i, j, n = 8;
	uint8_t *p;

	if (!packing)
		return c;
	for (i = 0; i < IOTR_N_COLUMNS; i++)
		n += widths[i];
	p = c->planes = iotr_alloc(n * most);
	for (i = 0; i < IOTR_N_COLUMNS; i++)
		for (j = 0; j < widths[i]; j++, p += i == IOTR_COL_RAW ? 8 * most : most)
			c->col[i].plane[j] = p;
	return c;
}

void iotr_columns_free(struct iotr_columns *c)
{
	if (!c)
		return;
	free(c->planes);
	free(c->in_block);
	free(c->files);
	free(c);
}

const struct iotr_col *iotr_columns_col(const struct iotr_columns *c, unsigned which)
{
	return &c->col[which];
}

static bool is_block(const uint64_t *w)
{
	struct iot_block b;

	memcpy(&b, w, sizeof(b));
	return iotr_block_plausible(&b);
}

static void put_files(struct iotr_columns *c, uint64_t off)
{
	size_t size = IOTR_BLOCK_FILES_SIZE(c->files_seen.n);

	if (c->files_seen.unknown)
		return;
	c->files = iotr_grow(c->files, &c->cap_files, c->n_files + size, 1);
	iotr_files_put((struct iotr_block_files *)(c->files + c->n_files), &c->files_seen, off);
	c->n_files += size;
}

/* Which calls the last block has is known if all of it were records. */
static void leave_block(struct iotr_columns *c)
{
	const struct iotr_pack_calls *last;

	if (!c->n_in_block || c->left_block)
		return;
	c->left_block = true;
	last = &c->in_block[c->n_in_block - 1];
	if (last->in.calls && c->sound == c->records_end - c->records)
		put_files(c, last->off);
	else
		c->n_in_block--;
}

/* A record of the block, of which so many words are there: the rest is in the next chunk. */
static void note_record(struct iotr_columns *c, const uint64_t *w, size_t there)
{
	struct iotr_in_block *in = &c->in_block[c->n_in_block - 1].in;
	const struct iot_records r = {.p = w, .base = in->earliest, .word0 = w[0], .word1 = w[1]};

	c->sound += 8 * iot_record_words(w[0], w[1]);
	if (!iot_record_call(w[0]))
		return;
	c->calls++;
	if (iot_record_form(w[0]) == IOT_GENERAL && there < 5) {
		in->calls |= iotr_call_bit(&c->bits, iot_record_call(w[0]));
		in->earliest = 0; /* its start may be in the next chunk */
	} else {
		iotr_note_record(in, &c->bits, &r);
	}
	if (iot_record_form(w[0]) < IOT_GENERAL || there >= iot_record_words(w[0], w[1]))
		iotr_files_record(&c->files_seen, &c->bits, w);
	else
		c->cut_call = iotr_call_bit(&c->bits, iot_record_call(w[0]));
}

/* A block begins there: so its records are known for such. */
static void enter_block(struct iotr_columns *c, const struct iot_block *b, uint64_t at)
{
	leave_block(c);
	c->in_block = iotr_grow(c->in_block, &c->cap_in_block, c->n_in_block + 1, sizeof(*c->in_block));
	c->in_block[c->n_in_block++] = (struct iotr_pack_calls){at, {.earliest = b->base}};
	c->left_block = false;
	c->sound = 0;
	iotr_files_begin(&c->files_seen);
	uint32_t used = b->size - b->header_size;

	if (b->used < used)
		used = b->used;
	c->records = at + b->header_size;
	c->records_end = c->records + (used & ~7u);
	c->block_end = at + b->size;
}

static size_t pack_block(struct iotr_columns *c, const uint64_t *w, uint64_t at)
{
	struct iotr_head *h = &c->head[c->n_heads++];

	h->off = at;
	memcpy(&h->block, w, sizeof(h->block));
	enter_block(c, &h->block, at);
	begin_block(&c->seen, &h->block);
	code(c, true, IOTR_COL_ITEM, ITEM_BLOCK);
	return HEAD_WORDS;
}

/* The last words of a chunk, that may be a block's header: kept as they are, as is what
   there is of it in the next one. */
static void begin_part(struct iotr_columns *c, const uint64_t *w, size_t n, uint64_t at)
{
	memcpy(c->part, w, n * 8);
	c->n_part = n;
	c->part_at = at;
}

static void end_part(struct iotr_columns *c, const uint64_t *w, size_t n, uint64_t at)
{
	size_t rest = HEAD_WORDS - c->n_part;

	if (c->n_part && c->part_at + c->n_part * 8 == at && n >= rest) {
		memcpy(c->part + c->n_part, w, rest * 8);
		if (is_block(c->part)) {
			enter_block(c, (const struct iot_block *)c->part, c->part_at);
			c->cut = rest;
		}
	}
	c->n_part = 0;
}

static size_t pack_raw(struct iotr_columns *c, uint64_t *w)
{
	code(c, true, IOTR_COL_ITEM, ITEM_RAW);
	code_raw(c, true, w, 8);
	return 1;
}

static size_t pack_zeroes(struct iotr_columns *c, const uint64_t *w, size_t left)
{
	size_t n = 1;

	while (n < left && !w[n])
		n++;
	code(c, true, IOTR_COL_ITEM, ITEM_ZEROES);
	code(c, true, IOTR_COL_RUN, n);
	return n;
}

static size_t pack_record(struct iotr_columns *c, uint64_t *w, size_t left, bool used)
{
	uint16_t tag = (uint16_t)w[0];
	unsigned number = c->number[tag];

	if (used)
		note_record(c, w, left);
	c->n_records++;
	if (number) {
		code(c, true, IOTR_COL_ITEM, number);
	} else {
		code(c, true, IOTR_COL_ITEM, ITEM_TAG);
		number = code_tag(c, true, tag);
	}
	return code_record(c, true, number, w, left);
}

/* The next item, at that offset of the log; returns how many words it has. */
static size_t pack_item(struct iotr_columns *c, uint64_t *w, size_t left, uint64_t at)
{
	uint64_t end = at < c->records_end ? c->records_end : c->block_end;
	size_t n;

	if (at % IOT_BLOCK_ALIGN == 0 && at >= c->block_end && !c->cut) {
		if (left >= HEAD_WORDS && is_block(w))
			return pack_block(c, w, at);
		if (left < HEAD_WORDS && (uint32_t)w[0] == IOT_BLOCK_MAGIC) {
			begin_part(c, w, left, at);
			c->cut = left;
		}
	}
	if (c->cut) {
		if (c->cut_call)
			iotr_files_word(&c->files_seen, c->cut_call, w[0]);
		if (!--c->cut)
			c->cut_call = 0;
		return pack_raw(c, w);
	}
	if (!w[0])
		return pack_zeroes(c, w, left);
	/* Behind those that are used lie old ones, of which the first is in pieces. */
	n = at >= c->records && at < end ? iotr_record_words(w, (end - at) / 8) : 0;
	if (n && n <= left)
		return pack_record(c, w, left, at < c->records_end);
	c->cut = n ? n - 1 : 0;
	if (n && at < c->records_end)
		note_record(c, w, left);
	return pack_raw(c, w);
}

size_t iotr_columns_pack(struct iotr_columns *c, uint64_t *words, size_t size, uint64_t off,
			 const struct iotr_head **heads)
{
	size_t n = size / 8, at = 0;
	unsigned i;

	for (i = 0; i < N_TAGS; i++)
		c->number[c->seen.tag[i]] = 0;
	forget(c);
	for (i = 0; i < IOTR_N_COLUMNS; i++) {
		c->col[i].n = 0;
		c->col[i].any = 0;
	}
	c->n_heads = c->n_records = 0;
	end_part(c, words, n, off);
	while (at < n)
		at += pack_item(c, words + at, n - at, off + at * 8);
	if (size % 8)
		code_raw(c, true, words + at, size % 8);
	for (i = 0; i < IOTR_N_COLUMNS; i++)
		for (c->col[i].width = 0; c->col[i].any; c->col[i].width++)
			c->col[i].any >>= 8;
	*heads = c->head;
	return c->n_heads;
}

size_t iotr_columns_records(const struct iotr_columns *c)
{
	return c->n_records;
}

uint64_t iotr_columns_calls(const struct iotr_columns *c)
{
	return c->calls;
}

const struct iotr_pack_calls *iotr_columns_in_blocks(struct iotr_columns *c, size_t *n,
						     const struct iotr_call_bits **bits)
{
	leave_block(c);
	c->records = c->records_end = c->sound = 0;
	*n = c->n_in_block;
	*bits = &c->bits;
	return c->in_block;
}

const uint8_t *iotr_columns_files(const struct iotr_columns *c, size_t *n)
{
	*n = c->n_files;
	return c->files;
}

/* ---- unpacking ---- */

/* Where the planes are: n and width of all columns come first. */
static bool find_planes(struct iotr_columns *c, uint8_t *p, size_t size)
{
	uint8_t *end = p + size, *plane = p + IOTR_N_COLUMNS * sizeof(uint32_t);
	unsigned i, j;

	if (size < IOTR_N_COLUMNS * sizeof(uint32_t))
		return false;
	for (i = 0; i < IOTR_N_COLUMNS; i++, p += sizeof(uint32_t)) {
		struct iotr_col *col = &c->col[i];
		uint32_t x;

		memcpy(&x, p, sizeof(x));
		*col = (struct iotr_col){.n = x >> IOTR_COL_N_SHIFT, .width = x & 0xff};
		if (col->width > widths[i] || (size_t)(end - plane) < (size_t)col->n * col->width)
			return false;
		for (j = 0; j < col->width; j++, plane += col->n)
			col->plane[j] = plane;
	}
	return plane == end;
}

struct heads {
	const struct iotr_head *head;
	size_t n;
};

/* Returns the number of words, 0 if it makes no sense. */
static size_t unpack_item(struct iotr_columns *c, struct heads *heads, uint64_t *w, size_t left,
			  uint64_t at)
{
	unsigned item = (unsigned)code(c, false, IOTR_COL_ITEM, 0);
	size_t n;

	if (c->bad)
		return 0;
	switch (item) {
	case ITEM_ZEROES:
		n = code(c, false, IOTR_COL_RUN, 0);
		if (n <= left)
			memset(w, 0, n * 8);
		return n <= left ? n : 0;
	case ITEM_RAW:
		code_raw(c, false, w, 8);
		return 1;
	case ITEM_BLOCK:
		if (!heads->n || heads->head->off != at || left < HEAD_WORDS)
			return 0;
		memcpy(w, &heads->head->block, sizeof(struct iot_block));
		begin_block(&c->seen, &heads->head->block);
		heads->head++;
		heads->n--;
		return HEAD_WORDS;
	case ITEM_TAG:
		item = code_tag(c, false, 0);
	}
	return code_record(c, false, item, w, left);
}

bool iotr_columns_unpack(struct iotr_columns *c, uint8_t *columns, size_t n,
			 const struct iotr_head *heads, size_t n_heads, uint64_t *words,
			 size_t size, uint64_t off)
{
	struct heads h = {heads, n_heads};
	size_t left = size / 8;

	c->bad = false;
	forget(c);
	if (!find_planes(c, columns, n))
		return false;
	while (left) {
		size_t words_of = unpack_item(c, &h, words, left, off);

		if (!words_of || c->bad)
			return false;
		words += words_of;
		left -= words_of;
		off += words_of * 8;
	}
	if (size % 8)
		code_raw(c, false, words, size % 8);
	return !c->bad;
}
