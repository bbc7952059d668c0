/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - finding the blocks of a log, and reading one. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "define.h"
#include "live.h"
#include "log-bytes.h"
#include "record.h"

struct iotr_stream *iotr_stream_get(struct iotr_log *log, const struct iot_block *b)
{
	struct iotr_stream *s = iotr_idmap_get(&log->stream_by_id, b->stream);

	if (s)
		return s;
	s = iotr_alloc(sizeof(*s));
	s->log = log;
	s->id = b->stream;
	s->process = b->process;
	s->pid = b->pid;
	s->tid = b->tid;
	s->level = b->level;
	iotr_idmap_put(&log->stream_by_id, b->stream, s);
	log->stream = iotr_grow(log->stream, &log->cap_streams, log->n_streams + 1,
				sizeof(struct iotr_stream *));
	log->stream[log->n_streams++] = s;
	iotr_process_get(log, b->process, b->pid);
	return s;
}

/* How many bytes of records there are.  They are fewer than the header says if that can't be right, or if the file
   ends before the block does. */
static uint32_t mend_used(struct iotr_log *log, const struct iot_block *b, uint64_t off,
			  bool *clipped)
{
	uint32_t used = b->used;

	if (used > b->size - b->header_size || used % 8) {
		iotr_say(log, IOTR_DAMAGE, "block at offset %llu claims %u bytes of records",
			 (unsigned long long)off, used);
		if (used > b->size - b->header_size)
			used = b->size - b->header_size;
		used &= ~7u;
	}
	if (off + b->header_size + used > log->size)
		iotr_log_resize(log);
	/* if the log is being followed, the rest of the block is on its way */
	*clipped = off + b->header_size + used > log->size && !log->live;
	if (*clipped)
		used = off + b->header_size < log->size
			       ? (uint32_t)(log->size - off - b->header_size) & ~7u
			       : 0;
	return used;
}

struct iotr_ref iotr_ref(struct iotr_log *log, const struct iot_block *b, uint64_t off)
{
	bool clipped;
	uint32_t used = mend_used(log, b, off, &clipped);

	return (struct iotr_ref){
		.off = off,
		.base = b->base,
		.begun = b->anchor.ticks,
		.seq = b->seq,
		.used = used,
		.size = b->size,
		.header_size = b->header_size,
		.flags = b->flags,
		.n_late = b->n_late,
		.n_defs = b->n_defs,
		.depth = b->depth,
		.lost = b->lost,
		.early = b->anchor.monotonic <= log->walk_began,
		.clipped = clipped,
	};
}

static void add_block(struct iotr_log *log, const struct iot_block *b, uint64_t off)
{
	struct iotr_stream *s;

	if (log->followed && (b->flags & IOT_BLOCK_WINDOW)) {
		iotr_window_add(log, off);
		return;
	}
	s = iotr_stream_get(log, b);
	s->found = iotr_grow_few(s->found, &s->cap_found, s->n_found + 1, sizeof(*s->found));
	s->found[s->n_found] = iotr_ref(log, b, off);
	iotr_in_block_get(log, &s->found[s->n_found]);
	s->found[s->n_found++].poll = log->poll;
	log->news = true;
	s->flags |= b->flags & (IOT_BLOCK_HELPER | IOT_BLOCK_MPI);
	iotr_clock_anchor(log, &b->anchor);
}

static uint64_t next_data(struct iotr_log *log, uint64_t off, uint64_t limit)
{
	off = iotr_bytes_data(log, off);
	return off < limit ? off : limit;
}

/*
 * A reader that follows a log may see a header while that is written.  The kernel copies
 * upwards, and the time in the anchor is never 0: once the time is there, so is all before
 * it, which says which block this is.  (Of a window's header, the magic is stored last.)
 */
static bool believable(const struct iotr_log *log, const struct iot_block *b)
{
	return iotr_block_plausible(b) && (!log->live || b->anchor.monotonic) &&
	       iotr_head_sound(log, b);
}

