/* SPDX-License-Identifier: BSD-3-Clause */
/* internal.h - what the parts of the analysis know of each other. */
#ifndef IOTA_INTERNAL_H
#define IOTA_INTERNAL_H

#include <string.h>
#include <sys/stat.h>

#include "watch.h"

/* Calls nest in a stream.  Deeper ones are taken to be at this depth. */
#define IOTA_DEPTHS 256

/* ---- memory.c ---- */

struct iota_chunk {
	struct iota_chunk *next;
	_Alignas(8) char bytes[];
};

struct iota_memory {
	struct iota_chunk *chunks;
	char *at;
	size_t left;
};

/* Memory full of zeroes, which iota_memory_free frees. */
void *iota_alloc(struct iota_memory *m, size_t size);
void iota_memory_free(struct iota_memory *m);
/* The bytes of b, copied to m; the memory of b is freed. */
char *iota_keep(struct iota_memory *m, struct iota_bytes *b);
/* As malloc and reallocarray, but never NULL. */
void *iota_malloc(size_t size);
void *iota_grow(void *p, size_t n, size_t size);
/* Room for one more. */
#define IOTA_ROOM(array, n, cap)                                                                   \
	((n) < (cap) ? (void)0                                                                     \
		     : (void)((cap) = (cap) ? (cap) * 2 : 8,                                       \
			      (array) = iota_grow((array), (cap), sizeof(*(array)))))
/* As tsearch: what is in the tree under that key, which is key itself if it is new. */
void *iota_tree_add(void **tree, void *key, int (*compare)(const void *, const void *));

/* ---- columns.c ---- */
/* How each field of that table's rows is merged; and n_fields of them. */
void iota_merges(enum iota_table_id id, unsigned char merge[IOTA_N_FIELDS]);
void iota_merge(const struct iota *a, enum iota_table_id id, uint64_t *to, const uint64_t *from,
		size_t n_fields);

/* ---- kind.c ---- */

struct iota_kind { /* iotr_schema.user */
	struct iota_row *row;
	enum iota_does does;
	enum iota_moves moves;
	bool writes; /* see struct iota_effect */
	enum iota_field spent; /* what its time is spent on, see iota_spent */
	bool positioned; /* has an offset argument: leaves the file offset alone */
	unsigned char shares; /* enum iota_shares */
	unsigned roles; /* see enum iota_role */
	bool of_memory;	   /* of the family mem */
	bool nonblocking;  /* begins operations, or ends them: overlap.c */
	bool locks;	   /* by one of its commands: fcntl() */
	bool has_mode;	   /* a Fortran statement's: IOTR_KIND_IOMODE */
	bool has_advice;   /* IOTR_KIND_FADVISE */
	bool has_flags;	   /* IOTR_KIND_MSGFLAGS */
	bool meets;	   /* of MPI-IO: all ranks take part, and wait for each other */
	bool beneath;	   /* a system call, as MPI makes them beneath its own */
	bool counted;	   /* one of these that was counted, or that meets where one was */
	bool region;	 /* one of iotrace.h's: no call, but what calls are made in */
	bool plain;	 /* does what its kind does, and never waits for anybody: as most calls */
	bool views, hints; /* of MPI-IO: it sets a view; opens files, with hints */
	bool statement;	  /* a Fortran statement, which says where it stands */
	bool any;	 /* syscall(2): each call may be of another, and have another row */
};
/* A Fortran statement, which says where it stands. */
bool iota_is_statement(const struct iotr_schema *schema);
const struct iota_kind *iota_kind_new(struct iota *a, const struct iotr_schema *schema);
static inline const struct iota_kind *iota_kind(struct iota *a, const struct iotr_schema *schema)
{
	return schema->user ? schema->user : iota_kind_new(a, schema);
}
/* The row of a call of syscall(2) */
struct iota_row *iota_any_row(struct iota *a, const struct iotr_call *call);
static inline struct iota_row *iota_call_row(struct iota *a, const struct iota_kind *kind,
					     const struct iotr_call *call)
{
	return kind->any ? iota_any_row(a, call) : kind->row;
}

