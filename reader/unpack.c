/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unpack.c - a packed log as the bytes that were packed.
 *
 * Opening one reads the headers of its chunks, and those of the log's blocks,
 * of which memory keeps 100 bytes a block.  Chunks are unpacked when something
 * of them is read, and the last ones are kept, whichever log they are of: logs
 * and threads that are merged by time are read in turns.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "packed.h"

/* zstd adds little to what it can't compress */
#define MAX_HEADS_PACKED ((uint32_t)(IOTR_PACK_HEADS * sizeof(struct iotr_head) + 4096))
#define N_KEPT 64	      /* chunks: 8 MiB a thread */

struct chunk {
	uint64_t pos; /* of its body in the file */
	uint32_t number;
	uint32_t size, body, columns;
	uint32_t n_heads;
	size_t head; /* the first one */
	bool orphan; /* chunks between the one before and this are lost: no hole */
	bool bad;    /* which has been said */
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
	uint64_t n_lost; /* chunks that did not turn up */
	bool end_lost;	 /* the last ones did not */
};

/* ---- what a thread needs to unpack, and what it has unpacked ---- */

struct kept {
	uint64_t log; /* iotr_packed.id; 0: empty */
	uint64_t used;
	uint64_t *bytes;
	uint32_t number;
};

struct bench {
	ZSTD_DCtx *zstd;
	struct iotr_columns *columns;
	uint8_t *packed, *unpacked;
	size_t cap_packed;
	uint64_t clock;
	struct kept kept[N_KEPT];
};

static pthread_key_t bench_key;

