/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.h - the inside of the reader library.
 *
 * A log is read twice.  Opening it (pass 1) walks the headers of its blocks,
 * sorts them into streams, and reads only those blocks that define something or
 * may still change; if calls are to come in order, also those with records that
 * began before the block did.  Iterating (pass 2) then has of each stream one
 * block in memory, or two where they overlap in time, so that memory grows with
 * definitions, blocks and threads, not with calls.
 */
#ifndef IOT_READ_H
#define IOT_READ_H

#include "iotrace/read.h"

/* Blocks beyond this are not believed: a recorder's buffer is far smaller. */
#define IOT_BLOCK_MAX (256u << 20)
#define IOT_TEXT_MAX (64u << 20)
#define IOT_MAX_CALL (1u << IOT_CALL_BITS)
/* Parents are followed so far; a call deeper than that has none. */
#define IOT_DEPTH_TRACKED 256
/* Processes are followed so far from child to parent. */
#define IOT_ANCESTORS 1024
/* Blocks of a stream in memory at once. */
#define IOT_MAX_OPEN 4

/* ---- util.c ---- */
void *iot_alloc(size_t size); /* zeroed; never NULL */
void *iot_no_memory(void) __attribute__((noreturn));
void *iot_grow(void *p, size_t *cap, size_t want, size_t item);
void *iot_grow_few(void *p, size_t *cap, size_t want, size_t item);
struct iot_arena {
	struct iot_arena_chunk *chunk;
};
void *iot_arena_alloc(struct iot_arena *a, size_t size); /* zeroed, aligned to 16 */
char *iot_arena_copy(struct iot_arena *a, const void *bytes, size_t len); /* adds '\0' */
void iot_arena_free(struct iot_arena *a);

/* From ids, as they come in logs, to pointers. */
struct iot_idmap {
	uint64_t *key;
	void **value;
	size_t mask, n;
};
void *iot_idmap_get(const struct iot_idmap *m, uint64_t id);
void iot_idmap_put(struct iot_idmap *m, uint64_t id, void *value);
void iot_idmap_free(struct iot_idmap *m);

/* ---- records ---- */

/* A record of a loaded block, as far as ordering needs it. */
struct iot_entry {
	uint64_t start;	   /* ticks */
	uint64_t offset;   /* BRIEF: what the records before it say; IOT_UNKNOWN */
	uint32_t pos;	   /* words from the start of the records */
	uint32_t stack;	   /* BRIEF: likewise */
	uint32_t itemsize; /* BRIEF: likewise */
	uint16_t call;
	uint16_t depth;
	uint8_t status; /* enum iot_status */
	uint8_t spare[7];
};
#define IOT_UNKNOWN (~0ULL)

/* ---- blocks and streams ---- */

struct iot_ref {      /* a block of the log */
	uint64_t off; /* of its header in the file */
	uint64_t base;
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
	/* of a log that is followed: */
	uint32_t poll;  /* in which it was found */
	uint32_t taken; /* bytes of records that pass 2 has loaded */
	uint32_t scanned, scanned_defs, scanned_late; /* and pass 1 */
	bool went_on;  /* a window that could not be read: it holds a later block now */
	bool clipped;  /* the file ends within its records */
	bool checked;  /* its checksum is right, */
	bool damaged;  /* or wrong, which was said */
};

struct iot_gap { /* space in which no block was seen, yet */
	uint64_t from, to;
};

struct iot_late {
	struct iot_entry e;
	uint32_t block; /* index in stream->ref */
};

struct iot_loaded {
	uint64_t *words; /* records */
	size_t words_cap;
	struct iot_entry *e;
	size_t n, i, cap;
	uint32_t pid, tid;
	uint32_t flags;
	uint32_t seq;
};

/* Calls that may enclose the next one: the last one seen at each depth. */
struct iot_around {
	uint64_t start, end;
	const struct iot_schema *schema;
};

/* A call in progress, of a log that is followed, for which later ones do not wait
   any more: it took too long. */
struct iot_passed {
	uint64_t start; /* ticks */
	uint64_t ns;
	uint16_t call, depth;
	bool shown; /* was given as unfinished */
	bool gone;  /* is over: its record must come now, or is lost */
	bool internal;
	const struct iot_schema *parent;
};

/* The calls in progress, by start. */
struct iot_slots {
	struct iot_entry entry[IOT_MAX_SLOTS];
	struct iot_slot slot[IOT_MAX_SLOTS];
};

/* A window at one moment. */
struct iot_snapshot {
	struct iot_block head;
	struct iot_slot slot[IOT_MAX_SLOTS];
};