/* ---- param.c ---- */
/* The number that the call's parameter of that kind has; false: there is none. */
bool iota_param(const struct iotr_call *call, enum iotr_kind kind, uint64_t *value);

/* ---- sizes.c ---- */
/* A transfer of that size; all of another's; and what is typical, 0 if there are none. */
void iota_sizes_count(struct iota *a, struct iota_sizes **sizes, uint64_t size);
void iota_sizes_add(struct iota *a, struct iota_sizes **to, const struct iota_sizes *from);
uint64_t iota_sizes_typical(const struct iota_sizes *s);

/* ---- intervals.c ---- */

struct iota_interval {
	uint64_t start, end; /* offsets */
	uint64_t time;	     /* when the owner had it last */
	uint32_t owner;
};

/* Many intervals.  All zeroes at first. */
struct iota_intervals {
	union {
		struct iota_block **block;
		struct iota_block *only;
	};
	union {
		uint64_t *end; /* of the last interval of each */
		uint64_t only_end;
	};
	size_t n_blocks, room; /* 0: there is one block at most, which stands here */
	struct iota_interval_at {
		size_t block;
		unsigned at;
	} found; /* that was looked for last */
	size_t n; /* intervals */
	uint64_t bytes;
	struct iota_interval *waiting; /* ranges that are not among the intervals yet */
	size_t n_waiting, room_waiting;
	unsigned level; /* of thin.c */
	uint64_t low, high; /* of all ranges, also of what is not kept */
	size_t enough; /* intervals, for which it is seen whether a higher level is needed */
	bool settled; /* the level is right, and */
	uint64_t estimate; /* how many bytes there are */
};

static inline bool iota_interval_same(const struct iota_interval *i, const struct iota_interval *j)
{
	return i->owner == j->owner && i->time == j->time;
}
/* They may wait until they are needed. */
void iota_intervals_set(struct iota_intervals *s, struct iota_interval new);
void iota_intervals_settle(struct iota_intervals *s);
typedef void iota_interval_fn(void *arg, const struct iota_interval *i);
/* In the order in which they lie in the file; none waits. */
void iota_intervals_each(const struct iota_intervals *s, iota_interval_fn *fn, void *arg);
void iota_intervals_free(const struct iota_intervals *s);

/* ---- owned.c ---- */

/* What is known of a file's bytes.  Most files are read, or written, from begin to end: they have one interval. */
struct iota_owned {
	union {
		struct {
			uint64_t start, end, time;
		};
		struct iota_intervals *several;
	};
	uint32_t owner;
	uint32_t is_several : 1;
	uint32_t runs : 31; /* that may be many: of short ones, so many were set; see owned.c */
};

/* Gives the bytes to the owner, but for those that another one had later.  Of two that had them at the
   same time, the greater number has them.  A file of very many ranges is thinned: see thin.c. */
void iota_owned_set(struct iota_memory *m, struct iota_owned **seen, struct iota_interval new);
/* How many different bytes; seen may be NULL.  If it was thinned, it is an estimate, of about 1 %. */
uint64_t iota_owned_bytes(const struct iota_owned *seen);
size_t iota_owned_n(const struct iota_owned *seen); /* in how many intervals */
/* Is it known whether something begins with that byte of an interval?  And of how many such intervals each is one. */
bool iota_owned_begins(const struct iota_owned *seen, uint64_t offset);
uint64_t iota_owned_stand_for(const struct iota_owned *seen);
/* In the order in which they lie in the file. */
void iota_owned_each(const struct iota_owned *seen, iota_interval_fn *fn, void *arg);
/* What is kept of all that was set; see above. */
struct iota_thinned {
	uint64_t runs, level, low, high;
};
struct iota_thinned iota_owned_thinned(const struct iota_owned *seen);
/* To what there is come intervals of another, one by one, and then how that was thinned. */
void iota_owned_add(struct iota_memory *m, struct iota_owned **to, struct iota_interval i);
void iota_owned_added(struct iota_owned *to, const struct iota_thinned *from);
void iota_owned_join(struct iota_memory *m, struct iota_owned **to, const struct iota_owned *from);
void iota_owned_free(struct iota_owned **seen);

