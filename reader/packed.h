/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packed.h - packed logs: the container, and the columns that its chunks hold.
 * Readers only; iotrace-format(5) tells the same story.
 *
 *	+------------------+
 *	| iotr_pack_header  |
 *	+------------------+
 *	| iotr_pack_chunk   |  IOTR_PACK_CHUNK bytes of the log each, the last one
 *	|   heads, body    |  fewer; chunks of nothing but zeroes are left out
 *	| ...              |
 *	+------------------+
 *	| iotr_pack_chunk   |  which calls blocks have: IOTR_CALLS_MAGIC
 *	|   body            |
 *	| ...              |
 *	+------------------+
 *	| iotr_pack_chunk   |  which files blocks name: IOTR_FILES_MAGIC
 *	|   body            |
 *	| ...              |
 *	+------------------+
 *	| iotr_pack_end     |
 *	+------------------+
 *
 * Chunk number n holds the log's bytes from n * IOTR_PACK_CHUNK on.  Behind its
 * header come two zstd frames, each with zstd's checksum: the headers of the
 * blocks that begin in it (struct iotr_head), so that a reader finds all blocks
 * without unpacking records, and the body.  A body is columns (pack-columns.c), or
 * just the bytes if there is no record among them.
 *
 * What follows what says itself, so a file that was cut short is good up to
 * there, and behind a broken chunk the next one can be found by its magic and
 * its check.
 */
#ifndef IOTR_PACKED_H
#define IOTR_PACKED_H

#include <string.h>

#include "block-files.h"
#include "schema.h"

#define IOTR_PACK_MAGIC "IOTPACK\n"
#define IOTR_PACK_VERSION 3 /* 1 did not say which calls blocks have, 2 which files they name */
#define IOTR_PACK_CHUNK (128u << 10)
#define IOTR_PACK_HEADS (IOTR_PACK_CHUNK / IOT_BLOCK_ALIGN) /* that a chunk may have */
#define IOTR_CHUNK_MAGIC 0x4350ad1fu
#define IOTR_CALLS_MAGIC 0x4b50ad1fu
#define IOTR_FILES_MAGIC 0x4650ad1fu
#define IOTR_END_MAGIC 0x4550ad1fu

struct iotr_pack_header {
	char magic[8];	     /* IOTR_PACK_MAGIC */
	uint64_t byte_order; /* IOT_BYTE_ORDER as the packer stored it */
	uint32_t version;    /* IOTR_PACK_VERSION */
	uint32_t spare;
};

struct iotr_pack_chunk {
	uint32_t magic;	  /* IOTR_CHUNK_MAGIC */
	uint32_t check;	  /* iotr_pack_check of what follows */
	uint32_t number;  /* rises from chunk to chunk */
	uint32_t before;  /* how many chunks the file has before this one */
	uint32_t size;	  /* bytes of the log */
	uint32_t heads;	  /* bytes of the first frame; 0: there is none */
	uint32_t body;	  /* bytes of the second */
	uint32_t columns; /* bytes that the body unpacks to; 0: size bytes as they are */
};

struct iotr_pack_end {	/* as long as a chunk's header */
	uint32_t magic; /* IOTR_END_MAGIC */
	uint32_t check;
	uint64_t size;	 /* of the log */
	uint64_t calls;	 /* records of calls in its blocks */
	uint64_t chunks; /* that were written */
};

struct iotr_head {
	uint64_t off; /* in the log */
	struct iot_block block;
};

/*
 * Which calls blocks have (block-calls.h), so that those without any that is asked for need
 * not be unpacked.  The header is a chunk's: size is how many blocks, columns how long the one
 * frame in body is when it is unpacked: of each call id the byte of iotr_call_bits, then
 * blocks in the order of their offsets.  Blocks that have anything but sound records are not
 * among them.
 */
struct iotr_pack_calls {
	uint64_t off; /* of the block, in the log */
	struct iotr_in_block in;
};
#define IOTR_PACK_CALLS 4096u /* blocks that one such frame has at most */
#define IOTR_PACK_CALLS_SIZE(n) (IOTR_MAX_CALL + (n) * sizeof(struct iotr_pack_calls))

/*
 * Which files blocks name: struct iotr_block_files (block-files.h), each with its ranges, in the
 * order of offsets.  In the header size is how many blocks, columns how many bytes that is.
 */
#define IOTR_PACK_FILES IOTR_PACK_CHUNK /* bytes that one such frame has at most */

