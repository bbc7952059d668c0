/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packed.h - packed logs: the container, and the columns that its chunks hold.
 * Readers only; iotrace-format(5) tells the same story.
 *
 *	+------------------+
 *	| iot_pack_header  |
 *	+------------------+
 *	| iot_pack_chunk   |  IOT_PACK_CHUNK bytes of the log each, the last one
 *	|   heads, body    |  fewer; chunks of nothing but zeroes are left out
 *	| ...              |
 *	+------------------+
 *	| iot_pack_end     |
 *	+------------------+
 *
 * Chunk number n holds the log's bytes from n * IOT_PACK_CHUNK on.  Behind its
 * header come two zstd frames, each with zstd's checksum: the headers of the
 * blocks that begin in it (struct iot_head), so that a reader finds all blocks
 * without unpacking records, and the body.  A body is columns (columns.c), or
 * just the bytes if there is no record among them.
 *
 * What follows what says itself, so a file that was cut short is good up to
 * there, and behind a broken chunk the next one can be found by its magic and
 * its check.
 */
#ifndef IOT_PACKED_H
#define IOT_PACKED_H

#include <string.h>

#include "read.h"

#define IOT_PACK_MAGIC "IOTPACK\n"
#define IOT_PACK_VERSION 1
#define IOT_PACK_CHUNK (128u << 10)
#define IOT_PACK_HEADS (IOT_PACK_CHUNK / IOT_BLOCK_ALIGN) /* that a chunk may have */
#define IOT_CHUNK_MAGIC 0x4350ad1fu
#define IOT_END_MAGIC 0x4550ad1fu

struct iot_pack_header {
	char magic[8];	     /* IOT_PACK_MAGIC */
	uint64_t byte_order; /* IOT_BYTE_ORDER as the packer stored it */
	uint32_t version;    /* IOT_PACK_VERSION */
	uint32_t spare;
};

struct iot_pack_chunk {
	uint32_t magic;	  /* IOT_CHUNK_MAGIC */
	uint32_t check;	  /* iot_pack_check of what follows */
	uint32_t number;  /* rises from chunk to chunk */
	uint32_t before;  /* how many chunks the file has before this one */
	uint32_t size;	  /* bytes of the log */
	uint32_t heads;	  /* bytes of the first frame; 0: there is none */
	uint32_t body;	  /* bytes of the second */
	uint32_t columns; /* bytes that the body unpacks to; 0: size bytes as they are */
};

struct iot_pack_end {	/* as long as a chunk's header */
	uint32_t magic; /* IOT_END_MAGIC */
	uint32_t check;
	uint64_t size;	 /* of the log */
	uint64_t calls;	 /* records of calls in its blocks */
	uint64_t chunks; /* that were written */
};

struct iot_head {
	uint64_t off; /* in the log */
	struct iot_block block;
};

uint32_t iot_pack_check(const void *header);

/* ---- columns.c ---- */

enum iot_column {
	IOT_COL_ITEM,	/* what comes next: IOT_ITEM_* or the number of a tag */
	IOT_COL_TAG,	/* tags that become known */
	IOT_COL_RUN,	/* numbers of zeroes */
	IOT_COL_RAW,	/* bytes as they are */
	IOT_COL_HANDLE, /* of a record, less that of the one before */
	IOT_COL_GAP,	/* start, less the end of the record before */
	IOT_COL_DUR,
	IOT_COL_LEAD, /* of a record around those before it: how much earlier it began */
	IOT_COL_TAIL, /*	and ended later */
	IOT_COL_SIZE,
	IOT_COL_OFFSET,
	IOT_COL_STACK,
	IOT_COL_WORD, /* words of general records and definitions, by their place */
	IOT_N_COLUMNS = IOT_COL_WORD + 16
};

struct iot_col {
	uint8_t *plane[8]; /* byte i of each value */
	uint32_t n;
	uint32_t at;	/* unpacking: the next one */
	uint64_t any;	/* packing: bits that are set in some value */
	unsigned width; /* planes that are not all zero */
};

struct iot_columns;

/* Columns begin with n << IOT_COL_N_SHIFT | width of each, 32 bits; the planes follow. */
#define IOT_COL_N_SHIFT 8

struct iot_columns *iot_columns_new(bool packing);
void iot_columns_free(struct iot_columns *c);

/*
 * size bytes of a log at off, a multiple of IOT_BLOCK_ALIGN, into columns, which
 * iot_columns_col tells then.  Chunks of a log must come in order; one word
 * behind the bytes is looked at.  Returns the number of block headers, which
 * are in *heads until the next call.
 */
size_t iot_columns_pack(struct iot_columns *c, uint64_t *words, size_t size, uint64_t off,
			const struct iot_head **heads);
const struct iot_col *iot_columns_col(const struct iot_columns *c, unsigned which);
size_t iot_columns_records(const struct iot_columns *c); /* in this chunk */
uint64_t iot_columns_calls(const struct iot_columns *c); /* in all chunks */

/* n bytes of columns back into size bytes; false if they make no sense. */
bool iot_columns_unpack(struct iot_columns *c, uint8_t *columns, size_t n,
			const struct iot_head *heads, size_t n_heads, uint64_t *words, size_t size,
			uint64_t off);
/* How many bytes columns of so many bytes may have. */
#define IOT_COLUMNS_MAX(size) (2 * (size_t)(size) + 4096)

/* ---- unpack.c ---- */

/* Is this the beginning of a packed log? */
static inline bool iot_pack_is(const void *bytes, size_t n)
{
	return n >= sizeof(IOT_PACK_MAGIC) - 1 &&
	       !memcmp(bytes, IOT_PACK_MAGIC, sizeof(IOT_PACK_MAGIC) - 1);
}
/* The log's file is packed: make it readable.  -1: said why not. */
int iot_unpack_open(struct iot_log *log);
void iot_unpack_close(struct iot_log *log);
size_t iot_unpack_read(struct iot_log *log, void *buf, size_t size, uint64_t off);
/* Where the next bytes from off on are that may be no zeroes. */
uint64_t iot_unpack_data(const struct iot_log *log, uint64_t off);

#endif
