/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block-calls.h - which calls a block has, so that blocks without a chosen one are not read.
 *
 * A call gets a bit when it is first seen in a log, or in one that has the same schema; behind
 * the 64th, calls share bits.  Who reads all of a block notes its bits: iotrace-pack, which
 * writes them behind the chunks (packed.h), and the first pass over a log that is not packed.
 */
#ifndef IOTR_BLOCK_CALLS_H
#define IOTR_BLOCK_CALLS_H

#include "schema.h"

struct iotr_ref;

struct iotr_call_bits {
	uint8_t which[IOTR_MAX_CALL]; /* 1 + number of its bit; 0: it was not seen */
	unsigned n;
};

/* What was seen of a block */
struct iotr_in_block {
	uint64_t calls;	   /* bits */
	uint64_t earliest; /* ticks: none of its calls began before */
};

static inline uint64_t iotr_call_bit(struct iotr_call_bits *bits, unsigned call)
{
	if (!bits->which[call])
		bits->which[call] = (uint8_t)(1 + bits->n++ % 64);
	return 1ULL << (bits->which[call] - 1);
}

/* A record of a call.  A brief one has the call of one before it in its block, and so has one
   that is like another. */
static inline void iotr_note_record(struct iotr_in_block *in, struct iotr_call_bits *bits,
				    const struct iot_records *r)
{
	const unsigned form = iot_record_form(r->word0);

	if (form == IOT_BRIEF || form == IOT_ALIKE)
		return;
	in->calls |= iotr_call_bit(bits, iot_record_call(r->word0));
	if (form == IOT_GENERAL && iot_record_start(r) < in->earliest)
		in->earliest = iot_record_start(r);
}

/* block-calls.c: the bits of the log that notes are made by; NULL: it has no schema. */
struct iotr_call_bits *iotr_bits_get(struct iotr_log *log);
/* All of the block's records were seen. */
void iotr_in_block_done(struct iotr_log *log, struct iotr_ref *ref, const struct iotr_in_block *in);
/* What the packed log says of the block. */
void iotr_in_block_get(struct iotr_log *log, struct iotr_ref *ref);
/* Which bits the chosen calls have. */
void iotr_bits_choose(const struct iotr_set *set, struct iotr_log *log);
/* Which files blocks name, if files were chosen. */
void iotr_blocks_files(const struct iotr_set *set, struct iotr_log *log);
/* Which blocks of the stream, from its first one on, need not be read. */
void iotr_blocks_choose(struct iotr_stream *s);

#endif