/* ---- thin.c ---- */
#define IOTA_THIN_LEVELS 48
/* Is the offset's region kept at that level? */
bool iota_thin_keeps(uint64_t offset, unsigned level);
/* The number of the group that an offset is in; and what is kept in a group of an interval, with the byte before
   the region if that is in the interval too.  false: nothing.  Groups matter from that of the start to that of the end,
   which is behind the last byte. */
uint64_t iota_thin_group(uint64_t offset, unsigned level);
bool iota_thin_part(const struct iota_interval *of, unsigned level, uint64_t group, struct iota_interval *part);
/* How many bytes of a range are kept, without such bytes before. */
uint64_t iota_thin_bytes(uint64_t start, uint64_t end, unsigned level);
/* At a lower one, more regions than that are kept of the interval. */
unsigned iota_thin_level(const struct iota_interval *of, uint64_t most);
/* In how many regions it is, but for one that *counted says was counted: intervals come in their order. */
uint64_t iota_thin_regions(const struct iota_interval *of, uint64_t *counted);

#define IOTA_STREAM 4096 /* bytes that libc reads or writes a stream by */
#define IOTA_NO_FILE "(no file)" /* name of the row of calls that have none */

/* ---- spots.h ---- */

struct iota_spot;
struct iota_spots {
	struct iota_spot **spot;
	size_t n, cap;
	struct iota_spot *fresh; /* the spots that are to be taken next, */
	size_t n_fresh;		 /* and how many there are */
	struct iota_spot *last; /* that a call was added to; NULL: there is none yet */
	uint32_t *hash; /* of size slots, of which n_hashed are taken: 1 more than a number in spot; 0: free */
	size_t size, n_hashed;
	struct iota_origin **origin, **origin_hash; /* from where their calls are made; of origin_size slots */
	size_t n_origins, cap_origins, origin_size;
	void *places, *functions;
	uint64_t refused;  /* calls that failed since there can be no more descriptors */
	uint64_t programs; /* that the job starts */
	bool finished;
};

/* ---- an analysis ---- */

/* What calls have inside of them.  What each of so many of the latest ones has is kept by itself, too. */
#define IOTA_LATEST 8
struct iota_inside {
	uint64_t time, lib_moved, opens;
	uint64_t transfers; /* system calls, or what stands for those */
	uint64_t own;	    /* ns, of MPI's own calls */
	uint64_t from;	    /* when the first of them began; 0: there is none */
	uint64_t last;	    /* and the last one */
	uint64_t n;	    /* calls: see latest of struct iota_nest */
};

/* A call of a handler that interrupted the recorder, with what it had inside. */
struct iota_apart {
	uint64_t start; /* ns since the epoch */
	unsigned depth;
	struct iota_inside inside;
};

/* Of the stream that is being read: what the calls that are counted had, by their
   depth, since the last call of a smaller depth.  Behind the first n there is nothing.
   Of handlers that interrupted the recorder: until the call around them has come. */
struct iota_nest {
	const struct iotr_log *log;
	uint32_t stream;
	unsigned n;
	struct iota_inside by_depth[IOTA_DEPTHS + 1];
	struct iota_inside latest[IOTA_DEPTHS + 1][IOTA_LATEST]; /* calls of these, the last of n */
	struct iota_inside handler[2]; /* of a call of theirs: around it, and inside */
	struct iota_apart apart[64];
	size_t n_apart;
};

