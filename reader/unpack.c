/* SPDX-License-Identifier: BSD-3-Clause */
/* unpack.c - a packed log as the bytes that were packed: chunks are unpacked when they are read. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "log-bytes.h"
#include "unpack.h"

static pthread_key_t bench_key;

static void bench_free(void *arg)
{
	struct iotr_bench *b = arg;
	unsigned i;

	for (i = 0; i < N_KEPT; i++)
		free(b->kept[i].bytes);
	ZSTD_freeDCtx(b->zstd);
	iotr_columns_free(b->columns);
	free(b->packed);
	free(b->unpacked);
	free(b);
}

static void bench_init(void)
{
	if (pthread_key_create(&bench_key, bench_free))
		iotr_no_memory();
}

struct iotr_bench *iotr_bench_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct iotr_bench *b;

	pthread_once(&once, bench_init);
	b = pthread_getspecific(bench_key);
	if (b)
		return b;
	b = iotr_alloc(sizeof(*b));
	b->zstd = ZSTD_createDCtx();
	if (!b->zstd)
		iotr_no_memory();
	b->columns = iotr_columns_new(false);
	b->unpacked = iotr_alloc(IOTR_COLUMNS_MAX(IOTR_PACK_CHUNK));
	pthread_setspecific(bench_key, b);
	return b;
}

void iotr_chunk_bad(struct iotr_log *log, struct chunk *c)
{
	if (!c->bad)
		iotr_say(log, IOTR_DAMAGE,
			 "the chunk at offset %llu is damaged; bytes %llu to %llu "
			 "of the log are lost",
			 (unsigned long long)c->pos, (unsigned long long)iotr_chunk_off(c),
			 (unsigned long long)iotr_chunk_off(c) + c->size - 1);
	c->bad = true;
}

/* The first chunk that begins or goes on there or behind; NULL if there is none. */
static struct chunk *chunk_from(const struct iotr_packed *p, uint64_t off)
{
	uint64_t number = off / IOTR_PACK_CHUNK;
	size_t i = LOWER_BOUND(p->chunk, p->n_chunks, .number, number);

	return i < p->n_chunks ? &p->chunk[i] : NULL;
}

uint64_t iotr_unpack_data(const struct iotr_log *log, uint64_t off)
{
	const struct iotr_packed *p = log->packed;
	const struct chunk *c = chunk_from(p, off);

	while (c && c->bad && c + 1 < p->chunk + p->n_chunks)
		c++;
	if (!c || c->bad)
		return log->size;
	return iotr_chunk_off(c) > off ? iotr_chunk_off(c) : off;
}

static bool unpack(struct iotr_log *log, const struct chunk *c, uint64_t *to)
{
	struct iotr_bench *b = iotr_bench_get();
	void *out = c->columns ? (void *)b->unpacked : (void *)to;
	size_t want = c->columns ? c->columns : c->size, n;

	b->packed = iotr_grow(b->packed, &b->cap_packed, c->body, 1);
	if (iotr_file_read(log, b->packed, c->body, c->pos) < c->body)
		return false;
	n = ZSTD_decompressDCtx(b->zstd, out, want, b->packed, c->body);
	if (ZSTD_isError(n) || n != want)
		return false;
	return !c->columns ||
	       iotr_columns_unpack(b->columns, b->unpacked, n, log->packed->head + c->head,
				   c->n_heads, to, c->size, iotr_chunk_off(c));
}

/* The bytes of a chunk, until the next call; NULL if it is damaged. */
static const uint64_t *chunk_bytes(struct iotr_log *log, struct chunk *c)
{
	struct iotr_bench *b = iotr_bench_get();
	struct kept *k = b->kept, *oldest = k;

	if (c->bad)
		return NULL;
	for (k = b->kept; k < b->kept + N_KEPT; k++) {
		if (k->log == log->packed->id && k->number == c->number) {
			k->used = ++b->clock;
			return k->bytes;
		}
		if (k->used < oldest->used)
			oldest = k;
	}
	k = oldest;
	if (!k->bytes)
		k->bytes = iotr_alloc(IOTR_PACK_CHUNK);
	k->log = 0;
	if (!unpack(log, c, k->bytes)) {
		iotr_chunk_bad(log, c);
		return NULL;
	}
	k->log = log->packed->id;
	k->number = c->number;
	k->used = ++b->clock;
	return k->bytes;
}

/* Block headers are read by themselves, and mostly one after the other. */
static const struct iotr_head *find_head(struct iotr_packed *p, uint64_t off)
{
	size_t i;

	if (p->next_head < p->n_heads && p->head[p->next_head].off == off)
		return &p->head[p->next_head++];
	i = LOWER_BOUND(p->head, p->n_heads, .off, off);
	p->next_head = i + 1;
	return i < p->n_heads && p->head[i].off == off ? &p->head[i] : NULL;
}

/* Up to n bytes that lie in one chunk; false if they are lost. */
static bool read_piece(struct iotr_log *log, char *buf, size_t n, uint64_t off)
{
	struct chunk *c = chunk_from(log->packed, off);
	size_t at = off % IOTR_PACK_CHUNK, there;
	const char *bytes;

	if (!c || c->number != off / IOTR_PACK_CHUNK) {
		memset(buf, 0, n); /* a hole, unless something is missing */
		return c ? !c->orphan : !log->packed->end_lost;
	}
	bytes = (const char *)chunk_bytes(log, c);
	there = at < c->size ? c->size - at : 0;
	if (!bytes)
		return false;
	memcpy(buf, bytes + at, n < there ? n : there);
	if (n > there)
		memset(buf + there, 0, n - there);
	return true;
}

size_t iotr_unpack_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	const struct iotr_head *head = NULL;
	size_t n, got;

	if (size == sizeof(struct iot_block))
		head = find_head(log->packed, off);
	if (head) {
		memcpy(buf, &head->block, size);
		return size;
	}
	if (off >= log->size)
		return 0;
	if (size > log->size - off)
		size = (size_t)(log->size - off);
	for (got = 0; got < size; got += n, off += n) {
		n = IOTR_PACK_CHUNK - off % IOTR_PACK_CHUNK;
		if (n > size - got)
			n = size - got;
		if (!read_piece(log, (char *)buf + got, n, off))
			break;
	}
	return got;
}
