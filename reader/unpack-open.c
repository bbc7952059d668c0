/* SPDX-License-Identifier: BSD-3-Clause */
/* unpack-open.c - the chunks of a packed log, and the headers of blocks in them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "log-bytes.h"
#include "unpack.h"

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

/* What can be where a header is to come */
static bool is_header(const struct iotr_packed *p, const struct iotr_pack_chunk *h)
{
	return is_chunk(p, h) || iotr_is_calls(h) || iotr_is_files(h) || is_end(h);
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

/* The headers of the blocks of a chunk. */
static bool add_heads(struct iotr_log *log, const struct iotr_pack_chunk *h, uint64_t pos)
{
	struct iotr_packed *p = log->packed;
	struct chunk *c = &p->chunk[p->n_chunks - 1];
	struct iotr_bench *b = iotr_bench_get();
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
		if (head[i].off < (i ? head[i - 1].off + 1 : iotr_chunk_off(c)) ||
		    head[i].off - iotr_chunk_off(c) >= c->size)
			return false;
	c->n_heads = (uint32_t)n;
	p->n_heads += n;
	return true;
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
		iotr_chunk_bad(log, c);
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
			iotr_calls_add(log, &h, pos);
		else if (h.magic == IOTR_FILES_MAGIC)
			iotr_files_frame_add(log, &h, pos);
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
	iotr_files_frames_free(log->packed);
	free(log->packed);
}

uint64_t iotr_log_packed_calls(const struct iotr_log *log)
{
	return log->packed ? log->packed->calls : 0;
}
