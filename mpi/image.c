/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image.c - this process's log as it will lie in that of the job: without the header
 * text that ranks share, with references in place of names that they share, and
 * without the space that its windows have not used.
 *
 * Windows keep some room, since they are written once more when MPI is finalized:
 * until then other threads, and this one, may store into them.
 */
#include <string.h>

#include "arena.h"
#include "bytes.h"
#include "for-jobs.h"
#include "job.h"
#include "log-share.h"
#include "window.h"

#define ROOM 8192u			/* for what may still come to a window */

#define CHUNK IOT_ALIGN			/* in which blocks are looked for */

static uint64_t up(uint64_t n)
{
	return (n + IOT_ALIGN - 1) & -(uint64_t)IOT_ALIGN;
}

static uint32_t up_block(uint32_t n)
{
	return (n + IOT_BLOCK_ALIGN - 1) & -(uint32_t)IOT_BLOCK_ALIGN;
}

/* Where the lines of the schema begin, which come last. */
uint32_t iot_image_schema(const char *text, uint32_t size)
{
	for (uint32_t i = 0; i + 5 <= size; i++)
		if ((!i || text[i - 1] == '\n') && !memcmp(text + i, "call ", 5))
			return i;
	return size;
}

/* The header.  What other threads are changing of it at the moment is left out. */
static void read_header(struct iot_file_header *head)
{
	*head = *(volatile struct iot_file_header *)iot_header;
	if (iot_anchor_sum(&head->latest) != head->latest_sum)
		head->latest.ticks = 0;
}

/* The header and its text; to be unmapped with as many bytes as the text has, and
   one page more. */
char *iot_image_text(struct iot_file_header *head)
{
	char *text;

	read_header(head);
	text = iot_map(head->text_size + (size_t)IOT_ALIGN);
	if (text && iot_log_read(text, head->text_size, head->header_size) == (long)head->text_size)
		return text;
	if (text)
		iot_unmap(text, head->text_size + (size_t)IOT_ALIGN);
	return NULL;
}

/* ---- strings ---- */

/* Which words of a definition are the heads of names: the first one and, if that is
   not the only one, the next. */
static uint32_t names_of(const struct iot_records *r, uint32_t at[2])
{
	uint32_t n = 0, i;

	if (iot_record_call(r->word0))
		return 0;
	switch (iot_record_handle(r->word0)) {
	case IOT_DEF_PATH:
		i = 2 + IOT_DEF_PATH_NAME;
		break;
	case IOT_DEF_MAP:
		i = 2 + IOT_DEF_MAP_NAMES;
		break;
	default:
		return 0;
	}
	for (; i < r->words && n < 2; i += 1 + (uint32_t)iot_inline_words(r->p[i]))
		if (r->p[i] & IOT_INLINE && i + 1 + iot_inline_words(r->p[i]) <= r->words)
			at[n++] = i;
	return n;
}

/* Where the string is in the table, or where it would go: there is 0 then. */
static uint32_t *find(const struct iot_strings *s, const uint64_t *string)
{
	uint64_t hash = iot_hash((const char *)(string + 1), (uint32_t)iot_inline_size(*string)) * 0x9e3779b97f4a7c15ULL;
	uint32_t i = (uint32_t)(hash >> 32) & s->mask;

	for (; s->table[i]; i = (i + 1) & s->mask) {
		const uint64_t *there = s->words + s->table[i] - 1;

		if (*there == *string && !memcmp(there + 1, string + 1, iot_inline_size(*string)))
			break;
	}
	return &s->table[i];
}

/* A string has two words at least: the table never gets full. */
#define TABLE	    (1u << 14)
#define MAX_STRINGS (12 * TABLE)	/* bytes */

/* Room for strings. */
bool iot_strings_take(struct iot_strings *s, uint64_t size)
{
	s->mask = TABLE - 1;
	s->words = iot_map(MAX_STRINGS);
	s->table = iot_map(TABLE * sizeof(*s->table));
	s->size = size;
	return s->words && s->table && size <= MAX_STRINGS;
}