/* The thread that is being read.  Its numbers are by how much the totals grow. */
struct iota_thread {
	const struct iotr_log *log;
	uint32_t number, pid, tid; /* number: of the process */
	uint64_t before[IOTA_N_COMMON];
	uint64_t longest;
	uint64_t begin, end; /* of its first and its last call, ns since the epoch; 0: none yet */
	uint64_t outside;    /* ns, between its calls */
	uint32_t calls;	     /* how many have begun */
	uint64_t alone, until; /* the same, and the time, when it first made another; 0: it made none */
	struct iota_row *process, *thread, *rank;
	const struct iotr_log *used_of; /* whose threads used */
	struct iotr_usage used;		/* so much */
	uint32_t serial; /* of all threads that were read, and where they are in iota_threads */
	uint64_t bit;
};
#define IOTA_BITS 64
/* The same whichever part of the logs is read.  Ids of threads follow each other. */
static inline uint64_t iota_thread_bit(uint32_t tid, int rank)
{
	return 1ull << (tid + (uint32_t)rank + 1) % IOTA_BITS;
}

/* The nonblocking operation that the thread began last, if no other call came between. */
struct iota_pending {
	struct iota_spot *spot; /* of the call that began it; NULL: there is none */
	const struct iotr_log *log;
	uint32_t stream, depth;
	uint64_t number; /* of MPI's operation; 0: not known */
	uint64_t end;	 /* of the last call about it, ns since the epoch */
	uint64_t between, time, waited; /* ns: between these calls, in all of them, but the first */
	bool several;	 /* others are under way */
};

/* What a thread did last with a socket: how often it wrote since it read, and where. */
struct iota_talk {
	const struct iota_row *socket; /* NULL: nothing yet */
	struct iota_spot *last;
	uint32_t thread, writes;
};

/* What the thread did last with what it talks through. */
struct iota_dialog {
	const struct iota_row *from; /* of what it had an answer last; NULL: of nothing */
	struct iota_spot *wait;	     /* that ended by its time limit since then; NULL: none */
	uint64_t time;
	uint32_t thread;
};

/* How many requests of the thread are in the kernel's queues. */
struct iota_queued {
	const struct iotr_log *log;
	uint32_t stream;
	uint64_t n;
};

/* What ranks moved between two collective calls of all. */
struct iota_phase {
	uint64_t ranks, time, longest;		/* all of them; ns, of all, and of one */
	uint64_t bytes[2], most[2], movers[2]; /* read, written: by all, by one; by how many */
	uint64_t outside[IOTA_BITS]; /* ns, of ranks that share a bit the most that one was in no call */
};

struct iota_phases {
	struct iota_phase *phase;
	size_t n, cap, at;
	struct iota_phase now; /* of the rank that is read, in the phase number at */
	uint64_t outside;      /* what it had been in no call when that began */
	bool counts;	       /* the thread that is read is a rank's */
};

/* exposed.c: a thread, or a part of one, from begin to end.  A thread that begins when another has ended
   most likely had to wait for it: the program makes threads, and joins them. */
struct iota_life {
	uint64_t begin, end, computes; /* ns since the epoch; ns */
	uint64_t alone, until;	       /* see struct iota_thread */
	uint64_t bit;
	uint32_t pid, tid;
};

struct iota_lives {
	struct iota_life *life;
	size_t n, cap, read; /* of logs that were read to their end, so many */
};

/* Sums of calls of the stream that is being read, by depth.  It is not known yet in which region these
   calls are. */
struct iota_regions {
	const struct iotr_log *log;
	uint32_t stream;
	unsigned n; /* depths */
	struct iota_row *at[IOTA_DEPTHS + 1];
};

/* loops.c, while stacks are looked up: functions, and frames, by address */
struct iota_loops {
	void *functions, *frames;
};

#define IOTA_AT_HAND 8

