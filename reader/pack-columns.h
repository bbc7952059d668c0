/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack-columns.h - a piece of a log as columns, and back.
 *
 * Neighbours in a record have nothing in common; what stands at the same place
 * in one record after the other has, and that is what a compressor can use.
 * Each value is told by how it differs from what was to be expected (the offset
 * where the last call ended, a start soon after the end of the call before), and
 * bytes of equal weight of a column lie together.
 *
 * Both directions are one piece of code, so that they can't disagree: `code` is
 * given a value and puts it into a column, or takes it from there and returns
 * it.  Expectations come from what both have seen, and may be wrong at no other
 * cost than bytes.  What is no record, header or zeroes is kept as it is.  (When
 * unpacking, what words hold beforehand is read in places, and used in none.)
 */
#ifndef IOTR_COLUMNS_H
#define IOTR_COLUMNS_H

#include "packed.h"
#include "record.h"

#define DIRECTION static inline __attribute__((always_inline))

/* Items: one of these, or the number of a tag that is known. */
enum { ITEM_ZEROES, ITEM_RAW, ITEM_BLOCK, ITEM_TAG, FIRST_TAG, N_TAGS = 256 };

#define N_KINDS 8     /* of definitions, as far as they are kept apart */
#define N_PLACES 1024 /* a call on a handle each; some will share one */
#define N_WORDS (IOTR_N_COLUMNS - IOTR_COL_WORD)
#define HEAD_WORDS (sizeof(struct iot_block) / 8)

/* Bytes of a value */
static const uint8_t widths[IOTR_N_COLUMNS] = {
	[IOTR_COL_ITEM] = 1,   [IOTR_COL_TAG] = 2,    [IOTR_COL_RUN] = 4,
	[IOTR_COL_RAW] = 1,    [IOTR_COL_HANDLE] = 2, [IOTR_COL_GAP... IOTR_COL_SIZE] = 4,
	[IOTR_COL_OFFSET] = 5, [IOTR_COL_STACK] = 3,  [IOTR_COL_WORD... IOTR_N_COLUMNS - 1] = 8,
};

/* The last words of general records of a tag, or definitions of a kind. */
struct words {
	uint64_t last[N_WORDS], step[N_WORDS];
	uint32_t steady; /* bits: it was the same step twice */
};

/* The last short record of a call on a handle. */
struct place {
	uint64_t offset, gap; /* gap: from the end of the one before to it */
	uint32_t size, stack;
	bool same; /* it had the offset of the one before */
};

/* What was seen in this chunk. */
struct seen {
	uint16_t tag[N_TAGS]; /* low halves of word 0, but for the handle */
	unsigned next_tag;    /* the number that the next new one takes */
	unsigned handle, depth;
	uint32_t end;	   /* of the last record */
	uint32_t first[8]; /* start of the first record at a depth, since one around it */
	uint64_t base;
	struct words words[N_TAGS], kind[N_KINDS];
	struct place place[N_PLACES];
};

struct iotr_columns {
	struct iotr_col col[IOTR_N_COLUMNS];
	struct seen seen;
	bool bad; /* unpacking: a column ended too early */
	/* packing */
	uint8_t *planes;
	uint8_t number[65536]; /* of a tag; 0: it has none */
	uint64_t records;      /* offset in the log where those of the block begin, */
	uint64_t records_end;  /* where the used ones end, */
	uint64_t block_end;    /* and the block */
	size_t cut;	       /* words of a record that began in the chunk before */
	uint64_t cut_call;     /* its call's bit; 0: nothing is noted of it */
	uint64_t calls;
	size_t n_records;
	struct iotr_pack_calls *in_block; /* the last one is of the block that goes on, */
	size_t n_in_block, cap_in_block;
	bool left_block; /* no: it has ended */
	uint64_t sound; /* bytes of it were records, so far */
	struct iotr_files_seen files_seen; /* of that block, */
	uint8_t *files;			   /* and of those before it: iotr_block_files */
	size_t n_files, cap_files;	   /* bytes */
	struct iotr_call_bits bits;
	uint64_t part[HEAD_WORDS]; /* of a block's header that ends in the next chunk, */
	size_t n_part;		   /* so many words; 0: there is none */
	uint64_t part_at;
	struct iotr_head head[IOTR_PACK_HEADS];
	size_t n_heads;
};