/* Strings have come there. */
void iot_strings_index(struct iot_strings *s)
{
	uint64_t words;

	for (uint64_t at = 0; at < s->size / 8; at += words) {
		words = 1 + iot_inline_words(s->words[at]);
		*find(s, s->words + at) = (uint32_t)at + 1;
	}
}

static void add_names(struct iot_strings *s, const struct iot_records *r)
{
	uint32_t at[2], n = names_of(r, at);

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t *name = r->p + at[i];
		uint64_t size = 8 + 8 * iot_inline_words(*name);
		uint32_t *place = find(s, name);

		if (*place || s->size + size > MAX_STRINGS)
			continue;
		memcpy((char *)s->words + s->size, name, size);
		*place = (uint32_t)(s->size / 8) + 1;
		s->size += size;
	}
}

void iot_strings_free(struct iot_strings *s)
{
	if (s->words)
		iot_unmap(s->words, MAX_STRINGS);
	if (s->table)
		iot_unmap(s->table, TABLE * sizeof(*s->table));
	s->words = NULL;
	s->table = NULL;
}

/* ---- blocks ---- */

/* The next multiple of IOT_BLOCK_ALIGN from off on at which a block may begin.  What
   lies between is a hole, or windows that nobody has. */
static uint64_t next_block(uint64_t off, uint64_t end)
{
	uint32_t magic[CHUNK / 4];

	for (; off < end; off += CHUNK - off % CHUNK) {
		long n = iot_log_read(magic, CHUNK - off % CHUNK, off);

		for (long at = 0; at + 4 <= n; at += IOT_BLOCK_ALIGN)
			if (magic[at / 4] == IOT_BLOCK_MAGIC && off + (uint64_t)at < end)
				return off + (uint64_t)at;
	}
	return end;
}

/*
 * The extent at off, into image->buf: how many bytes its records have (behind its
 * header and slots), and its header is *head.  False: there is none, go on at the next
 * multiple of IOT_BLOCK_ALIGN.  A window may be emptied while it is read: what its
 * header says before must hold after.
 */
static bool read_extent(struct iot_image *image, uint64_t off, struct iot_block *head)
{
	struct iot_block after;

	for (int i = 0; i < 100; i++) {
		if (iot_log_read(head, sizeof(*head), off) != sizeof(*head) ||
		    head->magic != IOT_BLOCK_MAGIC || head->size > image->buf_size || !head->size ||
		    head->size % IOT_BLOCK_ALIGN || head->header_size < sizeof(*head) ||
		    head->header_size > head->size || head->used % 8 ||
		    head->used + sizeof(uint64_t) > head->size - head->header_size)
			return false;
		if (iot_log_read(image->buf, head->header_size + head->used + sizeof(uint64_t), off) !=
		    (long)(head->header_size + head->used + sizeof(uint64_t)))
			return false;
		if (iot_log_read(&after, sizeof(after), off) == sizeof(after) &&
		    after.seq == head->seq && after.stream == head->stream)
			return true;
	}
	return false;
}

/* Copies records, with references in place of names that are shared. */
static uint32_t copy_records(const struct iot_strings *s, uint64_t *to, const uint64_t *from, uint32_t bytes)
{
	struct iot_records r = { .next = from, .end = from + bytes / 8 };
	uint64_t *out = to;
	uint32_t at[2];

	while (iot_records_next(&r)) {
		uint64_t *rec = out;
		uint32_t done = 0, n = s ? names_of(&r, at) : 0;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t *place = find(s, r.p + at[i]);

			if (!*place)
				continue;
			memcpy(out, r.p + done, 8 * (at[i] - done));
			out += at[i] - done;
			*out++ = IOT_INLINE | IOT_SHARED | 8ULL * (*place - 1);
			done = at[i] + 1 + (uint32_t)iot_inline_words(r.p[at[i]]);
		}
		memcpy(out, r.p + done, 8 * (r.words - done));
		out += r.words - done;
		if (done)
			rec[1] = iot_general_word1((uint32_t)rec[1], (uint64_t)(out - rec), iot_general_present(rec[1]));
	}
	return (uint32_t)((char *)out - (char *)to);
}