struct iota {
	struct iota_memory memory;
	struct iota_rule *rules; /* as they were set; a NULL id ends them */
	struct iota_rule *slow;	 /* of these, the one that says which calls took long, */
	struct iota_rule *small[2]; /* which reads are small, and which writes */
	struct iota_rule *touched;  /* how far on the next page fault is in order */
	struct iota_table table[IOTA_N_TABLES];
	struct iota_numbers {
		struct iota_row *row;
		uint64_t v[IOTA_N_FIELDS];
	} at_hand[IOTA_AT_HAND]; /* rows.c: of files whose numbers are packed else */
	unsigned next_at_hand;
	unsigned char merge[IOTA_N_TABLES][IOTA_N_FIELDS]; /* enum iota_merge */
	struct iota_nest nest;
	struct iota_thread thread;
	uint32_t runs;	   /* once that is done: how many there are, */
	uint64_t run_time; /* and how long they took, added up, ns */
	void *mappings, *maps; /* mapped.c */
	struct iota_row *memory_row; /* of the last call on memory without a descriptor; NULL: of no file */
	void *opened;	/* opened.c: descriptors, with who opened them; */
	struct iota_opened *free_opened; /* places for others; */
	struct iota_opens *opens; /* how many the thread opened */
	struct iota_pending pending;
	struct iota_queued queued;
	struct iota_talk talk;
	struct iota_dialog dialog;
	struct iota_phases phases;
	uint64_t computing[IOTA_BITS]; /* exposed.c: ns, of threads that share a bit the most that one had */
	struct iota_lives lives;
	struct iota_regions regions;
	struct iota_row *not_open; /* of descriptors that are none; NULL: there was none yet */
	struct iota_row *no_file; /* IOTA_NO_FILE: of calls that have none; NULL: there was none yet */
	struct iota_row *no_site; /* of calls without a stack; NULL: there was none yet */
	struct iota_ops ops;
	struct iota_finding *findings, *added_up;
	size_t n_findings, cap_findings;
	struct iota_use *uses, *free_uses; /* file.c: descriptors in the hands of a thread */
	uint32_t n_uses;
	struct iota_spots spots;
	struct iota_loops loops;
	struct iota_sharing *sharing; /* constellation.h; NULL: not wanted */
	bool finds, judged; /* findings are wanted; are there */
	bool joins_names;   /* IOTA_NAMES */
	struct iota_slices *slices; /* NULL: sums by time are not wanted */
	iota_watch_fn *watch;	    /* NULL: nobody keeps calls */
	void *watch_arg;
};

/* ---- rows.c ---- */

/*
 * Numbers of a row, to be added to.  Those of a file that has had few calls are packed when IOTA_AT_HAND
 * other files have had one, and *v then is no place for them any more.
 */
uint64_t *iota_unpack(struct iota *a, struct iota_row *row);
static inline uint64_t *iota_numbers(struct iota *a, struct iota_row *row)
{
	return row->v ? row->v : iota_unpack(a, row);
}
/* Copies the first n numbers of the row. */
void iota_numbers_copy(uint64_t *v, const struct iota_row *row, size_t n);
/* The part of a row that few files have, to be changed. */
struct iota_rare *iota_rare_of(struct iota *a, struct iota_row *file);
/* Frees what a file's row, or each of all files, has outside of the analysis's memory. */
void iota_row_free(struct iota_row *file);
void iota_files_free(struct iota *a);

/* Rows by their keys (hash.c).  NULL: there is none; add: there was none of its key. */
struct iota_row *iota_keys_find(const struct iota_keys *k, const char *key, size_t len);
void iota_keys_add(struct iota_keys *k, struct iota_row *row);
void iota_keys_free(struct iota_keys *k);

