/* SPDX-License-Identifier: BSD-3-Clause */
/* header.c - the fixed header of a log and the text behind it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "job.h"
#include "log-bytes.h"
#include "schema.h"

static int octal3(const char *p, const char *end)
{
	if (end - p < 4 || p[1] < '0' || p[1] > '3' || p[2] < '0' || p[2] > '7' || p[3] < '0' ||
	    p[3] > '7')
		return -1;
	return (p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0');
}

/* \ooo back into bytes, in place; returns the new length. */
static size_t unescape(char *s, size_t len)
{
	char *out = s;
	const char *p = s, *end = s + len;

	while (p < end) {
		int c = *p == '\\' ? octal3(p, end) : -1;

		if (c >= 0) {
			*out++ = (char)c;
			p += 4;
		} else {
			*out++ = *p++;
		}
	}
	*out = '\0';
	return (size_t)(out - s);
}

static void parse_clock(struct iotr_log *log, const char *value)
{
	unsigned long long monotonic, real;

	if (sscanf(value, "%llu %llu", &monotonic, &real) == 2)
		iotr_clock_sync(log, monotonic, real);
}

/* A stretch of the recorder's code. */
static void parse_recorder(struct iotr_log *log, const char *value)
{
	unsigned long long from, to;

	if (log->n_own_code < IOTR_OWN_CODE && sscanf(value, "%llu %llu", &from, &to) == 2)
		log->own_code[log->n_own_code++] = (struct iotr_own_code){from, to};
}

static void add_key(struct iotr_log *log, struct iotr_keys *keys, char *line, size_t len)
{
	char *space = memchr(line, ' ', len);
	struct iotr_key *k;

	if (!space || space == line)
		return;
	*space = '\0';
	keys->key = iotr_grow(keys->key, &keys->cap, keys->n + 1, sizeof(*keys->key));
	k = &keys->key[keys->n++];
	k->key = line;
	k->value = space + 1;
	k->len = unescape(space + 1, len - (size_t)(space + 1 - line));
	if (!strcmp(k->key, "call"))
		iotr_schema_parse(log, k->value);
	else if (!strcmp(k->key, "clock"))
		parse_clock(log, k->value);
	else if (!strcmp(k->key, "recorder"))
		parse_recorder(log, k->value);
}

static void parse_lines(struct iotr_log *log, struct iotr_keys *keys, char *text, size_t len)
{
	char *p = text, *end = text + len;

	while (p < end) {
		char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl) {
			iotr_say(log, IOTR_DAMAGE, "the header text is cut short");
			nl = end;
		}
		*nl = '\0';
		add_key(log, keys, p, (size_t)(nl - p));
		p = nl + 1;
	}
}

/* The calls come last, and are the same in many logs. */
static bool share_calls(struct iotr_log *log, const char *text, size_t len)
{
	unsigned damage = log->n_damage;
	struct iotr_calls *c = NULL;
	bool known;

	if (len && log->calls == &iotr_no_calls)
		c = iotr_calls_get(log, text, len, &known);
	if (!c)
		return false;
	log->calls = c;
	if (!known)
		parse_lines(log, &c->keys, iotr_arena_copy(&c->arena, text, len), len);
	/* what is wrong is to be said of each log that has it */
	if (log->n_damage != damage)
		c->text = NULL;
	return true;
}

static void parse_text(struct iotr_log *log, const char *text, size_t len)
{
	size_t own = 0;
	const char *nl;

	while (own < len && (len - own < 5 || memcmp(text + own, "call ", 5))) {
		nl = memchr(text + own, '\n', len - own);
		own = nl ? (size_t)(nl + 1 - text) : len;
	}
	if (share_calls(log, text + own, len - own))
		len = own;
	parse_lines(log, &log->keys, iotr_arena_copy(&log->arena, text, len), len);
}

/* Of a log that was begun and no more: room for its text, and for a window. */
#define UNBORN_MOST (1u << 20)

static const char no_magic[sizeof(((struct iot_file_header *)0)->magic)];

/* Whether there is nothing from there on but room that the recorder has made. */
static bool is_room(struct iotr_log *log, uint64_t off)
{
	char buf[4096];
	size_t n, i;

	if (log->size > UNBORN_MOST)
		return false;
	for (; (n = iotr_bytes_read(log, buf, sizeof(buf), off)); off += n)
		for (i = 0; i < n; i++)
			if (buf[i])
				return false;
	return true;
}

bool iotr_header_unborn(struct iotr_log *log)
{
	struct iot_file_header h = {0};

	iotr_bytes_read(log, &h, sizeof(h), 0);
	if (memcmp(h.magic, no_magic, sizeof(no_magic)) || (h.byte_order && h.byte_order != IOT_BYTE_ORDER) ||
	    !is_room(log, h.byte_order && h.text_end <= log->size ? h.text_end : 0))
		return false;
	iotr_say(log, IOTR_NOTE, "holds no calls: its process ended while it began the log");
	log->header.header_size = IOT_HEADER_SIZE;
	log->header.text_end = log->header.end = IOT_HEADER_SIZE;
	return true;
}

static const char *what_else(const char *magic, size_t got)
{
	static const char database[] = "SQLite format 3";

	if (got >= sizeof(no_magic) && !memcmp(magic, no_magic, sizeof(no_magic)))
		return "has zeros where a log begins: it is none, or its beginning was lost";
	if (got >= sizeof(database) && !memcmp(magic, database, sizeof(database)))
		return "is a database and no iotrace log: iotrace-report shows a database of iotrace-export, "
		       "sqlite3 asks it; all else takes the logs that it was made of";
	return "is no iotrace log";
}

