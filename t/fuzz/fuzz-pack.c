/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-pack.c - any bytes as what iotrace-pack packs, and as what it has packed.
 *
 * As a log: columns made of it give it back.  As columns, and as a packed log whose
 * checks are set right first: they give something, or an error.
 * To be used as fuzz-read.c is.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../reader/pack-columns.h"
#include "fuzz.h"

/* The columns of the last chunk that was packed, as they are in a file. */
static size_t store(const struct iotr_columns *c, uint8_t *to)
{
	uint8_t *p = to + IOTR_N_COLUMNS * sizeof(uint32_t);
	unsigned i, j;

	for (i = 0; i < IOTR_N_COLUMNS; i++) {
		const struct iotr_col *col = iotr_columns_col(c, i);
		uint32_t x = col->n << IOTR_COL_N_SHIFT | col->width;

		memcpy(to + i * sizeof(x), &x, sizeof(x));
		for (j = 0; j < col->width; j++, p += col->n)
			memcpy(p, col->plane[j], col->n);
	}
	return (size_t)(p - to);
}

/* In chunks of so many bytes, so that records are cut in two. */
static void there_and_back(const uint8_t *data, size_t size, size_t piece)
{
	struct iotr_columns *packer = iotr_columns_new(true), *unpacker = iotr_columns_new(false);
	uint64_t *words = iotr_alloc(piece + 8), *back = iotr_alloc(piece + 8);
	uint8_t *columns = iotr_alloc(IOTR_COLUMNS_MAX(piece));
	const struct iotr_head *heads;
	size_t off, n, stored, n_heads;

	for (off = 0; off < size; off += n) {
		n = size - off < piece ? size - off : piece;
		memset(words, 0, piece + 8);
		memcpy(words, data + off, n + 8 < size - off ? n + 8 : size - off);
		n_heads = iotr_columns_pack(packer, words, n, off, &heads);
		stored = store(packer, columns);
		if (stored > IOTR_COLUMNS_MAX(n) ||
		    !iotr_columns_unpack(unpacker, columns, stored, heads, n_heads, back, n, off) ||
		    memcmp(back, data + off, n) != 0)
			abort();
		/* the same with a byte that is wrong */
		columns[(words[0] ^ words[n / 16]) % stored] ^= data[off] | 1;
		iotr_columns_unpack(unpacker, columns, stored, heads, n_heads, back, n, off);
	}
	iotr_columns_free(packer);
	iotr_columns_free(unpacker);
	free(words);
	free(back);
	free(columns);
}

static void as_columns(const uint8_t *data, size_t size)
{
	struct iotr_columns *c = iotr_columns_new(false);
	uint8_t *copy = iotr_alloc(size);
	uint64_t *words = iotr_alloc(32768);
	struct iotr_head head = {.off = 0};

	memcpy(copy, data, size);
	iotr_columns_unpack(c, copy, size, &head, 1, words, 32765, 0);
	iotr_columns_free(c);
	free(copy);
	free(words);
}

static void set_checks(uint8_t *p, size_t size)
{
	size_t i;

	for (i = 0; i + sizeof(struct iotr_pack_chunk) <= size; i++) {
		struct iotr_pack_chunk h;

		memcpy(&h, p + i, sizeof(h));
		if (h.magic != IOTR_CHUNK_MAGIC && h.magic != IOTR_END_MAGIC)
			continue;
		h.check = iotr_pack_check(&h);
		memcpy(p + i, &h, sizeof(h));
	}
}

static void as_packed(const uint8_t *data, size_t size)
{
	struct iotr_set *set = iotr_set_new(NULL, NULL);
	uint8_t *copy = iotr_alloc(size);
	struct iotr_log *log;

	memcpy(copy, data, size);
	set_checks(copy, size);
	log = iotr_log_open_mem(copy, size, "fuzz", NULL, NULL);
	if (log)
		iotr_set_add_log(set, log);
	while (iotr_set_next(set))
		;
	iotr_set_free(set);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	there_and_back(data, size, size % 2 ? IOTR_PACK_CHUNK : IOT_ALIGN);
	as_columns(data, size);
	if (iotr_pack_is(data, size))
		as_packed(data, size);
	return 0;
}
