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
#ifndef IOTR_READ_H
#define IOTR_READ_H

#include "iotrace-format.h"
#include "iotrace/read.h"
#include "memory.h"

/* More than the number of any kind: they are numbered without gaps. */
enum {
	IOTR_N_KINDS = 0
#define IOT_KIND(...) +1
#define IOT_RESULT(...) +1
#include "../table/kinds.def"
};

/* Blocks beyond this are not believed: a recorder's buffer is far smaller. */
#define IOTR_BLOCK_MAX (256u << 20)
#define IOTR_TEXT_MAX (64u << 20)
#define IOTR_MAX_CALL (1u << IOT_CALL_BITS)
/* Parents are followed so far; a call deeper than that has none. */
#define IOTR_DEPTH_TRACKED 256
/* Processes are followed so far from child to parent. */
#define IOTR_ANCESTORS 1024
/* Blocks of a stream in memory at once. */
#define IOTR_MAX_OPEN 4

/* ---- kinds.c ---- */
enum iotr_kind iotr_kind_of(const char *name);
void iotr_kind_describe(struct iotr_param *p); /* all that follows from its kind */
bool iotr_result_failed(enum iotr_kind kind, int64_t ret); /* without an error */

/* ---- call.c ---- */
const struct iotr_syscalls *iotr_syscalls_of(const char *arch);

/* ---- records ---- */

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

/* ---- blocks and streams ---- */

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

