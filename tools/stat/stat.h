/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat.h - what the parts of iotrace-stat know of each other.
 *
 * Every call is added to one row of each table that is wanted: to that of its
 * kind, of its file, process, thread, region and call site.  A row is a list of numbers;
 * what they are called and how they are printed is written once, in the tables'
 * columns (stat-rows.c), for all formats.
 *
 * So that sums are sums:
 *  - Bytes, reads and writes are those of system calls.  What went through stdio
 *    and the like is counted apart (lib_), in the lowest such call.
 *  - `self` is time that belongs to no call inside: over any set of rows it adds
 *    up to the time in which at least one call was in progress, per thread.
 */
#ifndef STAT_H
#define STAT_H

#include "../common/tool.h"

/* ---- rows ---- */

enum field {
	F_CALLS,
	F_SYSCALLS, /* of these, those that are system calls */
	F_ERRORS,
	F_READS, /* system calls that read */
	F_WRITES,
	F_READ, /* bytes that they read */
	F_WRITTEN,
	F_LIB_READ, /* bytes that calls above system calls read: stdio, MPI-IO */
	F_LIB_WRITTEN,
	F_SELF, /* ns, without calls inside */
	F_MAX,	/* ns, the longest */
	F_WAITING,  /* of F_SELF: in calls that wait for others */
	F_MOVING,   /* of F_SELF: in calls that read and write */
	F_UNFINISHED,
	F_NORETURN,
	F_ABANDONED,
	F_INFERRED,
	N_COMMON,
	/* calls */
	F_TIME = N_COMMON, /* ns, with calls inside */
	F_ASKED,	   /* bytes */
	F_MOVED,
	F_MEAN, /* ns */
	F_P50,
	F_P99,
	F_SLOW, /* calls that took long: SLOW_NS */
	F_SLOW_TIME,
	N_CALL,
	/* files */
	F_OPENS = N_COMMON,
	F_OPEN_TIME, /* ns: self time of what opened it, read and wrote */
	F_READ_TIME,
	F_WRITE_TIME,
	F_SEEKS,
	F_IDLE_SEEKS, /* to where the offset was */
	F_SYNCS,
	F_LOCATED,     /* reads and writes of which the offset is known */
	F_CONSECUTIVE, /* of these, those that began where the thread's last one ended */
	F_SEQUENTIAL,  /* there or further on */
	F_READ_SIZE,   /* typical */
	F_WRITE_SIZE,
	F_HIGHEST_READ, /* offset behind the highest byte that was read */
	F_FIRST,	/* ns since the epoch: first and last use */
	F_LAST,
	N_FILE,
	/* processes and threads */
	F_PID = N_COMMON,
	F_TID,
	F_BEGIN,   /* ns since the epoch */
	F_ELAPSED, /* ns */
	F_RANK,	   /* 1 more than it; 0: none */
	F_PARENT,  /* pid of the process that forked it; 0: not in its log */
	N_THREAD,
	/* regions: F_TIME, and */
	F_ENTERED = F_TIME + 1,
	N_REGION,
};

#define SLOW_NS 100000000u

/* Sizes of transfers, by their number of bits. */
#define N_SIZES 34
struct sizes {
	uint32_t n[N_SIZES];
	uint64_t sum[N_SIZES];
};

/* Durations, four buckets to the power of two. */
#define N_TIMES 252

struct row {
	const char *key; /* unique in the table */
	size_t key_len;
	const char *name; /* what is printed */
	size_t name_len;
	const char *extra;	/* calls: family; processes: host; else NULL */
	uint64_t *times;	/* calls: N_TIMES counters */
	struct sizes *sizes[2]; /* files: of reads and writes; NULL while there are none */
	uint64_t v[];
};

enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_SECONDS, UNIT_MICROS, UNIT_DATE, UNIT_SHARE, UNIT_RANK };

struct column {
	const char *key;   /* in JSON and csv */
	const char *title; /* in text; NULL: not there */
	enum unit unit;	   /* ns where it is a time; SHARE: of F_LOCATED */
	enum field field;
	unsigned tables; /* that have it */
	unsigned quiet;	 /* of these, those that leave it out of text */
};
extern const struct column iotr_columns[]; /* ends with a NULL key */

enum table_id { BY_CALL, BY_FILE, BY_PROCESS, BY_THREAD, BY_RANK, BY_REGION, BY_SITE, N_TABLES };

struct table {
	const char *by;		  /* --by=... */
	const char *plural;	  /* JSON's key */
	const char *name, *extra; /* keys of the texts in JSON and csv */
	size_t n_fields;
	bool wanted; /* rows are to be made */
	void *tree;
	struct row **row;
	size_t n, cap;
};
extern struct table iot_tables[N_TABLES];
bool iot_column_in(const struct column *c, const struct table *t);
bool iot_column_in_text(const struct column *c, const struct table *t);

