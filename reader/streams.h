/* SPDX-License-Identifier: BSD-3-Clause */
/* streams.h - the calls of a thread: its blocks, those that are in memory, and what comes next. */
#ifndef IOTR_STREAMS_H
#define IOTR_STREAMS_H

#include "log-data.h"

struct iotr_in_block;

/* Parents are followed so far; a call deeper than that has none. */
#define IOTR_DEPTH_TRACKED 256

/* Blocks of a stream in memory at once. */
#define IOTR_MAX_OPEN 4

/* A record of a loaded block, as far as ordering needs it. */
struct iotr_entry {
	uint64_t start;	   /* ticks */
	uint64_t offset;   /* BRIEF: what the records before it say; IOTR_UNKNOWN; ALIKE: where the
			      one that it is like lies, as pos says it */
	uint32_t pos;	   /* words from the start of the records */
	uint32_t stack;	   /* BRIEF: likewise */
	uint32_t itemsize; /* BRIEF: likewise; or the size that was asked for */
	uint16_t call;
	uint16_t depth;
	uint8_t status; /* enum iotr_status */
	uint8_t spare[7];
};
#define IOTR_UNKNOWN (~0ULL)

struct iotr_ref {     /* a block of the log */
	uint64_t off; /* of its header in the file */
	uint64_t base;
	uint64_t begun;	   /* ticks: all that the stream has before it had ended by then */
	uint64_t min_base; /* of this block and the later ones of the stream */
	uint32_t seq;
	uint32_t used; /* as of pass 1 */
	uint32_t size;
	uint32_t header_size;
	uint32_t flags;
	uint32_t n_late, n_defs;
	uint32_t depth;
	uint32_t lost;
	uint64_t copy; /* of a window: where its copy may be */
	uint64_t before; /* words of records that the stream has before this block */
	uint64_t calls;	   /* bits of those that it has, see block-calls.h; 0: not known */
	uint64_t earliest; /* ticks: none of them began before */
	const struct iotr_block_files *files; /* that it names; NULL: not known */
	/* of a log that is followed: */
	uint32_t poll;  /* in which it was found */
	uint32_t taken; /* bytes of records that pass 2 has loaded */
	uint32_t scanned, scanned_defs, scanned_late; /* and pass 1 */
	bool early;    /* it was begun before the log was read */
	bool went_on;  /* a window that could not be read: it holds a later block now */
	bool clipped;  /* the file ends within its records */
	bool checked;  /* its checksum is right, */
	bool damaged;  /* or wrong, which was said */
	bool said;     /* that its records make no sense */
	bool late_known; /* its late records are in stream->late */
	bool passed;	 /* it has no chosen call, */
	bool late_passed; /* and no late record matters */
};

struct iotr_late {
	struct iotr_entry e;
	uint32_t block; /* index in stream->ref */
};

struct iotr_loaded {
	uint64_t *words; /* records */
	size_t words_cap;
	struct iotr_entry *e;
	size_t n, i, cap;
	uint32_t pid, tid;
	uint32_t flags;
	uint32_t seq;
	uint64_t first_id; /* its record at pos has this + pos */
};

/* Calls that may enclose the next one: the last one seen at each depth. */
struct iotr_around {
	uint64_t start, end;
	uint64_t id;
	const struct iotr_schema *schema;
};

/* A call in progress, of a log that is followed, for which later ones do not wait
   any more: it took too long. */
struct iotr_passed {
	uint64_t start; /* ticks */
	uint64_t ns;
	uint16_t call, depth;
	bool shown; /* was given as unfinished */
	bool gone;  /* is over: its record must come now, or is lost */
	bool internal;
	uint64_t id, parent_id;
	const struct iotr_schema *parent;
};

/* The calls in progress, by start. */
struct iotr_slots {
	struct iotr_entry entry[IOT_MAX_SLOTS];
	struct iot_slot slot[IOT_MAX_SLOTS];
};

/* A window at one moment. */
struct iotr_snapshot {
	struct iot_block head;
	struct iot_slot slot[IOT_MAX_SLOTS];
};