/* The header is read twice if the log is followed.  If it was written while the first read went on, that may
   have found the anchor, and not yet what lies before it; the second finds all (t/model/follow.pml).  If a
   running process changes the header, its checksum is right again a moment later. */
static bool read_header(struct iotr_log *log, uint64_t off, struct iot_block *b)
{
	for (int i = 0, again = 0; i < (log->live ? 2 : 1); i++) {
		if (iotr_bytes_read(log, b, sizeof(*b), off) < sizeof(*b) || !iotr_block_plausible(b))
			return false;
		if (!believable(log, b) && (again++ == 2 || i-- < 0))
			return false;
	}
	return true;
}

static bool all_zero(const unsigned char *p, size_t n)
{
	return n == 0 || (p[0] == 0 && !memcmp(p, p + 1, n - 1));
}

/* The size of a window that belongs to no stream, or 0 if there is none here.  A window that a stream begins
   has no magic yet, and one that a stream has left has none any more.  If the size is not there yet either,
   the window is new, and nothing lies behind its header. */
static uint64_t nobodys(const struct iotr_log *log, const unsigned char *page, size_t n)
{
	struct iot_block b = {0};
	size_t head = n < sizeof(b) ? n : sizeof(b);

	memcpy(&b, page, head);
	if (b.magic)
		return 0;
	b.magic = IOT_BLOCK_MAGIC;
	if (iotr_block_plausible(&b) && b.flags & IOT_BLOCK_WINDOW && iotr_size_sound(log, &b))
		return b.size;
	return all_zero(page + head, n - head) ? IOT_ALIGN : 0;
}

/* Does a block begin at off + at, of which n bytes from off on are in page? */
static bool begins(struct iotr_log *log, const unsigned char *page, size_t n, uint64_t off,
		   size_t at)
{
	struct iot_block b = {0};

	memcpy(&b, page + at, n - at < sizeof(b) ? n - at : sizeof(b));
	if (b.magic != IOT_BLOCK_MAGIC)
		return false;
	return (n - at >= sizeof(b) || iotr_bytes_read(log, &b, sizeof(b), off + at) == sizeof(b)) &&
	       believable(log, &b);
}

/* A process that is killed while it writes a block leaves the pages that were done.  A header that
   goes on in the next page is cut then: zeroes lie there.  The window has the block's records. */
static bool is_cut(struct iotr_log *log, uint64_t off)
{
	struct iot_block b = {0};
	const size_t n = IOT_ALIGN - off % IOT_ALIGN;

	return n < sizeof(b) && iotr_bytes_read(log, &b, sizeof(b), off) >= n && b.magic == IOT_BLOCK_MAGIC &&
	       all_zero((const unsigned char *)&b + n, sizeof(b) - n);
}

/* Where the first block in a page begins, or the page's end.  Bytes before it that are not zero are added to
   *garbage. */
static size_t search(struct iotr_log *log, const unsigned char *page, size_t n, uint64_t off,
		     uint64_t *garbage)
{
	size_t at, piece;

	if (all_zero(page, n))
		return n;
	for (at = 0; at < n && !begins(log, page, n, off, at); at += piece) {
		piece = n - at < IOT_BLOCK_ALIGN ? n - at : IOT_BLOCK_ALIGN;
		if (!all_zero(page + at, piece) && !is_cut(log, off + at))
			*garbage += piece;
	}
	return at;
}

/* The next multiple of IOT_BLOCK_ALIGN from off that holds a plausible block.  Zeroes
   on the way are windows that nobody has, or the hole that a dying process left;
   anything else is damage. */