/* Compares rows by the length of the key, and then by the key. */
int iota_row_by_key(const void *a, const void *b);
/* Adds a call to what every table sums up. */
void iota_row_add(struct iota *a, struct iota_row *row, const struct iota_sample *s);
/* Notes that a thread of a process has read the file, or written it; 0: no process. */
void iota_moved_by(struct iota *a, struct iota_row *row, unsigned direction, uint32_t process, uint32_t tid);
/* The row with that key.  NULL: there is none. */
const struct iota_row *iota_row_find(const struct iota *a, enum iota_table_id id, const char *key,
				     size_t len);
/* The row with that key, which is made if there is none; is_new (may be NULL) says so. */
struct iota_row *iota_row(struct iota *a, enum iota_table_id id, const char *key, size_t len,
			  bool *is_new);

/* ---- sum.c ---- */

/* Does the call read or write, as a system call or as one that stands for system calls? */
static inline bool iota_transfers(const struct iota_sample *s)
{
	return (s->is_syscall || s->call->inferred) &&
	       (s->does == IOTA_DOES_READ || s->does == IOTA_DOES_WRITE ||
		s->does == IOTA_DOES_COPY);
}

/* Programs may ask for SIZE_MAX bytes, and more than once. */
static inline uint64_t iota_sum_of_sizes(uint64_t sum, uint64_t size)
{
	return size > UINT64_MAX - sum ? UINT64_MAX : sum + size;
}

/* ---- spent.c ---- */
/* Calls of that family that do so spend their time on, if nothing else is known. */
enum iota_field iota_spends(enum iota_does does, const char *family);
static inline bool iota_is_io(enum iota_field spent)
{
	return spent == IOTA_F_MOVING || spent == IOTA_F_METADATA || spent == IOTA_F_SYNCING;
}
/* Which of the parts of IOTA_F_SELF its own time belongs to; IOTA_F_SELF: none of them. */
enum iota_field iota_spent_by_file(const struct iota_sample *s);
static inline enum iota_field iota_spent(const struct iota_sample *s)
{
	const struct iotr_handle *h = s->call->handle;

	/* most calls are about plain files, and their kind says it */
	if (s->kind->plain && !s->call->mpi_own && h && S_ISREG(h->mode))
		return s->kind->spent;
	return iota_spent_by_file(s);
}

/* ---- thread.c, file.c, site.c ---- */
/* The call is the first one that is read of its thread. */
void iota_thread_begin(struct iota *a, const struct iotr_call *call);
/* A call that has created a thread. */
void iota_thread_creates(struct iota *a, const struct iotr_call *call);
/* Is it one of the process's threads, other than the one that the process begins with? */
bool iota_is_thread_of(const struct iota_row *thread, const struct iota_row *process);
/* Behind the last call. */
void iota_thread_end(struct iota *a);
/* All of a log has been read. */
void iota_log_end(struct iota *a);
/* What a line does to a file, with the call in it; NULL: it is about no file, or not wanted. */
struct iota_spot *iota_file_add(struct iota *a, const struct iota_sample *s);
void iota_file_end(struct iota *a); /* behind the last call */
/* The row that the call has been added to; NULL: it is on no file. */
struct iota_row *iota_file_of(struct iota *a, const struct iotr_call *call);
/* The row of the file that a copy wrote to.  NULL: it is not known. */
struct iota_row *iota_copied_to(struct iota *a, const struct iotr_call *call);
/* What is known of a stack, as long as its log has it spelled out: iotr_stack.user. */
struct iota_stack_notes {
	struct iota_row *site;	   /* NULL: not known yet */
	struct iota_chain *chain;
	bool has_chain;
};
struct iota_stack_notes *iota_stack_notes(const struct iotr_stack *stack);
const char *iota_site_name(struct iota *a, const struct iotr_call *call);
void iota_site_add(struct iota *a, const struct iota_sample *s);

