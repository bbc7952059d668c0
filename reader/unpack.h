/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unpack.h - what is known of a packed log while it is read.
 *
 * Opening one (unpack-open.c) reads the headers of its chunks, and those of the log's blocks, of
 * which memory keeps 100 bytes a block.  What it says of blocks is unpack-blocks.c's.  Chunks are
 * unpacked when something of them is read (unpack.c), and the last ones are kept, whichever log
 * they are of: logs and threads that are merged by time are read in turns.
 */
#ifndef IOTR_UNPACK_H
#define IOTR_UNPACK_H

#include <zstd.h>

#include "packed.h"

/* zstd adds little to what it can't compress */
#define MAX_HEADS_PACKED ((uint32_t)(IOTR_PACK_HEADS * sizeof(struct iotr_head) + 4096))
#define N_KEPT 64 /* chunks: 8 MiB a thread */

struct chunk {
	uint64_t pos; /* of its body in the file */
	uint32_t number;
	uint32_t size, body, columns;
	uint32_t n_heads;
	size_t head; /* the first one */
	bool orphan; /* chunks between the one before and this are lost: no hole */
	bool bad;    /* which has been said */
};

/* Which files some blocks name, in the file until files are chosen */
struct files_frame {
	struct iotr_pack_chunk header;
	uint64_t pos;
	uint8_t *bytes;
};

struct iotr_packed {
	uint64_t id;
	struct chunk *chunk;
	size_t n_chunks, cap_chunks;
	struct iotr_head *head;
	size_t n_heads, cap_heads, next_head;
	uint64_t calls;
	struct iotr_pack_calls *in_block;
	size_t n_in_block, cap_in_block;
	struct iotr_call_bits bits;
	struct files_frame *frame;
	size_t n_frames, cap_frames;
	const struct iotr_block_files **files; /* by offset; read when files are chosen */
	size_t n_files, cap_files;
	bool has_files; /* they were */
	uint64_t n_lost; /* chunks that did not turn up */
	bool end_lost;	 /* the last ones did not */
};

/* What a thread needs to unpack, and what it has unpacked */
struct kept {
	uint64_t log; /* iotr_packed.id; 0: empty */
	uint64_t used;
	uint64_t *bytes;
	uint32_t number;
};

struct iotr_bench {
	ZSTD_DCtx *zstd;
	struct iotr_columns *columns;
	uint8_t *packed, *unpacked;
	size_t cap_packed;
	uint64_t clock;
	struct kept kept[N_KEPT];
};

/* Index of the first of n items, sorted by a member, that is not below value. */
#define LOWER_BOUND(item, n, member, value)                                                        \
	({                                                                                         \
		size_t lo_ = 0, hi_ = (n);                                                         \
                                                                                                   \
		while (lo_ < hi_) {                                                                \
			size_t mid_ = lo_ + (hi_ - lo_) / 2;                                       \
                                                                                                   \
			if ((item)[mid_] member < (value))                                         \
				lo_ = mid_ + 1;                                                    \
			else                                                                       \
				hi_ = mid_;                                                        \
		}                                                                                  \
		lo_;                                                                               \
	})

static inline uint64_t iotr_chunk_off(const struct chunk *c)
{
	return (uint64_t)c->number * IOTR_PACK_CHUNK;
}

/* unpack.c */
struct iotr_bench *iotr_bench_get(void);
/* All of it is lost, which is said once. */
void iotr_chunk_bad(struct iotr_log *log, struct chunk *c);

/* unpack-blocks.c: headers and frames of what a packed log says of its blocks */
bool iotr_is_calls(const struct iotr_pack_chunk *h);
bool iotr_is_files(const struct iotr_pack_chunk *h);
void iotr_calls_add(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos);
void iotr_files_frame_add(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos);
void iotr_files_frames_free(struct iotr_packed *p);

#endif
