/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block-files.h - which files the calls of a block name, so that blocks that name no chosen one
 * are not read.
 *
 * Who notes this needs neither the schema nor the definitions: a record's handle is noted, and
 * each argument, since it may be the id of a path or a handle.  What ids are of chosen files, and
 * which calls have such arguments at all, is known when files are chosen.  So a block may be read
 * in vain, and none is left out that has a chosen call.
 *
 * Ids of files that are used at about the same time lie near each other.  Therefore a block has
 * ranges of ids; beyond some number the nearest ones become one.
 */
#ifndef IOTR_BLOCK_FILES_H
#define IOTR_BLOCK_FILES_H

#include "block-calls.h"

#define IOTR_FILE_RANGES 32u
/* Ids have 31 bits; those of arguments have this one as well. */
#define IOTR_OF_ARGUMENT 0x80000000u

struct iotr_id_range {
	uint32_t from, to; /* to included */
};

/* As packed logs have it (packed.h), and as it is kept. */
struct iotr_block_files {
	uint64_t off;	/* of the block, in the log */
	uint64_t texts; /* bits of calls with a text among their arguments, which may be a path */
	uint32_t n;
	uint32_t spare;
	struct iotr_id_range range[];
};
#define IOTR_BLOCK_FILES_SIZE(n) (sizeof(struct iotr_block_files) + (n) * sizeof(struct iotr_id_range))

/* While a block is looked through */
struct iotr_files_seen {
	uint64_t texts;
	uint32_t last; /* the id that was noted last */
	bool unknown;  /* there was one of more bits */
	unsigned n;
	struct iotr_id_range range[IOTR_FILE_RANGES + 1]; /* sorted, with gaps between them */
};

/* block-files.c */
void iotr_files_add(struct iotr_files_seen *seen, uint32_t id);
/* A record of the general form, of which all words are there. */
void iotr_files_general(struct iotr_files_seen *seen, uint64_t call_bit, const uint64_t *w);
/* One that is like another before it in its block, and has words alone. */
void iotr_files_alike(struct iotr_files_seen *seen, const uint64_t *w);
/* A word of one that is in two pieces, whatever it is. */
void iotr_files_word(struct iotr_files_seen *seen, uint64_t call_bit, uint64_t word);
/* What was seen, where there is room for IOTR_BLOCK_FILES_SIZE(seen->n). */
void iotr_files_put(struct iotr_block_files *to, const struct iotr_files_seen *seen, uint64_t off);

static inline void iotr_files_begin(struct iotr_files_seen *seen)
{
	seen->texts = seen->n = seen->last = 0;
	seen->unknown = false;
}

static inline void iotr_files_note(struct iotr_files_seen *seen, uint32_t id)
{
	if (id != seen->last)
		iotr_files_add(seen, id);
}

/* A whole record of a call.  A brief one has the handle of one before it in its block. */
static inline void iotr_files_record(struct iotr_files_seen *seen, struct iotr_call_bits *bits,
				     const uint64_t *w)
{
	const unsigned form = iot_record_form(w[0]);

	if (form == IOT_GENERAL)
		iotr_files_general(seen, iotr_call_bit(bits, iot_record_call(w[0])), w);
	else if (form == IOT_ALIKE)
		iotr_files_alike(seen, w);
	else if (form == IOT_COMPACT && iot_record_handle(w[0]))
		iotr_files_note(seen, iot_record_handle(w[0]));
}

/* All of the block's records were looked through: keeps what was seen. */
void iotr_files_done(struct iotr_log *log, struct iotr_ref *ref, const struct iotr_files_seen *seen);
/* Of the log, what the choice of files comes to. */
void iotr_files_choose(const struct iotr_set *set, struct iotr_log *log);
void iotr_files_forget(struct iotr_log *log);
/* May the block have a call of a chosen file? */
bool iotr_files_may_pass(const struct iotr_log *log, const struct iotr_ref *ref);
/* May the call of this record be of one?  It tells by records that have nothing but a handle. */
bool iotr_files_record_may_pass(const struct iotr_set *set, const struct iotr_log *log,
				const uint64_t *w);

#endif