static uint64_t resync(struct iotr_log *log, uint64_t off, uint64_t limit)
{
	unsigned char page[IOT_ALIGN];
	uint64_t from = off, garbage = 0;
	uint32_t magic = 0;
	const bool was_block = log->header.version > 1 &&
			       iotr_bytes_read(log, &magic, sizeof(magic), off) &&
			       magic == IOT_BLOCK_MAGIC;

	while ((off = next_data(log, off, limit)) < limit) {
		size_t n = iotr_bytes_read(log, page, sizeof(page) - off % sizeof(page), off), at;
		uint64_t skip = 0;

		if (n == 0) {
			uint64_t more = next_data(log, off, limit);

			off = more > off ? more : limit; /* it shrank */
			continue;
		}
		if (off % IOT_ALIGN == 0 && !begins(log, page, n, off, 0))
			skip = nobodys(log, page, n);
		if (skip) {
			off += skip;
			continue;
		}
		at = search(log, page, n, off, &garbage);
		off += at;
		if (at < n)
			break;
		off += -off % IOT_BLOCK_ALIGN;
	}
	if (garbage && !log->quiet && was_block)
		iotr_say(log, IOTR_DAMAGE,
			 "the block at offset %llu is damaged: the %llu bytes up to the next one "
			 "are left out",
			 (unsigned long long)from,
			 (unsigned long long)((off < limit ? off : limit) - from));
	else if (garbage && !log->quiet)
		iotr_say(log, IOTR_DAMAGE, "%llu bytes from offset %llu on are no records",
			 (unsigned long long)garbage, (unsigned long long)from);
	return off < limit ? off : limit;
}

static void add_gap(struct iotr_log *log, uint64_t from, uint64_t to)
{
	struct iotr_gap *last = log->n_gaps ? &log->gap[log->n_gaps - 1] : NULL;

	if (last && last->to == from) {
		last->to = to;
		return;
	}
	log->gap = iotr_grow(log->gap, &log->cap_gaps, log->n_gaps + 1, sizeof(*log->gap));
	log->gap[log->n_gaps++] = (struct iotr_gap){from, to};
}

/* Adds the blocks from off on to limit, and notes what lies between them as gaps.  Returns the end of the last
   block. */
static uint64_t walk(struct iotr_log *log, uint64_t off, uint64_t limit)
{
	struct iot_block b;

	while (off < limit) {
		if (!read_header(log, off, &b)) {
			uint64_t from = off;

			off = resync(log, off, limit);
			add_gap(log, from, off);
			continue;
		}
		add_block(log, &b, off);
		off += b.size;
		if (off > log->last_end) {
			log->last_end = off;
			log->last_is_window = b.flags & IOT_BLOCK_WINDOW;
		}
	}
	return off;
}

static uint64_t extents_limit(struct iotr_log *log)
{
	const struct iot_file_header *h = &log->header;

	if (h->end < h->text_end) {
		iotr_say(log, IOTR_DAMAGE, "the header's end of data is wrong (%llu)",
			 (unsigned long long)h->end);
		return log->size;
	}
	return h->end < log->size ? h->end : log->size;
}

void iotr_extents_walk(struct iotr_log *log)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	log->walk_began = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	iotr_log_resize(log); /* the log may have grown between its opening and the header's reading */
	log->walked = walk(log, log->header.text_end, extents_limit(log));
	iotr_log_resize(log); /* somebody may be writing it right now */
	log->quiet = true;
}

void iotr_extents_more(struct iotr_log *log)
{
	size_t i, n = log->n_gaps;
	struct iot_file_header now;
	struct iotr_gap *gap = log->gap;

	if (iotr_bytes_read(log, &now, sizeof(now), 0) < sizeof(now))
		return;
	now.end = IOT_COUNT(now.end);
	iotr_log_resize(log);
	log->gap = NULL;
	log->n_gaps = log->cap_gaps = 0;
	for (i = 0; i < n; i++) {
		uint64_t off = walk(log, gap[i].from, gap[i].to);

		if (off > log->walked)
			log->walked = off;
	}
	free(gap);
	if (now.end > log->size)
		now.end = log->size;
	if (log->walked < now.end)
		log->walked = walk(log, log->walked, now.end);
}