struct iotr_gap { /* space in which no block was seen, yet */
	uint64_t from, to;
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

/* A place in a followed log that is a window, and of which stream it last was. */
struct iotr_window {
	uint64_t off;
	struct iotr_stream *stream; /* NULL: nobody's */
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

/* define.c: a DEF_USAGE of the stream's */
void iotr_usage_take(struct iotr_stream *s, const uint64_t *p, size_t n);

/* ---- the log ---- */

struct iotr_key {
	const char *key, *value;
	size_t len;
};

struct iotr_keys {
	struct iotr_key *key;
	size_t n, cap;
};

/* The calls of a schema.  Logs that are read together share it if they have the same. */
struct iotr_calls {
	struct iotr_calls *next;
	char *text; /* as it was parsed; NULL: it is not to be shared */
	size_t size;
	struct iotr_arena arena;
	struct iotr_keys keys;
	struct iotr_schema *schema[IOTR_MAX_CALL];
	struct iotr_call_bits *bits; /* of logs that are not packed; NULL: nobody has noted any */
	unsigned order[IOTR_MAX_CALL];
	size_t n_order;
};
extern struct iotr_calls iotr_no_calls;

/* Of a set or a job with its logs, or of a log that was opened by itself. */
struct iotr_shared {
	unsigned users;
	struct iotr_calls *calls;
	struct iotr_module *modules; /* symbol.c */
	struct iotr_arena arena;     /* its names */
	bool mute;		    /* nothing is said of modules without names */
	const char *symfs;	    /* the directory that modules lie in; NULL: the root */
};

struct iotr_segment { /* of the mapping from ticks to ns */
	uint64_t ticks;
	uint64_t ns; /* monotonic */
	double slope;
};

/* The segment that was asked for last, which the next call is in as well; until 0: none was. */
struct iotr_stretch {
	uint64_t ticks, until;
	uint64_t ns;
	int64_t most; /* ns that it has: rounding must not carry a call past the next anchor */
	double slope;
};

struct iotr_sync { /* with the clock of the job */
	uint64_t monotonic, real;
};

struct iotr_clock {
	struct iot_anchor *anchor;
	size_t n, cap;
	struct iotr_segment *seg;
	size_t n_seg, cap_seg;
	struct iotr_stretch now;
	struct iotr_sync sync[2]; /* the first and the last one */
	unsigned n_sync;
	int64_t to_real; /* realtime - monotonic; by the job's clock if that is known */
	/* Between the two syncs to_real changes, by that much a ns.  0: it does not. */
	double drift;
	uint64_t drift_from;
	int64_t drift_ns;
};

#define IOTR_MAX_DEVICES 64
/* Stretches of the recorder's code: it has three. */
#define IOTR_OWN_CODE 8

struct iotr_log {
	char *file;
	int fd; /* -1: mem, or closed for now: see log-files.c */
	bool opened;			/* it can be opened again */
	dev_t dev; /* of its file; 0: it has none of its own */
	ino_t ino;
	struct iotr_log *newer, *older; /* log-files.c's, under its lock */
	const unsigned char *mem;
	uint64_t mem_size;
	struct iotr_packed *packed; /* NULL: the file is the log as it was written */
	struct iotr_job *job;	    /* NULL: it has a file of its own; else it is there, */
	uint64_t base, room;	   /* from base on, with so many bytes */
	const struct iotr_syscalls *syscalls; /* by number; NULL: of no processor that we know */
	uint64_t size;	  /* of the log when it was opened */
	uint64_t walk_began; /* CLOCK_MONOTONIC, ns */
	uint64_t walked;  /* extents below are known, but for these: */
	struct iotr_gap *gap;
	size_t n_gaps, cap_gaps;
	uint64_t last_end;   /* of the last block */
	bool last_is_window;
	bool followed;		   /* see follow.c */
	bool live;		   /* and the process may still write */
	enum { IOTR_ELSEWHERE, IOTR_BEFORE, IOTR_HERE } where; /* it was written: see writers.c */
	const struct iotr_mapped *mapped; /* NULL: processes have to be asked */
	uint64_t looked;	   /* ns: when it was looked at */
	uint64_t horizon;	   /* ns: calls that began before have been seen */
	uint64_t checked;	   /* ns: when the process was last looked for */
	uint32_t poll;		   /* number of looks at it */
	uint32_t again;		   /* the last one that was made for a lacking definition */
	bool news;		   /* the last one brought something */
	struct iotr_window *window; /* by place in the file */
	size_t n_windows, cap_windows;
	bool quiet; /* what is no block is one that is being written, or was told already */
	iotr_message_fn *fn;
	void *fn_arg;
	bool damaged;
	unsigned n_damage;   /* messages so far */
	uint64_t done, total; /* bytes of records that pass 2 has read and will */
	uint64_t n_bad_refs; /* uses of ids that nothing defines */
	bool bad_refs_said;
	struct iot_file_header header;
	struct iotr_arena arena;
	struct iotr_keys keys; /* those of the calls aside */
	struct iotr_calls *calls;
	struct iotr_shared *shared;
	struct iotr_idmap unknown; /* calls that are not in the schema */
	struct iotr_call_bits *bits; /* of its schema or its packed form; NULL: not known yet */
	uint64_t wanted;	     /* bits of chosen ones */
	struct iotr_chosen_files *chosen_files; /* block-files.c; NULL: no files are chosen */
	struct iotr_files_seen *files_seen;	/* what of a block is noted; NULL: that isn't asked for */
	struct iotr_idmap path, handle, stack, stream_by_id;
	struct iotr_idmap by_thread; /* the newest stream of a process and tid, in levels.c */
	struct iotr_idmap layout; /* by path */
	struct iotr_device device[IOTR_MAX_DEVICES];
	size_t n_devices;
	struct iotr_idmap process; /* by number */
	struct iotr_idmap sum;	   /* by id */
	struct iotr_sum_def *sums;
	size_t n_processes;
	uint32_t writer; /* pid of a process that was found writing last; 0: none was */
	struct iotr_path_def *path_defs;     /* until pass 1 ends, */
	struct iotr_handle_def *handle_defs; /* likewise */
	uint64_t names; /* bytes of directories in names */
	struct iotr_map *map;
	size_t n_maps, cap_maps, n_sorted_maps;
	struct iotr_branch *branch; /* frames of stacks, by their first id */
	size_t n_branches, cap_branches;
	struct iotr_own_code {
		uint64_t from, to;
	} own_code[IOTR_OWN_CODE]; /* the recorder's */
	unsigned n_own_code;
	bool branches_mixed;	   /* not yet */
	struct iotr_stack_at *stack_used; /* that was asked for last */
	struct iotr_arena stack_arena;	  /* of log->stack: those that were asked for */
	size_t n_kept;			 /* words of them */
	bool torn;	   /* taken into a job's while it was written: blocks are missing */
	bool maps_overlap; /* what is at an address depends on the time */
	struct iotr_stream **stream;
	size_t n_streams, cap_streams;
	struct iotr_clock clock;
	struct iotr_loss lost_blocks, lost_defs;
	size_t n_threads;
	int rank, n_ranks; /* -1, 0: not known */
	bool rank_checked; /* MPI itself said so */
	void *user;
	struct iotr_idmap frames; /* by return address */
	struct iotr_idmap codes;  /* struct iotr_code */
};

/* Code of an interpreter. */
struct iotr_code {
	const char *language, *func;
	const char *file; /* NULL: it is the path */
	uint64_t path;
};

/* set-shared.c.  use: NULL makes a new one. */
struct iotr_shared *iotr_shared_use(struct iotr_shared *shared);
void iotr_shared_drop(struct iotr_shared *shared);
struct iotr_shared *iotr_set_shared(const struct iotr_set *set);

/* counted-calls.c */
bool iotr_sum_define(struct iotr_log *log, const uint64_t *p, size_t n);
/* schema NULL: of any. */
void iotr_sum_add(struct iotr_sum *sum, struct iotr_log *log, const struct iotr_schema *schema);

/* job-logs.c: hands the logs of a file, or of those of a job, to the set; begin is one of the two
   below.  -1: there is none that can be read. */
int iotr_job_each(struct iotr_log *bytes, struct iotr_log *(*begin)(struct iotr_log *),
		  struct iotr_set *set);

/* log-files.c: files that are opened when they are needed */
int iotr_descriptor_open(struct iotr_log *log); /* -1: said why not */
/* To be given back before the next one is asked for; -1: said why, or it has none. */
int iotr_descriptor_get(struct iotr_log *log);
void iotr_descriptor_put(struct iotr_log *log);
void iotr_descriptor_close(struct iotr_log *log);

/* bytes.c */
struct iotr_log *iotr_log_new(const char *file, iotr_message_fn *fn, void *arg);
/* Of which only the bytes can be read yet; NULL: said why not. */
struct iotr_log *iotr_log_bytes(const char *file, iotr_message_fn *fn, void *arg);
struct iotr_log *iotr_log_bytes_mem(const void *data, size_t size, const char *name,
				    iotr_message_fn *fn, void *arg);
void iotr_log_bytes_close(struct iotr_log *log);
/* What iotr_log_read and iotr_log_data do. */
size_t iotr_bytes_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
uint64_t iotr_bytes_data(struct iotr_log *log, uint64_t off);
/* The log may have grown. */
void iotr_log_resize(struct iotr_log *log);

/* file.c: of the file, packed or not */
size_t iotr_file_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
uint64_t iotr_file_size(struct iotr_log *log);

/* say.c */
void iotr_say(struct iotr_log *log, enum iotr_severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* log.c */
struct iotr_log *iotr_log_begin(struct iotr_log *log);
/* A log that may still be written, of which nothing but the header is read yet. */
struct iotr_log *iotr_log_begin_live(struct iotr_log *log);

/* header.c, keys.c, schema.c */
int iotr_header_read(struct iotr_log *log);
/* A log that was created and has no header yet: then it is one without calls. */
bool iotr_header_unborn(struct iotr_log *log);
/* What of the header changes while the log is written. */
void iotr_header_refresh(struct iotr_log *log);
void iotr_schema_parse(struct iotr_log *log, const char *value);
/* "call ..." lines, of which the log has none yet: as those of another log, or to be
   those of another.  NULL: there is something else among them. */
struct iotr_calls *iotr_calls_get(struct iotr_log *log, const char *text, size_t size, bool *known);
void iotr_calls_free(struct iotr_shared *shared);
/* A call that the header does not explain still gets a name. */
const struct iotr_schema *iotr_schema_unknown(struct iotr_log *log, unsigned id);

static inline const struct iotr_schema *iotr_schema_get(struct iotr_log *log, unsigned id)
{
	return log->calls->schema[id] ? log->calls->schema[id] : iotr_schema_unknown(log, id);
}

/* checksums.c: checksums */
bool iotr_head_sound(const struct iotr_log *log, const struct iot_block *b);
/* Of a window that is not in use.  size: what it has. */
bool iotr_size_sound(const struct iotr_log *log, const struct iot_block *b);
/* words: so many, and one more behind them, of the block at off.  False: they are not
   what was written. */
bool iotr_records_sound(struct iotr_log *log, const struct iot_block *b, uint64_t off,
			const uint64_t *words, size_t n);
/* Says what of the header is damaged, and makes plain numbers of those that have their
   checksums in them. */
void iotr_header_check(struct iotr_log *log);
void iotr_header_text_check(struct iotr_log *log, const char *text, size_t size);

/* Can this be a block's header?  What says where the next one is must be right;
   the rest is mended. */
static inline bool iotr_block_plausible(const struct iot_block *b)
{
	return b->magic == IOT_BLOCK_MAGIC && b->size && b->size % IOT_BLOCK_ALIGN == 0 &&
	       b->size <= IOTR_BLOCK_MAX && b->header_size >= sizeof(*b) &&
	       b->header_size % 8 == 0 && b->header_size <= b->size;
}

/* blocks.c */
void iotr_extents_walk(struct iotr_log *log);
/* What has come since: into the streams' found. */
void iotr_extents_more(struct iotr_log *log);
struct iotr_stream *iotr_stream_get(struct iotr_log *log, const struct iot_block *b);
struct iotr_ref iotr_ref(struct iotr_log *log, const struct iot_block *b, uint64_t off);
/* Records of a block into *words (grown as needed); number of words. */
size_t iotr_block_read(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref,
		       struct iot_block *head, uint64_t **words, size_t *cap);

/* The one record at word pos of a block. */
size_t iotr_block_record(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *ref,
			 uint32_t pos, struct iot_block *head, uint64_t **words, size_t *cap);

/* index.c */
void iotr_index(struct iotr_log *log);
void iotr_index_end(struct iotr_log *log);
void iotr_index_threads(struct iotr_log *log);
void iotr_index_lost(struct iotr_log *log);
void iotr_block_scan(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref, bool at_once,
		     uint64_t **words, size_t *cap);
void iotr_late_sort(struct iotr_stream *s);
static inline bool iotr_slot_vacant(const struct iot_slot *slot)
{
	return !slot->start && slot->call & IOT_SLOT_VACANT;
}
size_t iotr_slots_in(uint32_t header_size, uint32_t depth);
void iotr_slots_put(struct iotr_stream *s, const struct iot_slot *slot, size_t n);
void iotr_index_late(struct iotr_stream *s);

/* process.c */
struct iotr_process *iotr_process_get(struct iotr_log *log, uint32_t number, uint32_t pid);
bool iotr_process_define(struct iotr_log *log, const uint64_t *p, size_t n);
/* The process whose mappings this one has at that time: its own, or, if it defined none,
   those that it was forked with. */
struct iotr_process *iotr_process_mapped(const struct iotr_log *log, uint32_t number,
					 uint64_t *ticks);

/* define.c */
void iotr_define(struct iotr_log *log, uint32_t process, unsigned kind, const uint64_t *p,
		 size_t n);
void iotr_defines_done(struct iotr_log *log);

/* maps.c */
struct iotr_stack_at {
	struct iotr_stack stack;
	uint32_t process;	   /* to which, and */
	uint64_t ticks;		   /* when this is what it means; so it is */
	uint64_t from, to;	   /* between these, */
	size_t n_maps;		   /* as far as one knew with so many maps; 0: not looked at */
	struct iotr_stack_at *next; /* of other times; the first is the log's, by its id */
};
bool iotr_maps_add(struct iotr_log *log, uint32_t process, const uint64_t *p, size_t n);
void iotr_maps_done(struct iotr_log *log);

/* stacks.c */
bool iotr_frames_define(struct iotr_log *log, const uint64_t *p, size_t n);
bool iotr_stack_define(struct iotr_log *log, const uint64_t *p, size_t n);
void iotr_stacks_done(struct iotr_log *log);
/* What there is of it, the first of those with that id; NULL: it is not defined.  Others may
   be forgotten.  What is missing counts as a bad reference. */
struct iotr_stack_at *iotr_stack_get(struct iotr_log *log, uint32_t id);
struct iotr_stack_at *iotr_stack_new(struct iotr_log *log, size_t frames);
void iotr_stacks_forget(struct iotr_log *log);

/* record.c */
/* false: that was all that is wanted of the block */
typedef bool iotr_record_fn(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n);
typedef void iotr_def_fn(void *arg, unsigned kind, const uint64_t *p, size_t n);
/* Walk the records of a block; false if something in it makes no sense.  in: which calls it
   has is noted there; NULL: that isn't asked for. */
struct iotr_in_block;
bool iotr_records_walk(struct iotr_log *log, const struct iot_block *head, const uint64_t *words,
		       size_t n, iotr_record_fn *record, iotr_def_fn *def, void *arg,
		       struct iotr_in_block *in);
void iotr_decode_general(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			 struct iotr_call *call);
/* Everything but what the stream knows: pid, tid, parent. */
void iotr_record_decode(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			struct iotr_call *call);
bool iotr_inline_bytes(const struct iotr_log *log, const uint64_t *p, size_t n, const char **bytes,
		       size_t *len, size_t *words);

/* clock.c */
void iotr_clock_anchor(struct iotr_log *log, const struct iot_anchor *a);
void iotr_clock_sync(struct iotr_log *log, uint64_t monotonic, uint64_t real);
void iotr_clock_done(struct iotr_log *log);
const struct iotr_stretch *iotr_clock_seek(struct iotr_clock *c, uint64_t ticks);

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

/* set-add.c */
struct dirent;
int iotr_is_log(const struct dirent *d);
void iotr_unreadable(struct iotr_set *set, const char *file, const char *text, int err);

/* set.c */
void iotr_set_end(struct iotr_set *set);

/* set-logs.c */
void iotr_set_take(struct iotr_set *set, struct iotr_log *log);

/* symbol.c */
void iotr_modules_free(struct iotr_shared *shared);

#endif