/* A place in a followed log that is a window, and of which stream it last was. */
struct iot_window {
	uint64_t off;
	struct iot_stream *stream; /* NULL: nobody's */
};

struct iot_stream {
	struct iot_log *log;
	uint32_t id, process, pid, tid, level, flags;
	struct iot_ref *ref; /* by seq */
	size_t n_refs, cap_refs;
	struct iot_ref *found; /* copies that are not among these, in the file's order */
	size_t n_found, cap_found;
	struct iot_late *late;
	size_t n_late, i_late, cap_late;
	struct iot_slots *slots; /* NULL: there were none yet */
	unsigned n_slots, i_slot;
	struct iot_loaded open[IOT_MAX_OPEN];
	unsigned n_open;
	size_t next_ref;
	uint64_t *late_words; /* one late record */
	size_t late_cap;
	struct iot_around *around; /* IOT_DEPTH_TRACKED, allocated when needed */
	unsigned n_around;
	struct iot_entry head; /* the record that comes next */
	const uint64_t *head_words;
	uint32_t head_pid, head_tid, head_flags;
	const struct iot_slot *head_slot;
	bool started;
	/* of a log that is followed: */
	bool has_window, had_window; /* has: now is what it held when last looked at */
	struct iot_snapshot *now;    /* NULL: never had one */
	uint64_t now_off;	     /* where that was: it may move to a larger one */
	uint32_t seen;		     /* in which poll */
	uint32_t next_seq;
	size_t scan_from; /* refs before it need no scan */
	struct iot_passed *passed;
	size_t n_passed, cap_passed;
	struct iot_usage used[2]; /* by the thread, when it began and last */
	unsigned n_used;
};

/* define.c: a DEF_USAGE of the stream's */
void iot_usage_take(struct iot_stream *s, const uint64_t *p, size_t n);

/* ---- the log ---- */

struct iot_key {
	const char *key, *value;
	size_t len;
};

struct iot_keys {
	struct iot_key *key;
	size_t n, cap;
};

/* The calls of a schema.  Logs that are read together share it if they have the same. */
struct iot_calls {
	struct iot_calls *next;
	char *text; /* as it was parsed; NULL: it is not to be shared */
	size_t size;
	struct iot_arena arena;
	struct iot_keys keys;
	struct iot_schema *schema[IOT_MAX_CALL];
	unsigned order[IOT_MAX_CALL];
	size_t n_order;
};
extern struct iot_calls iot_no_calls;

/* Of a set or a job with its logs, or of a log that was opened by itself. */
struct iot_shared {
	unsigned users;
	struct iot_calls *calls;
	struct iot_module *modules; /* symbol.c */
	struct iot_arena arena;	    /* its names */
	const char *symfs;	    /* the directory that modules lie in; NULL: the root */
};

struct iot_segment { /* of the mapping from ticks to ns */
	uint64_t ticks;
	uint64_t ns; /* monotonic */
	double slope;
};

struct iot_sync { /* with the clock of the job */
	uint64_t monotonic, real;
};

struct iot_clock {
	struct iot_anchor *anchor;
	size_t n, cap;
	struct iot_segment *seg;
	size_t n_seg, cap_seg, hint;
	struct iot_sync sync[2]; /* the first and the last one */
	unsigned n_sync;
	int64_t to_real; /* realtime - monotonic; by the job's clock if that is known */
	/* Between the two syncs to_real changes, by that much a ns.  0: it does not. */
	double drift;
	uint64_t drift_from;
	int64_t drift_ns;
};

#define IOT_MAX_DEVICES 64

