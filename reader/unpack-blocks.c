/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unpack-blocks.c - what a packed log says of its blocks: which calls they have, and which files
 * they name.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "log-bytes.h"
#include "schema.h"
#include "unpack.h"

bool iotr_is_calls(const struct iotr_pack_chunk *h)
{
	return h->magic == IOTR_CALLS_MAGIC && h->check == iotr_pack_check(h) && h->size &&
	       h->size <= IOTR_PACK_CALLS && !h->heads && h->body &&
	       h->body <= 2 * IOTR_PACK_CALLS_SIZE(IOTR_PACK_CALLS) &&
	       h->columns == IOTR_PACK_CALLS_SIZE(h->size);
}

bool iotr_is_files(const struct iotr_pack_chunk *h)
{
	return h->magic == IOTR_FILES_MAGIC && h->check == iotr_pack_check(h) && h->size && !h->heads &&
	       h->body && h->body <= 2 * IOTR_COLUMNS_MAX(IOTR_PACK_FILES) && h->columns <= IOTR_PACK_FILES;
}

/* Which calls blocks have.  Where that is damaged, all of them are read. */
void iotr_calls_add(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;
	struct iotr_bench *b = iotr_bench_get();
	size_t size = h->size * sizeof(*p->in_block);

	b->packed = iotr_grow(b->packed, &b->cap_packed, h->body, 1);
	if (iotr_file_read(log, b->packed, h->body, pos) < h->body ||
	    ZSTD_decompressDCtx(b->zstd, b->unpacked, h->columns, b->packed, h->body) != h->columns) {
		iotr_say(log, IOTR_DAMAGE, "which calls its blocks have, at offset %llu, is damaged",
			 (unsigned long long)pos);
		return;
	}
	memcpy(p->bits.which, b->unpacked, sizeof(p->bits.which));
	for (size_t i = 0; i < IOTR_MAX_CALL; i++)
		if (p->bits.which[i] > 64)
			p->bits.which[i] = 0;
	p->in_block = iotr_grow(p->in_block, &p->cap_in_block, p->n_in_block + h->size,
				sizeof(*p->in_block));
	memcpy(p->in_block + p->n_in_block, b->unpacked + IOTR_MAX_CALL, size);
	p->n_in_block += h->size;
}

/* The next one of which n bytes are there; NULL: they make no sense. */
static const struct iotr_block_files *files_at(const uint8_t *bytes, size_t n, uint64_t least)
{
	const struct iotr_block_files *f = (const void *)bytes;

	if (n < sizeof(*f) || f->n > IOTR_FILE_RANGES || n < IOTR_BLOCK_FILES_SIZE(f->n) || f->off < least)
		return NULL;
	return f;
}

/* Do as many come one after the other as the header says? */
static bool are_files(const struct iotr_pack_chunk *h, const uint8_t *bytes)
{
	uint64_t least = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < h->size; i++) {
		const struct iotr_block_files *f = files_at(bytes + at, h->columns - at, least);

		if (!f)
			return false;
		at += IOTR_BLOCK_FILES_SIZE(f->n);
		least = f->off + 1;
	}
	return at == h->columns;
}

/* Unpacks them to where there is room for IOTR_PACK_FILES. */
static bool read_files(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos, uint8_t *to)
{
	struct iotr_bench *b = iotr_bench_get();

	b->packed = iotr_grow(b->packed, &b->cap_packed, h->body, 1);
	return iotr_file_read(log, b->packed, h->body, pos) == h->body &&
	       ZSTD_decompressDCtx(b->zstd, to, h->columns, b->packed, h->body) == h->columns &&
	       are_files(h, to);
}

/* Which files blocks name.  It is looked through, and kept only when files are chosen. */
void iotr_files_frame_add(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;

	if (!read_files(log, h, pos, iotr_bench_get()->unpacked)) {
		iotr_say(log, IOTR_DAMAGE, "which files its blocks name, at offset %llu, is damaged",
			 (unsigned long long)pos);
		return;
	}
	p->frame = iotr_grow(p->frame, &p->cap_frames, p->n_frames + 1, sizeof(*p->frame));
	p->frame[p->n_frames++] = (struct files_frame){*h, pos, NULL};
}

static void load_frame(struct iotr_log *log, struct files_frame *frame)
{
	struct iotr_packed *p = log->packed;
	size_t at = 0;

	frame->bytes = iotr_alloc(frame->header.columns);
	if (!read_files(log, &frame->header, frame->pos, frame->bytes))
		return; /* it has changed */
	p->files = iotr_grow(p->files, &p->cap_files, p->n_files + frame->header.size, sizeof(*p->files));
	for (uint32_t i = 0; i < frame->header.size; i++) {
		const struct iotr_block_files *f = (const void *)(frame->bytes + at);

		if (p->n_files && p->files[p->n_files - 1]->off >= f->off)
			return; /* not in order: of the rest nothing is known */
		p->files[p->n_files++] = f;
		at += IOTR_BLOCK_FILES_SIZE(f->n);
	}
}

struct iotr_call_bits *iotr_unpack_in_block(struct iotr_log *log, uint64_t off,
					    struct iotr_in_block *in)
{
	struct iotr_packed *p = log->packed;
	size_t i = LOWER_BOUND(p->in_block, p->n_in_block, .off, off);

	if (i == p->n_in_block || p->in_block[i].off != off)
		return NULL;
	*in = p->in_block[i].in;
	return &p->bits;
}

const struct iotr_block_files *iotr_unpack_files(struct iotr_log *log, uint64_t off)
{
	struct iotr_packed *p = log->packed;
	size_t i;

	if (!p->has_files) {
		p->has_files = true;
		for (i = 0; i < p->n_frames; i++)
			load_frame(log, &p->frame[i]);
	}
	i = LOWER_BOUND(p->files, p->n_files, ->off, off);
	return i < p->n_files && p->files[i]->off == off ? p->files[i] : NULL;
}

void iotr_files_frames_free(struct iotr_packed *p)
{
	for (size_t i = 0; i < p->n_frames; i++)
		free(p->frame[i].bytes);
	free(p->frame);
	free(p->files);
}