static bool same_block(const struct iot_block *b, const struct iotr_stream *s,
		       const struct iotr_ref *ref)
{
	return iotr_block_plausible(b) && b->stream == s->id && b->seq == ref->seq;
}

/*
 * Reads the header of a block that iotr_extents_walk saw.  A window may have been copied away and
 * begun anew since.  Its copy then lies where space was reserved and not yet filled, or behind
 * the end that was known.
 */
static bool find_block(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *ref,
		       struct iot_block *b, uint64_t *off)
{
	size_t i;

	*off = ref->off;
	if (iotr_bytes_read(log, b, sizeof(*b), *off) == sizeof(*b) && same_block(b, s, ref))
		return true;
	*off = ref->copy;
	if (*off && iotr_bytes_read(log, b, sizeof(*b), *off) == sizeof(*b) && same_block(b, s, ref))
		return true;
	iotr_extents_more(log);
	for (i = 0; i < s->n_found; i++) {
		*off = s->found[i].off;
		if (s->found[i].seq == ref->seq &&
		    iotr_bytes_read(log, b, sizeof(*b), *off) == sizeof(*b) && same_block(b, s, ref))
			return true;
	}
	return false;
}

size_t iotr_block_read(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref,
		       struct iot_block *head, uint64_t **words, size_t *cap)
{
	struct iot_block after;
	uint64_t off;
	size_t n;
	bool sound = true;

	for (int try = 0; try < 4 && !ref->damaged && find_block(log, s, ref, head, &off); try++) {
		*words = iotr_grow(*words, cap, ref->used / 8 + 1, 8);
		n = iotr_bytes_read(log, *words, ref->used + 8, off + head->header_size) / 8;
		if (iotr_bytes_read(log, &after, sizeof(after), off) != sizeof(after) ||
		    !same_block(&after, s, ref))
			continue;
		/* a window that grows has more records than are looked for */
		sound = ref->checked || ref->clipped || n <= ref->used / 8 ||
			head->used != ref->used ||
			iotr_records_sound(log, head, off, *words, ref->used / 8);
		if (!sound)
			continue;
		ref->checked = !(head->flags & IOT_BLOCK_WINDOW);
		return n < ref->used / 8 ? n : ref->used / 8;
	}
	if (!sound) {
		ref->damaged = true;
		iotr_say(log, IOTR_DAMAGE,
			 "the block at offset %llu, %u bytes, is damaged: its records are left out",
			 (unsigned long long)off, head->size);
	}
	return 0;
}

/* Reads the record at off, of at most left words.  Returns how many it has; 0 if it makes no sense. */
static size_t read_record(struct iotr_log *log, uint64_t off, size_t left, uint64_t **words, size_t *cap)
{
	size_t n, want = 64;

	for (;;) {
		if (want > left)
			want = left;
		*words = iotr_grow(*words, cap, want + 1, 8);
		n = iotr_bytes_read(log, *words, want * 8, off) / 8;
		if (n < want)
			return 0;
		n = iotr_record_words(*words, n);
		if (n || want == left)
			return n;
		want = left < 65536 ? left : 65536;
		left = want;
	}
}

/* Reads one record of a block, at word pos.  Returns how many words it has, 0 on failure.  If a window goes on
   while it is read, its copy has the record. */
size_t iotr_block_record(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *ref,
			 uint32_t pos, struct iot_block *head, uint64_t **words, size_t *cap)
{
	struct iot_block after;
	uint64_t off;
	size_t n;

	for (int try = 0; try < 4 && find_block(log, s, ref, head, &off); try++) {
		n = read_record(log, off + head->header_size + (uint64_t)pos * 8,
				ref->used / 8 - pos, words, cap);
		if (iotr_bytes_read(log, &after, sizeof(after), off) == sizeof(after) &&
		    same_block(&after, s, ref))
			return n;
	}
	return 0;
}