static inline uint32_t iotr_pack_check(const void *header)
{
	const uint8_t *p = header;
	uint32_t sum = 2166136261u;
	size_t i;

	for (i = offsetof(struct iotr_pack_chunk, number); i < sizeof(struct iotr_pack_chunk); i++)
		sum = (sum ^ p[i]) * 16777619u;
	return sum;
}

/* ---- pack-columns.c ---- */

enum iotr_column {
	IOTR_COL_ITEM,	 /* what comes next: IOTR_ITEM_* or the number of a tag */
	IOTR_COL_TAG,	 /* tags that become known */
	IOTR_COL_RUN,	 /* numbers of zeroes */
	IOTR_COL_RAW,	 /* bytes as they are */
	IOTR_COL_HANDLE, /* of a record, less that of the one before */
	IOTR_COL_GAP,	 /* start, less the end of the record before */
	IOTR_COL_DUR,
	IOTR_COL_LEAD, /* of a record around those before it: how much earlier it began */
	IOTR_COL_TAIL, /*	and ended later */
	IOTR_COL_SIZE,
	IOTR_COL_OFFSET,
	IOTR_COL_STACK,
	IOTR_COL_WORD, /* words of general records and definitions, by their place */
	IOTR_N_COLUMNS = IOTR_COL_WORD + 16
};

struct iotr_col {
	uint8_t *plane[8]; /* byte i of each value */
	uint32_t n;
	uint32_t at;	/* unpacking: the next one */
	uint64_t any;	/* packing: bits that are set in some value */
	unsigned width; /* planes that are not all zero */
};

struct iotr_columns;

/* Columns begin with n << IOTR_COL_N_SHIFT | width of each, 32 bits; the planes follow. */
#define IOTR_COL_N_SHIFT 8

struct iotr_columns *iotr_columns_new(bool packing);
void iotr_columns_free(struct iotr_columns *c);

/*
 * size bytes of a log at off, a multiple of IOT_BLOCK_ALIGN, into columns, which
 * iotr_columns_col tells then.  Chunks of a log must come in order; one word
 * behind the bytes is looked at.  Returns the number of block headers, which
 * are in *heads until the next call.
 */
size_t iotr_columns_pack(struct iotr_columns *c, uint64_t *words, size_t size, uint64_t off,
			 const struct iotr_head **heads);
const struct iotr_col *iotr_columns_col(const struct iotr_columns *c, unsigned which);
size_t iotr_columns_records(const struct iotr_columns *c); /* in this chunk */
uint64_t iotr_columns_calls(const struct iotr_columns *c); /* in all chunks */
/* Of all chunks, which were the last ones: which calls blocks have. */
const struct iotr_pack_calls *iotr_columns_in_blocks(struct iotr_columns *c, size_t *n,
						     const struct iotr_call_bits **bits);
/* And then, which files they name: iotr_block_files, n bytes together. */
const uint8_t *iotr_columns_files(const struct iotr_columns *c, size_t *n);

/* n bytes of columns back into size bytes; false if they make no sense. */
bool iotr_columns_unpack(struct iotr_columns *c, uint8_t *columns, size_t n,
			 const struct iotr_head *heads, size_t n_heads, uint64_t *words,
			 size_t size, uint64_t off);
/* How many bytes columns of so many bytes may have. */
#define IOTR_COLUMNS_MAX(size) (2 * (size_t)(size) + 4096)

/* ---- unpack.c ---- */

/* Is this the beginning of a packed log? */
static inline bool iotr_pack_is(const void *bytes, size_t n)
{
	return n >= sizeof(IOTR_PACK_MAGIC) - 1 &&
	       !memcmp(bytes, IOTR_PACK_MAGIC, sizeof(IOTR_PACK_MAGIC) - 1);
}
/* The log's file is packed: make it readable.  -1: said why not. */
int iotr_unpack_open(struct iotr_log *log);
/* Which calls the block at off has, by which bits; NULL: that is not known. */
struct iotr_call_bits *iotr_unpack_in_block(struct iotr_log *log, uint64_t off,
					    struct iotr_in_block *in);
/* Which files it names; NULL: that is not known. */
const struct iotr_block_files *iotr_unpack_files(struct iotr_log *log, uint64_t off);
void iotr_unpack_close(struct iotr_log *log);
size_t iotr_unpack_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
/* Where the next bytes from off on are that may be no zeroes. */
uint64_t iotr_unpack_data(const struct iotr_log *log, uint64_t off);

#endif