/* A value that is told as it is. */
DIRECTION uint64_t code(struct iotr_columns *c, bool packing, unsigned column, uint64_t value)
{
	struct iotr_col *col = &c->col[column];
	unsigned i;

	if (packing) {
		for (i = 0; i < widths[column]; i++)
			col->plane[i][col->n] = (uint8_t)(value >> 8 * i);
		col->n++;
		col->any |= value;
		return value;
	}
	if (col->at == col->n) {
		c->bad = true;
		return 0;
	}
	for (value = 0, i = 0; i < col->width; i++)
		value |= (uint64_t)col->plane[i][col->at] << 8 * i;
	col->at++;
	return value;
}

/* A value of so many bits that is told by its difference to what was expected;
   small ones, up or down, have small numbers. */
DIRECTION uint64_t code_near(struct iotr_columns *c, bool packing, unsigned column, unsigned bits,
			     uint64_t value, uint64_t expected)
{
	uint64_t d = 0;

	if (packing) {
		int64_t by = (int64_t)((value - expected) << (64 - bits)) >> (64 - bits);

		d = (uint64_t)by << 1 ^ (uint64_t)(by >> 63);
	}
	d = code(c, packing, column, d);
	if (packing)
		return value;
	return (expected + (d >> 1 ^ -(d & 1))) & ~0ULL >> (64 - bits);
}

/* Bytes as they are. */
DIRECTION void code_raw(struct iotr_columns *c, bool packing, void *bytes, size_t n)
{
	struct iotr_col *col = &c->col[IOTR_COL_RAW];

	if (packing) {
		memcpy(col->plane[0] + col->n, bytes, n);
		col->n += (uint32_t)n;
		col->any = 1;
	} else if (col->n - col->at < n || !col->width) {
		c->bad = true;
	} else {
		memcpy(bytes, col->plane[0] + col->at, n);
		col->at += (uint32_t)n;
	}
}

/* Word number i of a general record or a definition: as before, or as many more
   as it was before if that happened twice. */
DIRECTION uint64_t code_word(struct iotr_columns *c, bool packing, struct words *x, size_t i,
			     uint64_t value)
{
	uint64_t expected = x->last[i] + (x->steady >> i & 1 ? x->step[i] : 0), step;

	value = code_near(c, packing, IOTR_COL_WORD + (unsigned)i, 64, value, expected);
	step = value - x->last[i];
	x->steady = (x->steady & ~(1u << i)) | (uint32_t)(step == x->step[i]) << i;
	x->step[i] = step;
	x->last[i] = value;
	return value;
}

/* The words from i on, texts among them. */
DIRECTION void code_words(struct iotr_columns *c, bool packing, struct words *x, uint64_t *w,
			  size_t i, size_t n)
{
	while (i < n && i < N_WORDS && !c->bad) {
		uint64_t text = w[i] = code_word(c, packing, x, i, w[i]);

		i++;
		text = iot_inline_words(text);
		if (!text || text > n - i)
			continue;
		code_raw(c, packing, w + i, text * 8);
		i += text;
	}
	if (i < n && !c->bad)
		code_raw(c, packing, w + i, (n - i) * 8);
}

/*
 * When it began and how long it took.  Most calls follow the end of the one
 * before; one around those before it began a little before the first of them,
 * and ended a little after the last.
 */
DIRECTION void code_times(struct iotr_columns *c, bool packing, unsigned depth, uint32_t *start,
			  uint32_t *dur)
{
	struct seen *s = &c->seen;

	if (depth < s->depth) {
		uint32_t first = s->first[depth + 1];

		*start = first - (uint32_t)code(c, packing, IOTR_COL_LEAD, first - *start);
		*dur = (uint32_t)code(c, packing, IOTR_COL_TAIL, *start + *dur - s->end) + s->end -
		       *start;
	} else {
		*start = (uint32_t)code(c, packing, IOTR_COL_GAP, *start - s->end) + s->end;
		*dur = (uint32_t)code(c, packing, IOTR_COL_DUR, *dur);
	}
	while (s->depth < depth)
		s->first[++s->depth] = *start;
	s->depth = depth;
	s->end = *start + *dur;
}