static void bench_free(void *arg)
{
	struct bench *b = arg;
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

static struct bench *bench_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct bench *b;

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

/* ---- opening ---- */

uint32_t iotr_pack_check(const void *header)
{
	const uint8_t *p = header;
	uint32_t sum = 2166136261u;
	size_t i;

	for (i = offsetof(struct iotr_pack_chunk, number); i < sizeof(struct iotr_pack_chunk); i++)
		sum = (sum ^ p[i]) * 16777619u;
	return sum;
}

static int check_header(struct iotr_log *log)
{
	struct iotr_pack_header h;

	if (iotr_file_read(log, &h, sizeof(h), 0) < sizeof(h))
		iotr_say(log, IOTR_FATAL, "is packed, and cut short within its header");
	else if (h.byte_order == __builtin_bswap64(IOT_BYTE_ORDER))
		iotr_say(log, IOTR_FATAL,
			 "was packed on a machine of the other byte order; read it there");
	else if (h.byte_order != IOT_BYTE_ORDER)
		iotr_say(log, IOTR_FATAL, "is packed, and its header is damaged (byte order mark)");
	else if (!h.version || h.version > IOTR_PACK_VERSION)
		iotr_say(log, IOTR_FATAL,
			 "is packed as of version %u; this reader knows version %u", h.version,
			 IOTR_PACK_VERSION);
	else
		return 0;
	return -1;
}

static bool is_end(const struct iotr_pack_chunk *h)
{
	return h->magic == IOTR_END_MAGIC && h->check == iotr_pack_check(h);
}

/* Can this be the header of a chunk that comes next? */
static bool is_chunk(const struct iotr_packed *p, const struct iotr_pack_chunk *h)
{
	return h->magic == IOTR_CHUNK_MAGIC && h->check == iotr_pack_check(h) && h->size &&
	       h->size <= IOTR_PACK_CHUNK && h->before >= p->n_chunks + p->n_lost &&
	       (!p->n_chunks || h->number > p->chunk[p->n_chunks - 1].number) &&
	       h->heads <= MAX_HEADS_PACKED && h->body &&
	       h->body <= 2 * IOTR_COLUMNS_MAX(IOTR_PACK_CHUNK) &&
	       h->columns <= IOTR_COLUMNS_MAX(h->size);
}

static bool is_calls(const struct iotr_pack_chunk *h)
{
	return h->magic == IOTR_CALLS_MAGIC && h->check == iotr_pack_check(h) && h->size &&
	       h->size <= IOTR_PACK_CALLS && !h->heads && h->body &&
	       h->body <= 2 * IOTR_PACK_CALLS_SIZE(IOTR_PACK_CALLS) &&
	       h->columns == IOTR_PACK_CALLS_SIZE(h->size);
}

/* What can be where a header is to come */
static bool is_header(const struct iotr_packed *p, const struct iotr_pack_chunk *h)
{
	return is_chunk(p, h) || is_calls(h) || is_end(h);
}

/* The next header behind one that is broken, or the end of the file. */
static uint64_t resync(struct iotr_log *log, uint64_t pos, struct iotr_pack_chunk *h)
{
	uint8_t buf[16384];
	size_t n, i;

	while ((n = iotr_file_read(log, buf, sizeof(buf), pos)) >= sizeof(*h)) {
		for (i = 0; i + sizeof(*h) <= n; i++) {
			memcpy(h, buf + i, sizeof(*h));
			if (is_header(log->packed, h))
				return pos + i;
		}
		pos += i;
	}
	return pos + n;
}

static uint64_t chunk_off(const struct chunk *c)
{
	return (uint64_t)c->number * IOTR_PACK_CHUNK;
}

/* The headers of the blocks of a chunk. */
static bool add_heads(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;
	struct chunk *c = &p->chunk[p->n_chunks - 1];
	struct bench *b = bench_get();
	struct iotr_head *head;
	size_t n, i;

	if (!h->heads)
		return true;
	p->head = iotr_grow(p->head, &p->cap_heads, p->n_heads + IOTR_PACK_HEADS, sizeof(*p->head));
	head = p->head + p->n_heads;
	b->packed = iotr_grow(b->packed, &b->cap_packed, h->heads, 1);
	if (iotr_file_read(log, b->packed, h->heads, pos) < h->heads)
		return false;
	n = ZSTD_decompressDCtx(b->zstd, head, IOTR_PACK_HEADS * sizeof(*head), b->packed,
				h->heads);
	if (ZSTD_isError(n) || n % sizeof(*head))
		return false;
	n /= sizeof(*head);
	for (i = 0; i < n; i++)
		if (head[i].off < (i ? head[i - 1].off + 1 : chunk_off(c)) ||
		    head[i].off - chunk_off(c) >= c->size)
			return false;
	c->n_heads = (uint32_t)n;
	p->n_heads += n;
	return true;
}

static void chunk_bad(struct iotr_log *log, struct chunk *c)
{
	if (!c->bad)
		iotr_say(log, IOTR_DAMAGE,
			 "the chunk at offset %llu is damaged; bytes %llu to %llu "
			 "of the log are lost",
			 (unsigned long long)c->pos, (unsigned long long)chunk_off(c),
			 (unsigned long long)chunk_off(c) + c->size - 1);
	c->bad = true;
}

static void add_chunk(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;
	struct chunk *c;

	p->chunk = iotr_grow(p->chunk, &p->cap_chunks, p->n_chunks + 1, sizeof(*p->chunk));
	c = &p->chunk[p->n_chunks];
	*c = (struct chunk){
		.number = h->number,
		.pos = pos + h->heads,
		.size = h->size,
		.body = h->body,
		.columns = h->columns,
		.head = p->n_heads,
		.orphan = h->before > p->n_chunks + p->n_lost,
	};
	p->n_lost = h->before - p->n_chunks;
	p->n_chunks++;
	if (!add_heads(log, h, pos))
		chunk_bad(log, c);
}

/* Which calls blocks have.  Where that is damaged, all of them are read. */
static void add_calls(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;
	struct bench *b = bench_get();
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

static void add_end(struct iotr_log *log, const struct iotr_pack_chunk *h)
{
	struct iotr_packed *p = log->packed;
	struct iotr_pack_end end;

	memcpy(&end, h, sizeof(end));
	p->calls = end.calls;
	p->end_lost = end.chunks > p->n_chunks + p->n_lost;
	if (end.chunks != p->n_chunks)
		iotr_say(log, IOTR_DAMAGE, "%llu of %llu chunks are there",
			 (unsigned long long)p->n_chunks, (unsigned long long)end.chunks);
	if (end.size >= log->size)
		log->size = end.size;
}

/* All chunks that are whole. */
static void walk(struct iotr_log *log)
{
	uint64_t pos = sizeof(struct iotr_pack_header), size = iotr_file_size(log);
	struct iotr_packed *p = log->packed;
	bool ended = false;

	while (!ended) {
		struct iotr_pack_chunk h;

		if (iotr_file_read(log, &h, sizeof(h), pos) < sizeof(h))
			break;
		if (!is_header(p, &h)) {
			uint64_t from = pos;

			pos = resync(log, pos, &h);
			iotr_say(log, IOTR_DAMAGE, "%llu bytes from offset %llu on are no chunk",
				 (unsigned long long)(pos - from), (unsigned long long)from);
			continue;
		}
		pos += sizeof(h);
		ended = is_end(&h);
		if (ended)
			add_end(log, &h);
		else if (h.heads > size - pos || h.body > size - pos - h.heads)
			break;
		else if (h.magic == IOTR_CALLS_MAGIC)
			add_calls(log, &h, pos);
		else
			add_chunk(log, &h, pos);
		if (!ended)
			pos += h.heads + h.body;
		if (h.magic == IOTR_CHUNK_MAGIC)
			log->size = (uint64_t)h.number * IOTR_PACK_CHUNK + h.size;
	}
	if (!ended)
		iotr_say(log, IOTR_DAMAGE,
			 "is packed, and cut short: %llu bytes of the log are there",
			 (unsigned long long)log->size);
}

int iotr_unpack_open(struct iotr_log *log)
{
	static uint64_t ids;

	if (check_header(log) < 0)
		return -1;
	log->packed = iotr_alloc(sizeof(*log->packed));
	log->packed->id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
	log->size = 0;
	walk(log);
	return 0;
}

void iotr_unpack_close(struct iotr_log *log)
{
	if (!log->packed)
		return;
	free(log->packed->chunk);
	free(log->packed->head);
	free(log->packed->in_block);
	free(log->packed);
}

uint64_t iotr_log_packed_calls(const struct iotr_log *log)
{
	return log->packed ? log->packed->calls : 0;
}

/* ---- reading ---- */

/* Index of the first of n items, sorted by a member, that is not below value. */
#define LOWER_BOUND(item, n, member, value)                                                        \
	({                                                                                         \
		size_t lo_ = 0, hi_ = (n);                                                         \
                                                                                                   \
		while (lo_ < hi_) {                                                                \
			size_t mid_ = lo_ + (hi_ - lo_) / 2;                                       \
                                                                                                   \
			if ((item)[mid_].member < (value))                                         \
				lo_ = mid_ + 1;                                                    \
			else                                                                       \
				hi_ = mid_;                                                        \
		}                                                                                  \
		lo_;                                                                               \
	})

/* The first chunk that begins or goes on there or behind; NULL if there is none. */
static struct chunk *chunk_from(const struct iotr_packed *p, uint64_t off)
{
	uint64_t number = off / IOTR_PACK_CHUNK;
	size_t i = LOWER_BOUND(p->chunk, p->n_chunks, number, number);

	return i < p->n_chunks ? &p->chunk[i] : NULL;
}

struct iotr_call_bits *iotr_unpack_in_block(struct iotr_log *log, uint64_t off,
					    struct iotr_in_block *in)
{
	struct iotr_packed *p = log->packed;
	size_t i = LOWER_BOUND(p->in_block, p->n_in_block, off, off);

	if (i == p->n_in_block || p->in_block[i].off != off)
		return NULL;
	*in = p->in_block[i].in;
	return &p->bits;
}

uint64_t iotr_unpack_data(const struct iotr_log *log, uint64_t off)
{
	const struct iotr_packed *p = log->packed;
	const struct chunk *c = chunk_from(p, off);

	while (c && c->bad && c + 1 < p->chunk + p->n_chunks)
		c++;
	if (!c || c->bad)
		return log->size;
	return chunk_off(c) > off ? chunk_off(c) : off;
}

static bool unpack(struct iotr_log *log, const struct chunk *c, uint64_t *to)
{
	struct bench *b = bench_get();
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
				   c->n_heads, to, c->size, chunk_off(c));
}

/* The bytes of a chunk, until the next call; NULL if it is damaged. */
static const uint64_t *chunk_bytes(struct iotr_log *log, struct chunk *c)
{
	struct bench *b = bench_get();
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
		chunk_bad(log, c);
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
	i = LOWER_BOUND(p->head, p->n_heads, off, off);
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