struct iot_log {
	char *file;
	int fd; /* -1: mem, or closed for now: see descriptor.c */
	bool opened;			/* it can be opened again */
	dev_t dev; /* of its file; 0: it has none of its own */
	ino_t ino;
	struct iot_log *newer, *older;	/* descriptor.c's, under its lock */
	const unsigned char *mem;
	uint64_t mem_size;
	struct iot_packed *packed; /* NULL: the file is the log as it was written */
	struct iot_job *job;	   /* NULL: it has a file of its own; else it is there, */
	uint64_t base, room;	   /* from base on, with so many bytes */
	uint64_t size;	  /* of the log when it was opened */
	uint64_t walked;  /* extents below are known, but for these: */
	struct iot_gap *gap;
	size_t n_gaps, cap_gaps;
	uint64_t last_end;   /* of the last block */
	bool last_is_window;
	bool followed;		   /* see follow.c */
	bool live;		   /* and the process may still write */
	enum { IOT_ELSEWHERE, IOT_BEFORE, IOT_HERE } where; /* it was written: see alive.c */
	uint64_t looked;	   /* ns: when it was looked at */
	uint64_t horizon;	   /* ns: calls that began before have been seen */
	uint64_t checked;	   /* ns: when the process was last looked for */
	uint32_t poll;		   /* number of looks at it */
	uint32_t again;		   /* the last one that was made for a lacking definition */
	bool news;		   /* the last one brought something */
	struct iot_window *window; /* by place in the file */
	size_t n_windows, cap_windows;
	bool quiet; /* what is no block is one that is being written, or was told already */
	iot_message_fn *fn;
	void *fn_arg;
	bool damaged;
	unsigned n_damage;   /* messages so far */
	uint64_t done, total; /* bytes of records that pass 2 has read and will */
	uint64_t n_bad_refs; /* uses of ids that nothing defines */
	struct iot_file_header header;
	struct iot_arena arena;
	struct iot_keys keys; /* those of the calls aside */
	struct iot_calls *calls;
	struct iot_shared *shared;
	struct iot_idmap unknown; /* calls that are not in the schema */
	struct iot_idmap path, handle, stack, stream_by_id;
	struct iot_idmap layout; /* by path */
	struct iot_device device[IOT_MAX_DEVICES];
	size_t n_devices;
	struct iot_idmap process; /* by number */
	struct iot_idmap sum;	  /* by id */
	struct iot_sum_def *sums;
	size_t n_processes;
	uint32_t writer; /* pid of a process that was found writing last; 0: none was */
	struct iot_path_def *path_defs;	    /* until pass 1 ends, */
	struct iot_handle_def *handle_defs; /* likewise */
	uint64_t names; /* bytes of directories in names */
	struct iot_map *map;
	size_t n_maps, cap_maps, n_sorted_maps;
	struct iot_branch *branch; /* frames of stacks, by their first id */
	size_t n_branches, cap_branches;
	bool branches_mixed;	   /* not yet */
	struct iot_stack_at *stack_used; /* that was asked for last */
	struct iot_arena stack_arena;	 /* of log->stack: those that were asked for */
	size_t n_kept;			 /* words of them */
	bool maps_overlap; /* what is at an address depends on the time */
	struct iot_stream **stream;
	size_t n_streams, cap_streams;
	struct iot_clock clock;
	struct iot_loss lost_blocks, lost_defs;
	size_t n_threads;
	int rank, n_ranks; /* -1, 0: not known */
	bool rank_checked; /* MPI itself said so */
	void *user;
	struct iot_idmap frames; /* by return address */
	struct iot_idmap codes;	 /* struct iot_code */
};

/* Code of an interpreter. */
struct iot_code {
	const char *language, *func;
	const char *file; /* NULL: it is the path */
	uint64_t path;
};

/* shared.c.  use: NULL makes a new one. */
struct iot_shared *iot_shared_use(struct iot_shared *shared);
void iot_shared_drop(struct iot_shared *shared);
struct iot_shared *iot_set_shared(const struct iot_set *set);

/* sum.c */
bool iot_sum_define(struct iot_log *log, const uint64_t *p, size_t n);

/* job.c */
bool iot_job_string(const struct iot_job *job, uint64_t at, const char **bytes, size_t *len);
/* The header text that ranks share; NULL if there is none. */
const char *iot_job_text(const struct iot_job *job, size_t *len);
struct iot_log *iot_job_bytes(const struct iot_job *job);
/* Hands the logs of a file, or of those of a job, to add; begin is one of the two
   below.  -1: there is none that can be read. */
int iot_job_each(struct iot_log *bytes, struct iot_log *(*begin)(struct iot_log *),
		 struct iot_set *set);

/* descriptor.c: files that are opened when they are needed */
int iot_descriptor_open(struct iot_log *log); /* -1: said why not */
/* To be given back before the next one is asked for; -1: said why, or it has none. */
int iot_descriptor_get(struct iot_log *log);
void iot_descriptor_put(struct iot_log *log);
void iot_descriptor_close(struct iot_log *log);

/* file.c */
struct iot_log *iot_log_new(const char *file, iot_message_fn *fn, void *arg);
/* Of which only the bytes can be read yet; NULL: said why not. */
struct iot_log *iot_log_bytes(const char *file, iot_message_fn *fn, void *arg);
struct iot_log *iot_log_bytes_mem(const void *data, size_t size, const char *name,
				  iot_message_fn *fn, void *arg);