/* Memory until the end of the process. */
void *iot_stat_alloc(size_t size);
/* The row of this key, made if there is none; is_new (may be NULL) says so. */
struct row *iot_row(enum table_id id, const char *key, size_t len, bool *is_new);
/* Work out what follows from other numbers, and sort. */
void iot_rows_done(enum field by);
/* The sum of a table's rows, of the common fields and F_TIME. */
void iot_rows_total(const struct table *t, uint64_t total[N_COMMON]);

/* ---- stat-kind.c: what a kind of call does ---- */

enum does {
	DOES_OTHER,
	DOES_READ,
	DOES_WRITE,
	DOES_COPY, /* reads its descriptor, writes another */
	DOES_OPEN,
	DOES_SEEK,
	DOES_SYNC,
	DOES_CLOSE,
	DOES_WAIT, /* for others, or until a time */
	DOES_ISSUED, /* what its parameter of that name says */
};

/* What the result says about bytes. */
enum moves { MOVES_NOTHING, MOVES_RESULT, MOVES_ITEMS, MOVES_ONE, MOVES_SIZE };

struct kind { /* iotr_schema.user */
	struct row *row;
	enum does does;
	enum moves moves;
	bool positioned; /* has an offset argument: leaves the file offset alone */
	bool region;	 /* one of iotrace.h's: no call, but what calls are made in */
	bool any;	 /* syscall(2): each call may be of another, and have another row */
};
const struct kind *iot_stat_kind(const struct iotr_schema *schema);
struct row *iot_stat_row(const struct kind *kind, const struct iotr_call *call);

/* ---- stat-sum.c ---- */

/* A call, as it is added to rows. */
struct sample {
	const struct iotr_call *call;
	const struct kind *kind;
	enum does does; /* DOES_OTHER unless it succeeded */
	bool is_syscall, failed, timed, waits;
	uint64_t moved;	     /* bytes */
	uint64_t lib_moved;  /* of these, those that no call inside has in its own */
	bool opened;	     /* it opened a file, and no call inside of it did */
	uint64_t time, self; /* 0 unless timed */
};

void iot_stat_call(void *unused, const struct iotr_call *call);
/* To be called behind the last call; then iot_rows_done. */
void iot_stat_end(void);
void iot_row_add(struct row *row, const struct sample *s);

/* Programs may ask for SIZE_MAX bytes, and more than once. */
static inline uint64_t iot_sum_of_sizes(uint64_t sum, uint64_t size)
{
	return size > UINT64_MAX - sum ? UINT64_MAX : sum + size;
}

/* ---- stat-file.c, stat-site.c ---- */
void iot_file_add(const struct sample *s);
void iot_site_add(const struct sample *s);

/* ---- stat-region.c ---- */
/* Every call, and then, if it is to be counted, */
void iot_region_see(const struct iotr_call *call);
void iot_region_add(const struct sample *s);
/* Behind the last call. */
void iot_region_end(void);

/* ---- stat-facts.c: what stands out ---- */

struct fact {
	const char *kind; /* "small-writes", ... */
	const char *name; /* a path or a call; NULL: none */
	size_t name_len;
	uint64_t count, of, bytes, time; /* what they are depends on the kind */
	uint32_t pid, tid;		 /* unfinished */
};
/* A call that was in progress when its log ended. */
void iot_fact_unfinished(const struct iotr_call *call);
/* Operations that no call has ended; behind the last call. */
void iot_facts_incomplete(void);
/* All facts, the most time first. */
const struct fact *iot_facts(size_t *n);

/* What there is without looking at sums, and one more. */
const struct fact *iot_facts_so_far(size_t *n);
void iot_fact_add(struct fact f);

/* ---- stat-parts.c: between iot_stat_end and iot_rows_done ---- */

/* The sums as bytes, for iot_stat_take of the same build, */
void iot_stat_put(struct out *o);
/* which adds them to those that there are; false if they make no sense. */
bool iot_stat_take(const void *bytes, size_t size);

/* ---- stat-text.c, stat-json.c ---- */
extern struct stat_options {
	bool shown[N_TABLES]; /* --by */
	bool facts;	      /* print what stands out */
	bool human;	      /* -h */
	size_t top;	      /* --top; SIZE_MAX: all */
} iot_stat_options;
void iot_stat_text(const struct iotr_set *set);
void iot_stat_json(const struct iotr_set *set);
void iot_stat_csv(void);
/* The newest moment that the log knows of, ns since the epoch. */
uint64_t iot_log_latest(const struct iotr_log *log);

#endif
