/* SPDX-License-Identifier: BSD-3-Clause */
/* checksums.c - the checksums of a log: what was damaged since it was written. */
#include "config.h"

#include <string.h>

#include "blocks.h"
#include "log-bytes.h"

static bool has_sums(const struct iotr_log *log)
{
	return log->header.version > 1;
}

static bool is_sealed(const struct iotr_log *log, const struct iot_block *b)
{
	return has_sums(log) && b->sum == iot_head_sum(b);
}

bool iotr_size_sound(const struct iotr_log *log, const struct iot_block *b)
{
	return !has_sums(log) || b->sum == iot_size_sum(b->size);
}

bool iotr_head_sound(const struct iotr_log *log, const struct iot_block *b)
{
	return !has_sums(log) || is_sealed(log, b) ||
	       (b->flags & IOT_BLOCK_WINDOW && iotr_size_sound(log, b));
}

bool iotr_records_sound(struct iotr_log *log, const struct iot_block *b, uint64_t off,
			const uint64_t *words, size_t n)
{
	uint64_t piece[128], sum = 0;
	uint32_t at = sizeof(*b);

	if (!is_sealed(log, b))
		return true;
	while (at < b->header_size) {
		uint32_t size = b->header_size - at < sizeof(piece) ? b->header_size - at : sizeof(piece);

		if (iotr_bytes_read(log, piece, size, off + at) < size)
			return false;
		sum = iot_sum(sum, piece, size / 8);
		at += size;
	}
	return iot_sum(sum, words, n) == words[n];
}

/* A number of the header's.  What of it can't be true is taken for 0. */
static void take_count(struct iotr_log *log, uint64_t *word, const char *what)
{
	uint64_t n = IOT_COUNT(*word);

	if (*word != iot_counted(n)) {
		iotr_say(log, IOTR_DAMAGE, "the header is damaged: %s", what);
		n = 0;
	}
	*word = n;
}

void iotr_header_check(struct iotr_log *log)
{
	struct iot_file_header *h = &log->header;

	if (!has_sums(log))
		return;
	if (h->fixed_sum != iot_fixed_sum(h)) {
		log->header_damaged = true;
		iotr_say(log, IOTR_DAMAGE,
			 "the header is damaged, the %zu bytes from offset 0 on: what it says may "
			 "be wrong",
			 sizeof(*h));
	}
	take_count(log, &h->end, "where its blocks end");
	take_count(log, &h->lost_calls, "how many calls were not recorded");
	take_count(log, &h->lost_reason, "why calls were not recorded");
	take_count(log, &h->left_out, "how many calls were left out");
	take_count(log, &h->ended, "whether its processes have ended");
	if (!h->end)
		h->end = log->size > h->text_end ? log->size : h->text_end;
	if (h->latest.ticks && h->latest_sum != iot_anchor_sum(&h->latest)) {
		iotr_say(log, IOTR_DAMAGE, "the header is damaged: its latest time");
		h->latest.ticks = 0;
	}
}

/* Behind the text there are zeroes up to a whole word. */
void iotr_header_text_check(struct iotr_log *log, const char *text, size_t size)
{
	if (!has_sums(log) ||
	    log->header.text_sum == iot_sum(0, (const uint64_t *)(const void *)text, (size + 7) / 8))
		return;
	log->header_damaged = true;
	iotr_say(log, IOTR_DAMAGE,
		 "the header text is damaged, the %zu bytes from offset %u on: what it "
		 "says may be wrong",
		 size, log->header.header_size);
}