/* The checksum of a block's records; in a window, of its slots too. */
static uint64_t sum_of(const uint64_t *block, const struct iot_block *head)
{
	const uint64_t from = sizeof(*head) / 8, records = head->header_size / 8;
	uint64_t slots = records > from ? iot_sum(0, block + from, records - from) : 0;

	return iot_sum(slots, block + records, head->used / 8);
}

/* The block in image->buf, as it will be, into image->out; returns its size.  size: that
   it must have; 0: what is right.  0: it does not fit. */
static uint32_t make_block(struct iot_image *image, struct iot_block *head, uint32_t size)
{
	uint32_t kept = head->header_size;
	/* of one that has been damaged since it was written, both sums stay wrong */
	bool finished = !(head->flags & IOT_BLOCK_WINDOW);
	uint64_t sum, wrong = 0;
	uint32_t head_wrong = finished ? iot_head_sum(head) ^ head->sum : 0;

	if (finished)
		wrong = sum_of(image->buf, head) ^ image->buf[(kept + head->used) / 8];
	memcpy(image->out, image->buf, kept);
	head->used = copy_records(image->strings, (uint64_t *)(image->out + kept), image->buf + kept / 8,
				  head->used);
	kept += head->used;
	sum = sum_of((const uint64_t *)(const void *)image->out, head) ^ wrong;
	memcpy(image->out + kept, &sum, sizeof(sum));
	kept += sizeof(sum);
	if (head->flags & IOT_BLOCK_WINDOW)
		head->size = (uint32_t)up(kept + (size ? 0 : ROOM));
	else
		head->size = up_block(kept);
	if (size && head->size > size)
		return 0;
	if (size)
		head->size = size;
	memset(image->out + kept, 0, head->size - kept);
	head->sum = iot_head_sum(head) ^ head_wrong;
	memcpy(image->out, head, sizeof(*head));
	return head->size;
}

static long make_header(struct iot_image *image)
{
	static const char include[] = "include text\n";
	struct iot_file_header head;
	char *text = iot_image_text(&head);
	uint32_t size;

	if (!text)
		return -1;
	size = image->share_text ? iot_image_schema(text, head.text_size) : head.text_size;
	head.header_size = sizeof(head);
	head.text_end = up(sizeof(head) + size + sizeof(include));
	if (head.text_end > image->buf_size) {
		iot_unmap(text, head.text_size + (size_t)IOT_ALIGN);
		return -1;
	}
	memset(image->out, 0, head.text_end);
	memcpy(image->out + sizeof(head), text, size);
	iot_unmap(text, head.text_size + (size_t)IOT_ALIGN);
	if (image->share_text) {
		memcpy(image->out + sizeof(head) + size, include, sizeof(include) - 1);
		size += sizeof(include) - 1;
	}
	head.text_size = size;
	head.end = iot_counted(image->total);
	head.ended = iot_counted(image->whole);
	head.text_sum = iot_sum(0, (const uint64_t *)(void *)(image->out + sizeof(head)), (size + 7) / 8);
	head.fixed_sum = iot_fixed_sum(&head);
	memcpy(image->out, &head, sizeof(head));
	return (long)head.text_end;
}

/* Its blocks from there on up to where the log now ends; 0: all of it, and the header. */
bool iot_image_begin(struct iot_image *image, const struct iot_strings *strings, bool share_text,
		     uint64_t from)
{
	memset(image, 0, sizeof(*image));
	image->strings = strings;
	image->share_text = share_text;
	image->next = from;
	image->end = IOT_COUNT(__atomic_load_n(&iot_header->end, __ATOMIC_RELAXED));
	/* a header text has less than 256 KB: see log.c */
	image->buf_size = (256u << 10) + 2 * iot_window_size();
	image->buf = iot_map(image->buf_size);
	image->out = iot_map(image->buf_size + ROOM + IOT_ALIGN);
	if (image->buf && image->out)
		return true;
	iot_image_free(image);
	return false;
}

