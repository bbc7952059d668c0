/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - the blocks of a log: where they are, whether they are sound, and what they hold. */
#ifndef IOTR_BLOCKS_H
#define IOTR_BLOCKS_H

#include "streams.h"

/* Blocks beyond this are not believed: a recorder's buffer is far smaller. */
#define IOTR_BLOCK_MAX (256u << 20)

struct iotr_gap { /* space in which no block was seen, yet */
	uint64_t from, to;
};

/* A place in a followed log that is a window, and of which stream it last was. */
struct iotr_window {
	uint64_t off;
	struct iotr_stream *stream; /* NULL: nobody's */
};

/* checksums.c: checksums */
bool iotr_head_sound(const struct iotr_log *log, const struct iot_block *b);
/* Of a window that is not in use.  size: what it has. */
bool iotr_size_sound(const struct iotr_log *log, const struct iot_block *b);
/* words: so many, and one more behind them, of the block at off.  False: they are not
   what was written. */
bool iotr_records_sound(struct iotr_log *log, const struct iot_block *b, uint64_t off,
			const uint64_t *words, size_t n);
/* Says what of the header is damaged, and makes plain numbers of those that have their
   checksums in them. */
void iotr_header_check(struct iotr_log *log);
void iotr_header_text_check(struct iotr_log *log, const char *text, size_t size);

/* Can this be a block's header?  What says where the next one is must be right;
   the rest is mended. */
static inline bool iotr_block_plausible(const struct iot_block *b)
{
	return b->magic == IOT_BLOCK_MAGIC && b->size && b->size % IOT_BLOCK_ALIGN == 0 &&
	       b->size <= IOTR_BLOCK_MAX && b->header_size >= sizeof(*b) &&
	       b->header_size % 8 == 0 && b->header_size <= b->size;
}

/* blocks.c */
void iotr_extents_walk(struct iotr_log *log);
/* What has come since: into the streams' found. */
void iotr_extents_more(struct iotr_log *log);
struct iotr_stream *iotr_stream_get(struct iotr_log *log, const struct iot_block *b);
struct iotr_ref iotr_ref(struct iotr_log *log, const struct iot_block *b, uint64_t off);
/* Records of a block into *words (grown as needed); number of words. */
size_t iotr_block_read(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref,
		       struct iot_block *head, uint64_t **words, size_t *cap);

/* The one record at word pos of a block. */
size_t iotr_block_record(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *ref,
			 uint32_t pos, struct iot_block *head, uint64_t **words, size_t *cap);

/* index.c */
void iotr_index(struct iotr_log *log);
void iotr_index_end(struct iotr_log *log);
void iotr_index_threads(struct iotr_log *log);
void iotr_index_lost(struct iotr_log *log);
void iotr_block_scan(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref, bool at_once,
		     uint64_t **words, size_t *cap);
void iotr_late_sort(struct iotr_stream *s);
static inline bool iotr_slot_vacant(const struct iot_slot *slot)
{
	return !slot->start && slot->call & IOT_SLOT_VACANT;
}
size_t iotr_slots_in(uint32_t header_size, uint32_t depth);
void iotr_slots_put(struct iotr_stream *s, const struct iot_slot *slot, size_t n);
void iotr_index_late(struct iotr_stream *s);

#endif