/* How good a frame is as an answer to the question which line made a call. */
enum iota_merit {
	IOTA_MERIT_NONE,
	IOTA_MERIT_CODE,     /* of a program or a library, whatever its name */
	IOTA_MERIT_FUNCTION, /* with a name */
	IOTA_MERIT_SCRIPT,   /* a line of a library in an interpreter's language */
	IOTA_MERIT_LINE,     /* with a line, of a file that is not a library's header */
};
enum iota_merit iota_frame_merit(const struct iotr_frame *f);

/* ---- mapped.c ---- */
/* A call with a descriptor of that file, which may map it. */
void iota_mapped_add(struct iota *a, const struct iotr_call *call, struct iota_row *row);
/* The file of the memory that the call is about; NULL: none, or not known. */
struct iota_row *iota_mapped_row(struct iota *a, const struct iotr_call *call);
void iota_mapped_free(struct iota *a);

/* ---- overlap.c ---- */
bool iota_overlap_knows(const char *call);
/* Every call that is counted, with its spot. */
void iota_overlap_see(struct iota *a, const struct iota_sample *s, struct iota_spot *spot);

/* ---- phases.c ---- */
/* Every call that is counted, with its spot; behind the last call of a thread. */
void iota_phases_see(struct iota *a, const struct iota_sample *s, const struct iota_spot *spot);
void iota_phases_thread_end(struct iota *a);
void iota_phase_merge(struct iota_phase *to, const struct iota_phase *more);
struct iota_phase *iota_phase_at(struct iota *a, size_t n); /* made if there is none yet */
/* ns, of all phases what the rank had that computed most, of those with these bits; 0: not known */
uint64_t iota_phases_compute(const struct iota *a, uint64_t threads);
void iota_phases_free(struct iota *a);

/* ---- region.c ---- */
/* Every call, and then, if it is to be counted, */
void iota_region_see(struct iota *a, const struct iotr_call *call);
void iota_region_add(struct iota *a, const struct iota_sample *s);
/* Behind the last call. */
void iota_region_end(struct iota *a);

/* ---- names.c ---- */
/* The row's name is that path.  A call that took names away.  Rows of one file become one. */
void iota_name_is(struct iota *a, struct iota_row *row, const struct iotr_path *path);
void iota_name_removed(struct iota *a, const struct iotr_call *call);
void iota_name_reached(struct iota_row *row, uint64_t when); /* 0: not at all */
void iota_names_join(struct iota *a);

/* ---- runs.c ---- */
/* How many runs of the program there are, and how many read each file, and wrote it. */
void iota_runs_count(struct iota *a);
/* Bytes that were read, or written, if each run did so once. */
uint64_t iota_different(const struct iota_row *file, unsigned direction);

/* ---- when.c ---- */
/* Only if there are slices: a call that is to be counted; one that is not, whose calls inside
   are those of the call around it. */
void iota_when_add(struct iota *a, const struct iota_sample *s);
void iota_when_pass(struct iota *a, const struct iotr_call *call);
/* A thread that was there from begin to end, of that rank, or none. */
void iota_when_thread_end(struct iota *a, uint64_t begin, uint64_t end, struct iota_row *rank);
void iota_when_put(const struct iota *a, struct iota_bytes *to);
bool iota_when_take(struct iota *a, const void *sums, size_t size);

/* ---- judge.c ---- */
void iota_rules_begin(struct iota *a);
void iota_judge(struct iota *a, enum iota_over over, const struct iota_evidence *e);

/* ---- findings.c ---- */
void iota_finding_add(struct iota *a, struct iota_finding f);
bool iota_is_found(const struct iota *a, const char *id); /* is there one of that rule? */
/* The same, of a rule that says how much of the file all lines move: the file has one, with the
   line that takes longest. */
void iota_finding_of_file(struct iota *a, struct iota_finding f);
/* By time; and then those of one name are one, if their rule says so. */
void iota_findings_sort(struct iota *a);
void iota_findings_join(struct iota *a);
void iota_findings_free(struct iota *a);

#endif