/* The header, whatever comes next. */
long iot_image_header(struct iot_image *image, char **piece)
{
	*piece = image->out;
	return make_header(image);
}

/* The window at that place in the log once more, and how many bytes it has now, which is
   what it had if that is enough.  0 bytes: nobody has it any more.  False: it can't be
   read. */
bool iot_image_again(struct iot_image *image, const struct iot_window *w, char **piece, uint32_t *size)
{
	struct iot_block head;

	*piece = image->out;
	*size = 0;
	if (!read_extent(image, w->off, &head))
		return iot_log_read(&head, sizeof(head), w->off) == sizeof(head) && !head.magic;
	*size = make_block(image, &head, w->size);
	if (*size)
		return true;
	/* made once more from what is still there */
	memcpy(&head, image->buf, sizeof(head));
	*size = make_block(image, &head, 0);
	return true;
}

/* Is it not asked for?  Then *extent is how long it is. */
static bool to_skip(const struct iot_image *image, uint64_t off, uint32_t *extent)
{
	struct iot_block head;
	bool known = false;

	if (!image->known || iot_log_read(&head, sizeof(head), off) != sizeof(head) ||
	    head.magic != IOT_BLOCK_MAGIC || !head.size || head.size % IOT_BLOCK_ALIGN)
		return false;
	for (uint32_t i = 0; i < image->n_known; i++)
		known |= image->known[i].off == off;
	*extent = head.size;
	return known || !(head.flags & IOT_BLOCK_WINDOW);
}

/* The next piece of the image and how many bytes it has; 0 at the end, -1 if the log
   can't be read.  The first one is the header.  *window is set if this is one. */
long iot_image_next(struct iot_image *image, char **piece, struct iot_window *window)
{
	struct iot_block head;
	long size;

	*piece = image->out;
	window->size = 0;
	if (!image->next) {
		image->next = iot_header->text_end;
		size = make_header(image);
		image->at = size > 0 ? (uint64_t)size : 0;
		return size;
	}
	while (image->next < image->end) {
		uint64_t off = next_block(image->next, image->end);
		uint32_t extent = IOT_BLOCK_ALIGN;

		image->next = off;
		if (off == image->end)
			break;
		if (to_skip(image, off, &extent) || !read_extent(image, off, &head)) {
			image->next += extent;
			continue;
		}
		extent = head.size;
		size = (long)make_block(image, &head, 0);
		if (head.flags & IOT_BLOCK_WINDOW)
			*window = (struct iot_window){ .off = off, .at = image->at, .size = (uint32_t)size };
		image->off = off;
		image->next += extent;
		image->at += (uint64_t)size;
		return size;
	}
	return 0;
}

void iot_image_free(struct iot_image *image)
{
	if (image->buf)
		iot_unmap(image->buf, image->buf_size);
	if (image->out)
		iot_unmap(image->out, image->buf_size + ROOM + IOT_ALIGN);
	image->buf = NULL;
	image->out = NULL;
}

/* The names in this process's own log. */
bool iot_strings_gather(struct iot_strings *s)
{
	struct iot_image image;
	struct iot_block head;

	if (!iot_strings_take(s, 0) || !iot_image_begin(&image, NULL, false, 0))
		return false;
	for (uint64_t off = iot_header->text_end; (off = next_block(off, image.end)) < image.end;) {
		struct iot_records r = { 0 };

		if (!read_extent(&image, off, &head)) {
			off += IOT_BLOCK_ALIGN;
			continue;
		}
		off += head.size;
		r.next = image.buf + head.header_size / 8;
		r.end = r.next + head.used / 8;
		while (iot_records_next(&r))
			add_names(s, &r);
	}
	iot_image_free(&image);
	return true;
}