struct iotr_stream {
	struct iotr_log *log;
	uint32_t id, process, pid, tid, level, flags;
	/* Of a handler that interrupted the recorder of a stream: that, and those of handlers that
	   interrupted this one. */
	struct iotr_stream *below, *above, *next_above;
	/* Ids of its calls: this + the place of the record, in words from the stream's first
	   one; those of calls in progress, in order, are behind the last record's. */
	uint64_t first_id, first_slot_id;
	struct iotr_ref *ref; /* by seq */
	size_t n_refs, cap_refs;
	struct iotr_ref *found; /* copies that are not among these, in the file's order */
	size_t n_found, cap_found;
	struct iotr_late *late;
	size_t n_late, i_late, cap_late;
	struct iotr_slots *slots; /* NULL: there were none yet */
	unsigned n_slots, i_slot;
	struct iotr_loaded open[IOTR_MAX_OPEN];
	unsigned n_open;
	size_t next_ref;
	bool wanted;
	size_t first_ref; /* no call of the blocks before it is wanted */
	uint64_t *late_words, *fresh; /* one late record; a block that is read again, for a moment */
	size_t late_cap, fresh_cap;
	struct iotr_around *around; /* IOTR_DEPTH_TRACKED, allocated when needed */
	unsigned n_around;
	struct iotr_entry head; /* the record that comes next */
	const uint64_t *head_words;
	uint64_t head_id;
	uint32_t head_pid, head_tid, head_flags;
	const struct iot_slot *head_slot;
	bool started;
	/* of a log that is followed: */
	bool has_window, had_window; /* has: now is what it held when last looked at */
	struct iotr_snapshot *now;   /* NULL: never had one */
	uint64_t now_off;	     /* where that was: it may move to a larger one */
	uint32_t seen;		     /* in which poll */
	uint32_t next_seq;
	size_t scan_from; /* refs before it need no scan */
	struct iotr_passed *passed;
	size_t n_passed, cap_passed;
	struct iotr_usage *used; /* by the thread, each time that it said so, by ticks, which are the moment */
	size_t n_used, cap_used;
	struct iotr_io io[2]; /* the same */
	uint64_t io_ticks[2];
	bool has_io;
};

/* stream.c: after iotr_stream_next returned true, head is the next record; decode
   it with iotr_stream_call before going on. */
bool iotr_stream_next(struct iotr_stream *s);
void iotr_stream_call(struct iotr_stream *s, struct iotr_call *call);
/* A call that is not wanted: only what those inside of it have to know is filled in. */
void iotr_stream_pass(struct iotr_stream *s, struct iotr_call *call);
/* Its two steps: what the record says, and what follows from the calls before it,
   parent and internal. */
void iotr_stream_decode(struct iotr_stream *s, struct iotr_call *call);
void iotr_stream_place(struct iotr_stream *s, struct iotr_call *call);
void iotr_stream_close(struct iotr_stream *s);
void iotr_block_done(struct iotr_log *log, struct iotr_ref *ref, size_t n, bool sound,
		     const struct iotr_in_block *in);
void iotr_slot_decode(struct iotr_log *log, const struct iotr_entry *e, const struct iot_slot *slot,
		      struct iotr_call *call);
bool iotr_entry_before(const struct iotr_entry *a, const struct iotr_entry *b);

/* levels.c: which streams are of one thread.  Its number is that of the lowest one. */
void iotr_levels_join(struct iotr_log *log);
uint32_t iotr_thread_stream(const struct iotr_stream *s);

/* scan.c: with those above it */
void iotr_stream_scan(const struct iotr_set *set, struct iotr_stream *s, iotr_call_fn *fn,
		      void *arg);

/* What comes next; NULL if there is nothing (yet). */
const struct iotr_entry *iotr_stream_peek(struct iotr_stream *s);
/* Nothing that is still to come of it begins before this. */
uint64_t iotr_stream_bound(struct iotr_stream *s);
/* Is what comes next a call in progress whose record is there as well? */
bool iotr_stream_answered(struct iotr_stream *s);

/* define.c: a DEF_USAGE of the stream's */
void iotr_usage_take(struct iotr_stream *s, const uint64_t *p, size_t n);

#endif