static int check_fixed(struct iotr_log *log, size_t got)
{
	struct iot_file_header *h = &log->header;

	if (got < sizeof(h->magic) || memcmp(h->magic, IOT_MAGIC, sizeof(h->magic))) {
		iotr_say(log, IOTR_FATAL, "%s", what_else((const char *)h, got));
		return -1;
	}
	if (got < sizeof(*h)) {
		iotr_say(log, IOTR_FATAL, "is cut short within its header");
		return -1;
	}
	if (h->byte_order == __builtin_bswap64(IOT_BYTE_ORDER)) {
		iotr_say(log, IOTR_FATAL,
			 "was written on a machine of the other byte order; read it there");
		return -1;
	}
	if (h->byte_order != IOT_BYTE_ORDER) {
		iotr_say(log, IOTR_FATAL, "has a damaged header (byte order mark)");
		return -1;
	}
	if (!h->version || h->version > IOT_FORMAT_VERSION) {
		iotr_say(log, IOTR_FATAL,
			 "has format version %u; this reader knows versions up to %u", h->version,
			 IOT_FORMAT_VERSION);
		return -1;
	}
	return 0;
}

/* Believe header_size, text_size, text_end and end only as far as they fit together. */
static void check_layout(struct iotr_log *log)
{
	struct iot_file_header *h = &log->header;
	uint64_t least;

	if (h->header_size < sizeof(*h) || h->header_size > (1u << 20)) {
		iotr_say(log, IOTR_DAMAGE, "the header's size is wrong (%u)", h->header_size);
		h->header_size = IOT_HEADER_SIZE;
	}
	if (h->text_size > IOTR_TEXT_MAX) {
		iotr_say(log, IOTR_DAMAGE, "the header text's size is wrong (%u)", h->text_size);
		h->text_size = 0;
	}
	least = (uint64_t)h->header_size + h->text_size;
	least = (least + IOT_ALIGN - 1) & ~(uint64_t)(IOT_ALIGN - 1);
	if (h->text_end < least || h->text_end % IOT_ALIGN || h->text_end > least + IOTR_TEXT_MAX) {
		iotr_say(log, IOTR_DAMAGE, "the header says that the text ends at %llu, not %llu",
			 (unsigned long long)h->text_end, (unsigned long long)least);
		h->text_end = least;
	}
}

/* The newest anchor may have been under way when the header was read: its ticks are
   0 meanwhile, so two reads that find the same found it whole. */
static void settle_latest(struct iotr_log *log)
{
	struct iot_file_header again;
	int try;

	for (try = 0; try < 4; try++) {
		if (iotr_bytes_read(log, &again, sizeof(again), 0) < sizeof(again) ||
		    (!memcmp(&again.latest, &log->header.latest, sizeof(again.latest)) &&
		     again.latest_sum == log->header.latest_sum))
			return;
		log->header.latest = again.latest;
		log->header.latest_sum = again.latest_sum;
	}
	log->header.latest.ticks = 0;
}

void iotr_header_refresh(struct iotr_log *log)
{
	struct iot_file_header now;

	if (iotr_bytes_read(log, &now, sizeof(now), 0) < sizeof(now))
		return;
	log->header.end = IOT_COUNT(now.end);
	log->header.latest = now.latest;
	log->header.latest_sum = now.latest_sum;
	log->header.lost_calls = IOT_COUNT(now.lost_calls);
	log->header.lost_reason = IOT_COUNT(now.lost_reason);
	log->header.ended = IOT_COUNT(now.ended);
	log->header.left_out = IOT_COUNT(now.left_out);
	log->header.off = now.off;
	log->header.n_off = now.n_off;
	log->header.off_since = now.off_since;
	log->header.off_ns = now.off_ns;
	settle_latest(log);
}

/* -1 if it is not there, or is none. */
static int number_key(const struct iotr_log *log, const char *key)
{
	const char *value = iotr_log_key(log, key, NULL);
	char *end;
	unsigned long n;

	if (!value || *value < '0' || *value > '9')
		return -1;
	n = strtoul(value, &end, 10);
	return *end || n > INT32_MAX ? -1 : (int)n;
}

int iotr_log_rank(const struct iotr_log *log, int *size)
{
	if (size)
		*size = log->n_ranks;
	return log->rank;
}

int iotr_header_read(struct iotr_log *log)
{
	size_t got = iotr_bytes_read(log, &log->header, sizeof(log->header), 0);
	char *text;
	uint32_t size;

	if (check_fixed(log, got) < 0)
		return -1;
	settle_latest(log);
	iotr_header_check(log);
	check_layout(log);
	size = log->header.text_size;
	if (size > log->size)
		size = (uint32_t)log->size;
	text = iotr_alloc((size_t)size + 8);
	got = iotr_bytes_read(log, text, size, log->header.header_size);
	if (got < log->header.text_size)
		iotr_say(log, IOTR_DAMAGE, "is cut short within its header text");
	else
		iotr_header_text_check(log, text, got);
	parse_text(log, text, got);
	free(text);
	if (log->job && iotr_log_key(log, "include", NULL)) {
		const char *common = iotr_job_text(log->job, &got);

		if (common)
			parse_text(log, common, got);
	}
	log->syscalls = iotr_syscalls_of(iotr_log_key(log, "arch", NULL));
	log->rank = number_key(log, "rank");
	log->n_ranks = number_key(log, "size");
	if (log->n_ranks < 0)
		log->n_ranks = 0;
	return 0;
}