struct iot_log *iot_log_begin(struct iot_log *log);
/* A log that may still be written, of which nothing but the header is read yet. */
struct iot_log *iot_log_begin_live(struct iot_log *log);
void iot_say(struct iot_log *log, enum iot_severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* iot_log_read of the file, packed or not. */
size_t iot_file_read(struct iot_log *log, void *buf, size_t size, uint64_t off);
uint64_t iot_file_size(struct iot_log *log);

/* The log may have grown. */
void iot_log_resize(struct iot_log *log);

/* header.c, schema.c */
int iot_header_read(struct iot_log *log);
/* A log that was created and has no header yet: then it is one without calls. */
bool iot_header_unborn(struct iot_log *log);
/* What of the header changes while the log is written. */
void iot_header_refresh(struct iot_log *log);
void iot_schema_parse(struct iot_log *log, const char *value);
/* "call ..." lines, of which the log has none yet: as those of another log, or to be
   those of another.  NULL: there is something else among them. */
struct iot_calls *iot_calls_get(struct iot_log *log, const char *text, size_t size, bool *known);
void iot_calls_free(struct iot_shared *shared);
/* A call that the header does not explain still gets a name. */
const struct iot_schema *iot_schema_unknown(struct iot_log *log, unsigned id);

static inline const struct iot_schema *iot_schema_get(struct iot_log *log, unsigned id)
{
	return log->calls->schema[id] ? log->calls->schema[id] : iot_schema_unknown(log, id);
}

/* check.c: checksums */
bool iot_head_sound(const struct iot_log *log, const struct iot_block *b);
/* Of a window that is not in use.  size: what it has. */
bool iot_size_sound(const struct iot_log *log, const struct iot_block *b);
/* words: so many, and one more behind them, of the block at off.  False: they are not
   what was written. */
bool iot_records_sound(struct iot_log *log, const struct iot_block *b, uint64_t off, const uint64_t *words,
		       size_t n);
/* Says what of the header is damaged, and makes plain numbers of those that have their
   checksums in them. */
void iot_header_check(struct iot_log *log);
void iot_header_text_check(struct iot_log *log, const char *text, size_t size);

/* extent.c */
bool iot_block_plausible(const struct iot_block *b);
void iot_extents_walk(struct iot_log *log);
/* What has come since: into the streams' found. */
void iot_extents_more(struct iot_log *log);
struct iot_stream *iot_stream_get(struct iot_log *log, const struct iot_block *b);
struct iot_ref iot_ref(struct iot_log *log, const struct iot_block *b, uint64_t off);
/* Records of a block into *words (grown as needed); number of words. */
size_t iot_block_read(struct iot_log *log, struct iot_stream *s, struct iot_ref *ref,
		      struct iot_block *head, uint64_t **words, size_t *cap);

/* The one record at word pos of a block. */
size_t iot_block_record(struct iot_log *log, struct iot_stream *s, const struct iot_ref *ref,
			uint32_t pos, struct iot_block *head, uint64_t **words, size_t *cap);

/* index.c */
void iot_index(struct iot_log *log);
void iot_index_end(struct iot_log *log);
void iot_index_threads(struct iot_log *log);
void iot_index_lost(struct iot_log *log);
void iot_block_scan(struct iot_log *log, struct iot_stream *s, struct iot_ref *ref,
		    uint64_t **words, size_t *cap);
void iot_late_sort(struct iot_stream *s);
static inline bool iot_slot_vacant(const struct iot_slot *slot)
{
	return !slot->start && slot->call & IOT_SLOT_VACANT;
}
size_t iot_slots_in(uint32_t header_size, uint32_t depth);
void iot_slots_put(struct iot_stream *s, const struct iot_slot *slot, size_t n);
void iot_index_late(struct iot_stream *s);

/* process.c */
struct iot_process *iot_process_get(struct iot_log *log, uint32_t number, uint32_t pid);
bool iot_process_define(struct iot_log *log, const uint64_t *p, size_t n);
/* The process whose mappings this one has at that time: its own, or, if it defined none,
   those that it was forked with. */
struct iot_process *iot_process_mapped(const struct iot_log *log, uint32_t number, uint64_t *ticks);

/* define.c */
void iot_define(struct iot_log *log, uint32_t process, unsigned kind, const uint64_t *p, size_t n);
void iot_defines_done(struct iot_log *log);

/* maps.c */
struct iot_stack_at {
	struct iot_stack stack;
	uint32_t process;	   /* to which, and */
	uint64_t ticks;		   /* when this is what it means; so it is */
	uint64_t from, to;	   /* between these, */
	size_t n_maps;		   /* as far as one knew with so many maps; 0: not looked at */
	struct iot_stack_at *next; /* of other times; the first is the log's, by its id */
};
bool iot_maps_add(struct iot_log *log, uint32_t process, const uint64_t *p, size_t n);
void iot_maps_done(struct iot_log *log);

/* stacks.c */
bool iot_frames_define(struct iot_log *log, const uint64_t *p, size_t n);
bool iot_stack_define(struct iot_log *log, const uint64_t *p, size_t n);
void iot_stacks_done(struct iot_log *log);
/* What there is of it, the first of those with that id; NULL: it is not defined.  Others may
   be forgotten.  What is missing counts as a bad reference. */
struct iot_stack_at *iot_stack_get(struct iot_log *log, uint32_t id);
struct iot_stack_at *iot_stack_new(struct iot_log *log, size_t frames);
void iot_stacks_forget(struct iot_log *log);

/* record.c */
typedef void iot_record_fn(void *arg, const struct iot_entry *e, const uint64_t *w, size_t n);
typedef void iot_def_fn(void *arg, unsigned kind, const uint64_t *p, size_t n);
/* Walk the records of a block; false if something in it makes no sense. */
bool iot_records_walk(struct iot_log *log, const struct iot_block *head, const uint64_t *words,
		      size_t n, iot_record_fn *record, iot_def_fn *def, void *arg);
void iot_decode_general(struct iot_log *log, const struct iot_entry *e, const uint64_t *w,
			struct iot_call *call);
/* Everything but what the stream knows: pid, tid, parent. */
void iot_record_decode(struct iot_log *log, const struct iot_entry *e, const uint64_t *w,
		       struct iot_call *call);
bool iot_inline_bytes(const struct iot_log *log, const uint64_t *p, size_t n, const char **bytes,
		      size_t *len, size_t *words);

/* clock.c */
void iot_clock_anchor(struct iot_log *log, const struct iot_anchor *a);
void iot_clock_sync(struct iot_log *log, uint64_t monotonic, uint64_t real);
void iot_clock_done(struct iot_log *log);
const struct iot_segment *iot_clock_seek(struct iot_clock *c, uint64_t ticks);

/* stream.c: after iot_stream_next returned true, head is the next record; decode
   it with iot_stream_call before going on. */
bool iot_stream_next(struct iot_stream *s);
void iot_stream_call(struct iot_stream *s, struct iot_call *call);
/* Its two steps: what the record says, and what follows from the calls before it,
   parent and internal. */
void iot_stream_decode(struct iot_stream *s, struct iot_call *call);
void iot_stream_place(struct iot_stream *s, struct iot_call *call);
void iot_stream_close(struct iot_stream *s);
void iot_block_done(struct iot_log *log, const struct iot_ref *ref, size_t n, bool sound);
void iot_slot_decode(struct iot_log *log, const struct iot_entry *e, const struct iot_slot *slot,
		     struct iot_call *call);
bool iot_entry_before(const struct iot_entry *a, const struct iot_entry *b);

/* scan.c */
void iot_stream_scan(struct iot_stream *s, iot_call_fn *fn, void *arg);

/* What comes next; NULL if there is nothing (yet). */
const struct iot_entry *iot_stream_peek(struct iot_stream *s);
/* Nothing that is still to come of it begins before this. */
uint64_t iot_stream_bound(struct iot_stream *s);
/* Is what comes next a call in progress whose record is there as well? */
bool iot_stream_answered(struct iot_stream *s);

/* window.c */
void iot_window_add(struct iot_log *log, uint64_t off);
enum iot_look { IOT_LOOK_OK, IOT_LOOK_NONE, IOT_LOOK_BUSY };
enum iot_look iot_window_look(struct iot_log *log, uint64_t off, const struct iot_block *known,
			      struct iot_snapshot *snap);

/* grow.c */
bool iot_log_grow(struct iot_log *log);

/* set.c */
struct dirent;
int iot_is_log(const struct dirent *d);
void iot_unreadable(struct iot_set *set, const char *file, const char *text, int err);
void iot_set_end(struct iot_set *set);

/* follow.c, watch.c */
struct iot_watch;
struct iot_watch *iot_watch_new(struct iot_set *set, iot_message_fn *fn, void *arg);
int iot_watch_add(struct iot_watch *w, const char *path);
bool iot_watch_poll(struct iot_watch *w);
void iot_watch_free(struct iot_watch *w);

/* alive.c */
void iot_log_locate(struct iot_log *log);
bool iot_log_writer_gone(struct iot_log *log, bool thorough);

/* symbol.c */
void iot_modules_free(struct iot_shared *shared);

#endif