/* Size, and with a word 2 offset and stack, of a compact or brief record. */
DIRECTION void code_place(struct iotr_columns *c, bool packing, const struct iotr_word0 *z,
			  uint64_t *w, uint32_t dur)
{
	struct place *p = &c->seen.place[(z->call * 37 + z->handle) % N_PLACES];
	uint64_t end = p->offset + p->size, offset = p->same ? p->offset : end + p->gap;
	uint32_t size = (uint32_t)code_near(c, packing, IOTR_COL_SIZE, 32, w[1] >> 32, p->size);

	w[1] = dur | (uint64_t)size << 32;
	offset &= IOT_NO_OFFSET40;
	if (z->form == IOT_COMPACT) {
		offset = code_near(c, packing, IOTR_COL_OFFSET, 40, iot_compact_low40(w[2]), offset);
		p->stack = (uint32_t)code_near(c, packing, IOTR_COL_STACK, 24,
					       iot_compact_stack(w[2]), p->stack);
		w[2] = iot_compact_word2(offset, p->stack);
	}
	p->same = offset == p->offset;
	p->gap = offset - end;
	p->offset = offset;
	p->size = size;
}

/* Definitions have neither start nor duration. */
DIRECTION size_t code_definition(struct iotr_columns *c, bool packing, uint16_t tag, uint64_t *w,
				 size_t left)
{
	struct seen *s = &c->seen;
	uint64_t kind = code(c, packing, IOTR_COL_WORD, w[0] >> IOT_HANDLE_SHIFT);
	struct words *x = &s->kind[kind % N_KINDS];
	size_t n;

	w[0] = tag | kind << IOT_HANDLE_SHIFT;
	w[1] = code_word(c, packing, x, 1, w[1]);
	n = iot_general_words(w[1]);
	if (n < 2 || n > left)
		return 0;
	code_words(c, packing, x, w, 2, n);
	if (kind == IOT_DEF_TIME && n > 2) {
		uint32_t by = (uint32_t)(w[2] - s->base);

		for (unsigned i = 0; i < 8; i++)
			s->first[i] -= by;
		s->end -= by;
		s->base = w[2];
	}
	return n;
}

/* A record with the tag of that number, in up to so many words; returns how many
   it has, 0 if it makes no sense. */
DIRECTION size_t code_record(struct iotr_columns *c, bool packing, unsigned number, uint64_t *w,
			     size_t left)
{
	struct seen *s = &c->seen;
	struct words *x = &s->words[number];
	uint32_t start, dur;
	struct iotr_word0 z;
	uint64_t high;
	size_t n;

	z = iotr_word0(packing ? w[0] : s->tag[number]);
	n = iot_record_fixed(packing ? w[0] : s->tag[number]);
	if (!n || n > left)
		return 0;
	if (!z.call)
		return code_definition(c, packing, s->tag[number], w, left);
	s->handle = (unsigned)code_near(c, packing, IOTR_COL_HANDLE, 16, z.handle, s->handle);
	z.handle = s->handle;
	start = z.dt;
	dur = z.form == IOT_ALIKE ? 0 : (uint32_t)w[1];
	code_times(c, packing, z.depth, &start, &dur);
	w[0] = s->tag[number] | (uint64_t)z.handle << IOT_HANDLE_SHIFT |
	       (uint64_t)start << IOT_DT_SHIFT;
	if (z.form == IOT_ALIKE) {
		w[1] = code_word(c, packing, x, 1, w[1]);
		n = iot_record_words(w[0], w[1]);
		if (n > left)
			return 0;
		code_words(c, packing, x, w, 2, n);
		return n;
	}
	if (z.form != IOT_GENERAL) {
		code_place(c, packing, &z, w, dur);
		return n;
	}
	high = code_word(c, packing, x, 1, w[1] >> 32);
	w[1] = dur | high << 32;
	n = iot_general_words(w[1]);
	if (n < 4 || n > left)
		return 0;
	x->last[2] = (x->last[2] & ~0xffffULL) | z.handle;
	code_words(c, packing, x, w, 2, n);
	return n;
}

/* A tag gets the next number, which may have been another's. */
DIRECTION unsigned code_tag(struct iotr_columns *c, bool packing, uint16_t tag)
{
	struct seen *s = &c->seen;
	unsigned number = s->next_tag;

	tag = (uint16_t)code(c, packing, IOTR_COL_TAG, tag);
	s->next_tag = number + 1 < N_TAGS ? number + 1 : FIRST_TAG;
	if (packing) {
		c->number[s->tag[number]] = 0;
		c->number[tag] = (uint8_t)number;
	}
	s->tag[number] = tag;
	memset(&s->words[number], 0, sizeof(s->words[number]));
	return number;
}

#endif
