/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.c - writes the packed form of a log. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "log-bytes.h"
#include "packed.h"
#include "starve.h"

struct packer {
	int fd;
	ZSTD_CCtx *zstd;
	struct iotr_columns *columns;
	uint64_t *words;
	uint8_t *out;
	size_t n, cap;
	uint32_t chunks;
};

static int write_all(int fd, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Some bytes more into a frame.  To flush after each column gives it a block of
   its own, with codes made for it. */
static void compress(struct packer *p, const void *bytes, size_t n, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {bytes, n, 0};
	ZSTD_outBuffer out = {p->out, p->cap, p->n};
	size_t left;

	do {
		left = ZSTD_compressStream2(p->zstd, &out, &in, how);
		if (ZSTD_isError(left))
			iotr_no_memory(); /* there is nothing else that could be wrong */
	} while (left);
	p->n = out.pos;
}

static void compress_columns(struct packer *p)
{
	uint32_t header[IOTR_N_COLUMNS];
	unsigned i, j;

	for (i = 0; i < IOTR_N_COLUMNS; i++) {
		const struct iotr_col *c = iotr_columns_col(p->columns, i);

		header[i] = c->n << IOTR_COL_N_SHIFT | c->width;
	}
	compress(p, header, sizeof(header), ZSTD_e_flush);
	for (i = 0; i < IOTR_N_COLUMNS; i++) {
		const struct iotr_col *c = iotr_columns_col(p->columns, i);

		for (j = 0; j < c->width; j++)
			compress(p, c->plane[j], c->n, ZSTD_e_flush);
	}
	compress(p, NULL, 0, ZSTD_e_end);
}

static uint32_t columns_size(const struct iotr_columns *columns)
{
	size_t n = IOTR_N_COLUMNS * sizeof(uint32_t);
	unsigned i;

	for (i = 0; i < IOTR_N_COLUMNS; i++) {
		const struct iotr_col *c = iotr_columns_col(columns, i);

		n += (size_t)c->n * c->width;
	}
	return (uint32_t)n;
}

/* Writes the chunk that is in p->out, with its header, for which p->out has left room. */
static int write_chunk(struct packer *p, struct iotr_pack_chunk *h)
{
	h->check = iotr_pack_check(h);
	memcpy(p->out, h, sizeof(*h));
	return write_all(p->fd, p->out, p->n);
}

static int put_chunk(struct packer *p, size_t size, uint64_t off)
{
	struct iotr_pack_chunk h = {.magic = IOTR_CHUNK_MAGIC, .size = (uint32_t)size};
	const struct iotr_head *heads;
	size_t n = iotr_columns_pack(p->columns, p->words, size, off, &heads);

	h.number = (uint32_t)(off / IOTR_PACK_CHUNK);
	h.before = p->chunks;
	p->n = sizeof(h);
	if (n)
		compress(p, heads, n * sizeof(*heads), ZSTD_e_end);
	h.heads = (uint32_t)(p->n - sizeof(h));
	if (iotr_columns_records(p->columns)) {
		h.columns = columns_size(p->columns);
		compress_columns(p);
	} else {
		compress(p, p->words, size, ZSTD_e_end);
	}
	h.body = (uint32_t)(p->n - sizeof(h) - h.heads);
	p->chunks++;
	return write_chunk(p, &h);
}

/* Which calls blocks have. */
static int put_calls(struct packer *p)
{
	const struct iotr_call_bits *bits;
	size_t n, at, piece;
	const struct iotr_pack_calls *in_block = iotr_columns_in_blocks(p->columns, &n, &bits);

	for (at = 0; at < n; at += piece) {
		struct iotr_pack_chunk h = {.magic = IOTR_CALLS_MAGIC, .before = p->chunks};

		piece = n - at < IOTR_PACK_CALLS ? n - at : IOTR_PACK_CALLS;
		p->n = sizeof(h);
		compress(p, bits->which, sizeof(bits->which), ZSTD_e_flush);
		compress(p, in_block + at, piece * sizeof(*in_block), ZSTD_e_end);
		h.size = (uint32_t)piece;
		h.columns = (uint32_t)IOTR_PACK_CALLS_SIZE(piece);
		h.body = (uint32_t)(p->n - sizeof(h));
		if (write_chunk(p, &h) < 0)
			return -1;
	}
	return 0;
}

/* Which files they name. */
static int put_files(struct packer *p)
{
	size_t n, at = 0, piece;
	const uint8_t *files = iotr_columns_files(p->columns, &n);

	for (; at < n; at += piece) {
		struct iotr_pack_chunk h = {.magic = IOTR_FILES_MAGIC, .before = p->chunks};

		for (piece = 0; at + piece < n; h.size++) {
			const struct iotr_block_files *f = (const void *)(files + at + piece);

			if (piece + IOTR_BLOCK_FILES_SIZE(f->n) > IOTR_PACK_FILES)
				break;
			piece += IOTR_BLOCK_FILES_SIZE(f->n);
		}
		p->n = sizeof(h);
		compress(p, files + at, piece, ZSTD_e_end);
		h.columns = (uint32_t)piece;
		h.body = (uint32_t)(p->n - sizeof(h));
		if (write_chunk(p, &h) < 0)
			return -1;
	}
	return 0;
}

static bool all_zero(const uint64_t *w, size_t size)
{
	const unsigned char *p = (const unsigned char *)w;

	return !p[0] && !memcmp(p, p + 1, size - 1);
}

static int put_log(struct packer *p, struct iotr_log *log)
{
	struct iotr_pack_header h = {
		.magic = IOTR_PACK_MAGIC,
		.byte_order = IOT_BYTE_ORDER,
		.version = IOTR_PACK_VERSION,
	};
	struct iotr_pack_end end = {.magic = IOTR_END_MAGIC, .size = log->size};
	uint64_t off;

	if (write_all(p->fd, (uint8_t *)&h, sizeof(h)) < 0)
		return -1;
	for (off = iotr_bytes_data(log, 0); off < log->size;
	     off = iotr_bytes_data(log, off + IOTR_PACK_CHUNK)) {
		size_t size = IOTR_PACK_CHUNK;

		off -= off % IOTR_PACK_CHUNK;
		if (size > log->size - off)
			size = (size_t)(log->size - off);
		p->words[size / 8] = p->words[IOTR_PACK_CHUNK / 8] = 0;
		if (iotr_bytes_read(log, p->words, size + 8, off) < size) {
			errno = EIO;
			return -1;
		}
		if (!all_zero(p->words, size) && put_chunk(p, size, off) < 0)
			return -1;
	}
	if (put_calls(p) < 0 || put_files(p) < 0)
		return -1;
	end.calls = iotr_columns_calls(p->columns);
	end.chunks = p->chunks;
	end.check = iotr_pack_check(&end);
	return write_all(p->fd, (uint8_t *)&end, sizeof(end));
}

static int pack_log(struct iotr_log *log, int fd, int level)
{
	struct packer p = {
		.fd = fd,
		.zstd = ZSTD_createCCtx(),
		.columns = iotr_columns_new(true),
		.words = iotr_alloc(IOTR_PACK_CHUNK + 8),
		.cap = 2 * ZSTD_compressBound(IOTR_COLUMNS_MAX(IOTR_PACK_CHUNK)),
	};
	int status, error;

	if (!p.zstd)
		iotr_no_memory();
	ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_checksumFlag, 1);
	p.out = iotr_alloc(p.cap);
	status = put_log(&p, log);
	error = errno;
	ZSTD_freeCCtx(p.zstd);
	iotr_columns_free(p.columns);
	free(p.words);
	free(p.out);
	errno = error;
	return status;
}

int iotr_pack(struct iotr_log *log, int fd, int level)
{
	int got;
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		errno = ENOMEM;
		return iotr_starved_log(log);
	}
	got = pack_log(log, fd, level);
	iotr_guard_end(&guard);
	return got;
}
