/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block-calls.c - which calls a block has, and which blocks need not be read therefore.
 *
 * What else a block is read for does not depend on calls: definitions are read when the log
 * is opened, and a call's parent is in the same block or began before its block did.
 */
#include "config.h"

#include "block-files.h"
#include "job.h"
#include "packed.h"
#include "schema.h"
#include "set.h"
#include "streams.h"

struct iotr_call_bits *iotr_bits_get(struct iotr_log *log)
{
	struct iotr_calls *calls = log->calls;

	if (log->bits || calls == &iotr_no_calls)
		return log->bits;
	if (!calls->bits)
		calls->bits = iotr_arena_alloc(&calls->arena, sizeof(*calls->bits));
	return log->bits = calls->bits;
}

/* What a window has may still change. */
static bool is_final(const struct iotr_log *log, const struct iotr_ref *ref)
{
	return !log->live && !(ref->flags & IOT_BLOCK_WINDOW);
}

void iotr_in_block_done(struct iotr_log *log, struct iotr_ref *ref, const struct iotr_in_block *in)
{
	if (!is_final(log, ref))
		return;
	ref->calls = in->calls;
	ref->earliest = in->earliest;
	if (log->files_seen)
		iotr_files_done(log, ref, log->files_seen);
}

void iotr_in_block_get(struct iotr_log *log, struct iotr_ref *ref)
{
	struct iotr_log *bytes = log->job ? iotr_job_bytes(log->job) : log;
	struct iotr_call_bits *bits;
	struct iotr_in_block in;

	if (!bytes->packed || !is_final(log, ref))
		return;
	bits = iotr_unpack_in_block(bytes, log->base + ref->off, &in);
	if (!bits)
		return;
	log->bits = bits;
	ref->calls = in.calls;
	ref->earliest = in.earliest;
}

/* A call that the header does not explain is read, for that to be said. */
void iotr_bits_choose(const struct iotr_set *set, struct iotr_log *log)
{
	const struct iotr_schema *s;

	log->wanted = set->choice.schema ? 0 : ~0ULL;
	for (unsigned id = 0; log->bits && ~log->wanted && id < IOTR_MAX_CALL; id++) {
		s = log->calls->schema[id];
		if (log->bits->which[id] && (!s || iotr_chosen_schema(set, s)))
			log->wanted |= iotr_call_bit(log->bits, id);
	}
}

static void get_files(struct iotr_log *log, struct iotr_log *bytes)
{
	for (size_t i = 0; i < log->n_streams; i++) {
		struct iotr_stream *s = log->stream[i];

		for (size_t j = 0; j < s->n_refs; j++)
			if (s->ref[j].calls && !s->ref[j].files)
				s->ref[j].files = iotr_unpack_files(bytes, log->base + s->ref[j].off);
	}
}

void iotr_blocks_files(const struct iotr_set *set, struct iotr_log *log)
{
	struct iotr_log *bytes = log->job ? iotr_job_bytes(log->job) : log;

	if (bytes->packed && (set->choice.path || set->choice.any))
		get_files(log, bytes);
	iotr_files_choose(set, log);
}

/*
 * A call that was recorded in a later block than one inside of it began before that later
 * block did, and is one of its late records.  So late records are needed, be their calls
 * chosen or not, if they began before all chosen ones of earlier blocks had ended.
 */
void iotr_blocks_choose(struct iotr_stream *s)
{
	uint64_t ended = 0; /* the chosen ones had */

	for (size_t i = s->first_ref; i < s->n_refs; i++) {
		struct iotr_ref *ref = &s->ref[i];

		ref->passed = ref->calls && (!(ref->calls & s->log->wanted) || !iotr_files_may_pass(s->log, ref));
		ref->late_passed = ref->passed && ref->earliest >= ended;
		if (!ref->passed)
			ended = i + 1 < s->n_refs ? s->ref[i + 1].begun : UINT64_MAX;
	}
}
