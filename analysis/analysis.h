/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analysis.h - what calls add up to, and what stands out in them.
 *
 *	struct iota *a = iota_new(&options);
 *	iotr_set_scan(set, on_call, a);		// which hands each to iota_call
 *	iota_end(a);
 *	iota_done(a, IOTA_F_SELF);
 *	... iota_table(a, IOTA_BY_FILE), iota_findings(a, &n) ...
 *	iota_free(a);
 *
 * Every call is added to one row of each table that is wanted: the row of its kind, its
 * file, its process, thread, region and call site.  A row is a list of numbers.  The columns
 * (columns.c) say once, for all formats, what the numbers are called and how they are printed.
 * Nothing here prints.
 *
 * So that sums are sums:
 *  - Bytes, reads and writes are those of system calls.  Bytes that went through stdio
 *    and the like are counted apart (lib_), in the lowest such call.
 *  - `self` is a call's time without that of the calls inside it.  Over any set of rows,
 *    self adds up to the time in which a thread had at least one call in progress.
 *
 * Rows, columns and findings belong to the struct iota, and live as long as it.  Some of
 * their names belong to the logs.  Times are in ns, moments in ns since the epoch.
 * Threads may use different structs iota at once, each with logs of its own.
 */
#ifndef IOTA_ANALYSIS_H
#define IOTA_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iotrace/read.h"

/* ---- bytes.c: bytes that grow ---- */

struct iota_bytes {
	char *p;
	size_t len, cap;
};
void iota_bytes_add(struct iota_bytes *b, const void *p, size_t n);
void iota_bytes_text(struct iota_bytes *b, const char *text);
/* Adds 200 bytes at most. */
void iota_bytes_format(struct iota_bytes *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- hash.c ---- */

/* Of bytes; another one in each process. */
uint64_t iota_hash(const void *bytes, size_t len);

/* ---- tables ---- */

#include "row-fields.h" /* enum iota_field */

/* What was asked of a file. */
enum iota_trait {
	IOTA_TRAIT_SYNCED = 1, /* it was opened so that each write waits for the disk */
	IOTA_TRAIT_RANDOM = 2, /* reads were said to come in no order */
	IOTA_TRAIT_VIEWED = 4, /* ranks have a view of MPI's in which a part may be several pieces */
	IOTA_TRAIT_CB_READ = 8, /* hints of MPI's ask for collective buffering of all reads */
	IOTA_TRAIT_CB_WRITE = 16, /* the same of all writes */
	IOTA_TRAIT_DIRECT = 64, /* it was opened so that transfers go past the page cache */
	IOTA_TRAIT_COPIED = 128, /* the kernel copied it to another file */
	IOTA_TRAIT_APPENDED = 32, /* it was opened so that each write goes to its end */
	IOTA_TRAIT_ANNOUNCED = 256, /* parts were said to be read soon */
	IOTA_TRAIT_PAGED = 512, /* its mapped pages were said to be touched in no order */
};

/* Durations, four buckets to the power of two. */
#define IOTA_N_TIMES 252

/* What few files have. */
struct iota_rare {
	uint64_t removed; /* when its name was last removed, ns since the epoch */
	uint64_t gone;	  /* when the name was first taken away, ns; 0: never */
	uint64_t stays;	  /* transfers of a line that comes back to where it was; of several such lines, the most */
	struct iota_movers {
		size_t n;
		uint32_t process[];
	} *more[2]; /* processes besides mover that read, and that wrote, each once; NULL: there are none */
	struct iota_row *same;	    /* the row that has this one's sums; NULL: itself */
	struct iota_row *other;	    /* another name of it, and so on; NULL: no more */
	struct iota_detail *detail; /* all about it; NULL: nobody asked */
};

/* A job may have many files: for a million of them, 8 bytes here are 8 MB. */
struct iota_row {
	const char *key;  /* unique in the table */
	const char *name; /* what is printed */
	uint32_t key_len, name_len;
	const char *extra; /* calls: family; processes, files: host; else NULL */
	uint64_t *v;	   /* its numbers; of a file's, iota_number tells them: see rows.c */
	uint32_t number;   /* in the table: from 1 on, as it was made */
	bool several : 1;  /* files: several files had the name, one after the other */
	unsigned char movers : 4; /* files: 1 and 2: several processes read, and wrote; 4 and 8: threads */
	unsigned char buffering : 3; /* files: 1 << mode of setvbuf(), as it was set */
	uint16_t traits;	 /* files: bits of enum iota_trait */
	union {
		struct { /* files */
			struct iota_packed *packed;    /* its numbers, as long as v is NULL */
			const struct iota_rare *rare; /* never NULL: see iota_rare_of */
			struct iota_sizes *sizes[2];   /* of reads and writes, see sizes.c; NULL while there are none */
			struct iota_owned *seen[2];    /* which bytes were read, and written, by the process of
							  which number; NULL while there are none */
			struct iota_spot *spots;       /* what lines of the program do to it; while calls are added, the
							  last of them */
			uint32_t closed, known;	       /* see iota_closed, iota_closed_unknown */
			uint64_t placed[2];	       /* bytes that were read, and written, at offsets that are known */
			uint64_t dev, ino;	       /* of the name; ino 0: not known */
			uint64_t reached;	       /* the name was one of a file by then: when a call was back that
							  did not fail, ns since the epoch; 0: none did */
			uint32_t mode;		       /* type bits of st_mode; 0: not known */
			uint32_t mover[2];     /* number of the process that read, and wrote, at any layer */
			uint32_t mover_tid[2]; /* the same of threads */
			uint32_t runs[2];      /* how many runs of the program read, and wrote; 0, 1: one, see runs.c */
			uint32_t opener;       /* number of the process that opened it last */
			uint32_t opened;       /* how often that process did */
			uint32_t most_opened;  /* how often the process did that opened it most often */
		};
		struct { /* others */
			uint64_t *times; /* calls: IOTA_N_TIMES counters */
			char *when; /* ranks: in which intervals they were in I/O; NULL: in none, or not known */
			struct iota_team {
				uint64_t begins; /* the function with which threads begin that other threads create */
				uint64_t n;	 /* how many such threads there are */
				uint64_t mixed;	 /* not all of them begin with the same function */
				uint64_t user;	 /* ns of processors, of all processes of the log, outside of the kernel */
			} team; /* processes */
		};
	};
};
/* One of a row's numbers. */
uint64_t iota_number(const struct iota_row *row, enum iota_field f); /* rows.c */

enum iota_table_id {
	IOTA_BY_CALL,
	IOTA_BY_FILE,
	IOTA_BY_PROCESS,
	IOTA_BY_THREAD,
	IOTA_BY_RANK,
	IOTA_BY_REGION,
	IOTA_BY_SITE,
	IOTA_N_TABLES
};
#define IOTA_IN(table) (1u << (table))
#define IOTA_FINDINGS IOTA_IN(IOTA_N_TABLES) /* no table: what stands out */

/* Rows by their keys: hash.c. */
struct iota_keys {
	struct iota_keyed {
		struct iota_row *row; /* NULL: the place is empty */
		uint64_t hash;
	} *row;
	size_t n, size; /* size: a power of two */
};

/* What all analyses' tables of a kind have in common. */
struct iota_shape {
	const char *by;		  /* --by=... */
	const char *plural;	  /* JSON's key */
	const char *name, *extra; /* keys of the texts in JSON and csv */
	size_t n_fields;
};
extern const struct iota_shape iota_shapes[IOTA_N_TABLES]; /* rows.c */

struct iota_table {
	enum iota_table_id id;
	const struct iota_shape *shape;
	bool wanted; /* it is to have rows */
	struct iota_keys keys;
	struct iota_row **row;
	size_t n, cap;
};

/* ---- columns.c ---- */

enum iota_unit {
	IOTA_UNIT_COUNT,
	IOTA_UNIT_BYTES,
	IOTA_UNIT_SECONDS,
	IOTA_UNIT_MICROS,
	IOTA_UNIT_DATE,
	IOTA_UNIT_SHARE,
	IOTA_UNIT_PERCENT, /* hundredths of a percent */
	IOTA_UNIT_RANK
};

/* How the numbers of two parts of a job become one. */
enum iota_merge {
	IOTA_MERGE_NONE, /* not at all: the number follows from others, see iota_done */
	IOTA_MERGE_SUM,
	IOTA_MERGE_SIZES, /* the sum, or as much as 64 bits hold */
	IOTA_MERGE_MAX,
	IOTA_MERGE_FIRST, /* the lesser one that is not 0 */
};

struct iota_column {
	const char *key;     /* in JSON and csv */
	const char *title;   /* in text; NULL: not there */
	enum iota_unit unit; /* ns where it is a time */
	enum iota_merge merge;
	enum iota_field field;
	unsigned tables;    /* bits: which tables have it */
	unsigned quiet;	    /* bits: which of these leave it out of text */
	enum iota_field of; /* SHARE: of what */
};
extern const struct iota_column iota_columns[]; /* ends with a NULL key */
bool iota_column_in(const struct iota_column *c, const struct iota_table *t);
bool iota_column_in_text(const struct iota_column *c, const struct iota_table *t);
/* The column's value in a row, as JSON and csv have it; false: they have none. */
bool iota_column_value(const struct iota_column *c, const struct iota_row *row, uint64_t *v);

/* ---- kind.c: what a kind of call does ---- */

enum iota_does {
	IOTA_DOES_OTHER,
	IOTA_DOES_READ,
	IOTA_DOES_WRITE,
	IOTA_DOES_COPY, /* reads its descriptor, writes another */
	IOTA_DOES_OPEN,
	IOTA_DOES_SEEK,
	IOTA_DOES_SYNC,
	IOTA_DOES_CLOSE,
	IOTA_DOES_REMOVE, /* a name of a file */
	IOTA_DOES_WAIT,	  /* for others, or until a time */
	IOTA_DOES_START,  /* begins or ends the use of a library, which is no I/O */
	IOTA_DOES_ISSUED, /* what its parameters say: issued, of Fortran's, or operation */
	IOTA_DOES_ENTER,  /* gives a ring its requests, or waits for them if there are none */
	IOTA_DOES_FAULT,  /* touches a page of a mapped file that is not there: no call */
	IOTA_DOES_END,	  /* reads or writes, by the end of a pipe: IOTR_KIND_READEND */
	IOTA_N_DOES
};

/* What the result says about bytes. */
enum iota_moves {
	IOTA_MOVES_NOTHING,
	IOTA_MOVES_RESULT,
	IOTA_MOVES_ITEMS,
	IOTA_MOVES_ONE,
	IOTA_MOVES_WORD, /* an int */
	IOTA_MOVES_SIZE
};

/* What a call does, by its name: does= of its row in table/. */
struct iota_effect {
	enum iota_does does;
	enum iota_moves moves;
	bool writes; /* it writes what it moves; else it reads */
	bool others; /* it waits for others, who send or receive the bytes */
};
struct iota_effect iota_effect(const char *call);
/* Names of all calls that do so, whatever the log: *at is 0 at first; NULL behind the last. */
const char *iota_call_that(enum iota_does does, size_t *at);
/* Whether the system call of that name and family has the kernel read and write for the program without a
   record of what. */
bool iota_unseen_begins(const char *name, const char *family);
/* Bits: what rules take a call for, by is= and other attributes of its row in table/. */
enum iota_role {
	IOTA_ASKS = 1 << 0,	 /* about a file, but for none of its bytes */
	IOTA_INQUIRES = 1 << 1,	 /* a statement of Fortran that may ask so */
	IOTA_ALTERS = 1 << 2,	 /* what is known of a file, but not its bytes */
	IOTA_MAKES = 1 << 3,	 /* a name that was not there */
	IOTA_UNNAMES = 1 << 4,	 /* may take a name away from a file */
	IOTA_RESIZES = 1 << 5,
	IOTA_STARTS = 1 << 6,	 /* a program, in a process of its own */
	IOTA_EXECS = 1 << 7,	 /* a program, in this process */
	IOTA_FORKS = 1 << 8,
	IOTA_AWAITS = 1 << 9,	 /* the end of a program */
	IOTA_POLLS = 1 << 10,	 /* asks of which descriptors something can be had */
	IOTA_MOVES_STREAM = 1 << 11, /* fseek() and its like */
	IOTA_WALKS = 1 << 12,	     /* goes through a directory as a whole */
	IOTA_ADVISES = 1 << 13,	     /* says how a file will be read */
	IOTA_ADVISES_PAGES = 1 << 14 /* says so of a file's pages in memory */
};
unsigned iota_roles(const char *call);
/* Whether the name is one of these.  A NULL ends them. */
bool iota_is_one_of(const char *const *names, const char *name);

/* ---- param.c: what arguments say ---- */
/* If the call is the request or the completion of an asynchronous operation: the name of the call that
   would do the same.  NULL: it is neither. */
const char *iota_operation(const struct iotr_call *call);
/* Whether request and completion are all that is on record of the call's operation. */
bool iota_is_queued(const struct iotr_call *call);
/* The number in the call's parameter of that kind; 0: there is none. */
uint64_t iota_word(const struct iotr_call *call, enum iotr_kind kind);
/* The call's first parameter of that kind; NULL: it has none. */
const struct iotr_value *iota_value(const struct iotr_call *call, enum iotr_kind kind);

/* Of IOTR_KIND_ACCESS */
#define IOTA_ACCESS_MAJOR 8u

/* ---- ops.c: operations that have not ended when all calls have been seen ---- */

struct iota_op {
	const struct iotr_log *log;
	uint32_t process;	      /* its number */
	const struct iotr_path *path; /* NULL: not known */
	const char *call;	      /* that began it */
	const char *family;	      /* each has numbers of its own */
	uint64_t number, start, offset, size, ticks;
	uint32_t stack, pid; /* with log, process and ticks: from where it was begun */
	bool has_offset, has_size;
	bool begun, wanted;
	bool unseen; /* only memory of the program's shows its end, and that may be gone */
};

/* All zeroes at first. */
struct iota_ops {
	void *tree;	      /* requests and completions whose other half has not come */
	void *ended;	      /* ends that are to be collected, and collections, whose other half has not come */
	struct iota_op *left; /* what the trees have in the end */
	size_t n_left;
	struct iota_op *uncollected;
	size_t n_uncollected;
};
/* To be called for every call, in any order.  wanted: the call is to be listed. */
void iota_ops_see(struct iota_ops *ops, const struct iotr_call *call, bool wanted);
/* After the last call, while the logs are there: operations that have not ended, and ends that nobody has
   collected, by their start. */
const struct iota_op *iota_ops_left(struct iota_ops *ops, size_t *n);
const struct iota_op *iota_ops_uncollected(struct iota_ops *ops, size_t *n);
void iota_ops_free(struct iota_ops *ops);

/* ---- judge.c, findings.c, words.c: what stands out ---- */

enum iota_severity {
	IOTA_INFO,  /* the sums don't tell it */
	IOTA_COST,  /* time that need not be spent */
	IOTA_FAULT, /* the program does what it should not */
};
const char *iota_severity_name(enum iota_severity severity); /* "info", "cost", "fault" */

/* What a rule is handed, one after the other. */
enum iota_over {
	IOTA_OVER_FILES, /* rows of these tables */
	IOTA_OVER_CALLS,
	IOTA_OVER_LINES,      /* lines of the program, with what they do to files: groups */
	IOTA_OVER_ALL,	      /* nothing, once, when all rows are there */
	IOTA_OVER_FINDINGS,   /* nothing, once, behind all rules above: the rule looks at their findings */
	IOTA_OVER_LOGS,	      /* nothing, behind the last call, while the logs are there */
	IOTA_OVER_UNFINISHED, /* calls that were in progress when their log ended */
};

struct iota;
struct iota_rule;
struct iota_evidence {
	const struct iota_row *row;
	const struct iotr_call *call;
	const struct iota_group *group;
};
typedef void iota_judge_fn(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e);

/* How many of a spot's calls the rule is about. */
struct iota_spot;
typedef uint64_t iota_weigh_fn(const struct iota_rule *rule, const struct iota_spot *spot);

/* The language of a line, as far as the remedy depends on it: C++ if its streams make the calls, Fortran,
   Python.  Code in any other may call libc, as C does. */
enum iota_language { IOTA_C, IOTA_CXX, IOTA_FORTRAN, IOTA_PYTHON, IOTA_N_LANGUAGES };

/* A kind of finding: the row of a file of rules/. */
struct iota_rule {
	const char *id; /* "small-writes", ...: by the name of its file */
	enum iota_severity severity;
	enum iota_over over;
	/* thresholds; what they mean .when says; 0: the rule does not have it */
	uint64_t least, share /* percent */, size /* bytes */, factor, time /* ns */;
	bool off;	    /* it does not judge */
	bool joins;	    /* findings of the same name are one */
	bool repeats;	    /* one call alone is no finding: the line to look at has the loop */
	bool sockets;	    /* it judges sockets, too, */
	bool system;	    /* and files of the system that a line of the program does not find */
	bool is_cause;	    /* its findings come before what costs most, which may be due to them */
	bool light;	    /* it judges lines of any weight: .least is the least of something else */
	unsigned does;	    /* IOTA_OVER_LINES: it is about lines that do one of these, IOTA_THAT(READ) | ...; 0: whatever they do */
	unsigned roles;	    /* and about calls that have one of these, IOTA_ASKS | ...; 0: whatever they have */
	bool (*calls)(const char *call); /* and about calls of these names; NULL: whatever they are called */
	const char *title;  /* in a few words */
	const char *says;   /* see iota_words */
	/* for iota_words_of_rule: what the estimate of what is saved takes for granted; what it
	   takes for a finding; what is to be done about it */
	const char *assumes, *when, *remedy;
	const char *remedy_in[IOTA_N_LANGUAGES]; /* in words of that language; NULL: as in any other */
	iota_judge_fn *judge;
	iota_weigh_fn *weigh; /* IOTA_OVER_LINES */
};
/* All rules of an analysis, in the order in which they judge; a NULL id ends them. */
const struct iota_rule *iota_rules(const struct iota *a);

/* A rule of the analysis, which may be changed before its first call; NULL: there is none of
   that id. */
struct iota_rule *iota_rule(struct iota *a, const char *id);

/* A threshold that rules have: its name, unit and limits.  Thresholds are numbered from 0 on. */
struct iota_threshold {
	const char *name; /* NULL: behind the last one */
	enum iota_unit unit;
	uint64_t min, max;
};
struct iota_threshold iota_threshold(unsigned n);
uint64_t *iota_threshold_of(struct iota_rule *rule, unsigned n); /* its value is 0 if the rule does not have it */

struct iota_finding {
	const struct iota_rule *rule;
	const char *name; /* a path or a call; NULL: none */
	size_t name_len;
	const char *call;		 /* the kind of call that shows it; NULL: of several */
	const char *also;		 /* another one; NULL: none */
	uint64_t count, of, bytes, time; /* what these are depends on the rule */
	uint64_t calls, files;		 /* how many it is about */
	bool below;			 /* the name is that of the directory that all files are below */
	bool by_ranks;			 /* the processes that it is about are ranks of MPI */
	uint64_t others;		 /* files that have other names; 0 if the name is of no file */
	uint64_t saves[2];		 /* ns of the run: at least and at most; 0: not known */
	uint64_t threads;		 /* which threads make its calls: bits of their numbers; 0: not known */
	double at_once;			 /* threads that do it at the same time; 0: all were thought of */
	uint64_t longest;		 /* ns, of its calls */
	uint64_t statements;		 /* of Fortran, which are, or have, its calls */
	uint64_t by_library;		 /* ns, at most, of saves[1]: what a library does between its calls */
	enum iota_does does;		 /* what they do */
	const struct iota_chain *chain;	 /* from where they were made; NULL: not known */
	unsigned level;			 /* in that, of the line to look at */
	uint32_t pid, tid;		 /* unfinished */
	const struct iota_finding *added_up; /* count of them, of which this is the sum; NULL: it is a sum of none */
};

/* A line of the program on the way to a finding's calls; number f->level is the one to look
   at, those before it lie within functions that it calls. */
struct iota_line {
	const char *func, *file; /* NULL: not known */
	const char *module;	 /* of the code */
	int line;
	uint64_t offset; /* in the module, if there is no line */
};
/* The length of a function's name without its parameters, its qualifiers, and what GCC adds to the name of a copy:
   text leaves these out. */
size_t iota_name_length(const char *func);
/* The name of a Fortran procedure in a module, without the module's; any other name as it is. */
const char *iota_name_proper(const char *func);
size_t iota_lines(const struct iota_finding *f); /* 0: none is known */
struct iota_line iota_line(const struct iota_finding *f, size_t n); /* innermost first */

/* Writes a number of bytes: as "5 bytes", or in another way. */
typedef void iota_words_fn(struct iota_bytes *to, uint64_t bytes);
iota_words_fn iota_words_bytes;
/* The finding's sentence, without its name. */
void iota_words(struct iota_bytes *to, const struct iota_finding *f, iota_words_fn *bytes);
/* What is to be done about a finding, in words for the language of its line.  What the estimate of the time
   saved takes for granted, "" if nothing. */
void iota_words_of_remedy(struct iota_bytes *to, const struct iota_finding *f);
void iota_words_of_assumption(struct iota_bytes *to, const struct iota_finding *f);
/* One of the rule's texts, with its thresholds for what is in braces. */
void iota_words_of_rule(struct iota_bytes *to, const struct iota_rule *rule, const char *text);

/* ---- an analysis ---- */

/* Called when memory is out; does not return.  It is abort() unless a tool sets it. */
extern void (*iota_no_memory)(void);

/* wanted: which tables, IOTA_IN(IOTA_BY_CALL) | ..., and IOTA_FINDINGS, which needs the table of files */
struct iota *iota_new(unsigned wanted);
void iota_free(struct iota *a);

/* To be called for every call in the order of iotr_set_scan.  wanted: the call is to be counted; others only
   say what it was made in. */
void iota_call(struct iota *a, const struct iotr_call *call, bool wanted);
/* Behind the last call; then iota_done. */
void iota_end(struct iota *a);

/* Between iota_end and iota_done: the sums as bytes, for iota_take of the same build. */
void iota_put(const struct iota *a, struct iota_bytes *to);
/* which adds them to those that there are; false if they make no sense.  Those of another version
   leave everything as it was. */
bool iota_take(struct iota *a, const void *bytes, size_t size);

/* Works out the numbers that follow from others, and sorts rows by that field. */
void iota_done(struct iota *a, enum iota_field by);
const struct iota_table *iota_table(const struct iota *a, enum iota_table_id id);
/* The sum of a table's rows, of the common fields. */
void iota_total(const struct iota *a, enum iota_table_id id, uint64_t total[IOTA_N_COMMON]);
/* IOTA_F_UNDIVIDED of all calls. */
uint64_t iota_undivided(const struct iota *a);
/* All findings, the most time first; none unless they were wanted. */
const struct iota_finding *iota_findings(struct iota *a, size_t *n);

/* A bit of what iota_new is told to be wanted: constellations (sharing.h). */
#define IOTA_CONSTELLATIONS (IOTA_FINDINGS << 1)
/* Another one: rows of several names of one file become one.  All calls have to come, since the kernel uses a
   removed file's inode again. */
#define IOTA_NAMES (IOTA_FINDINGS << 2)

/* The newest moment that the log knows of, ns since the epoch. */
uint64_t iota_log_latest(const struct iotr_log *log);

/* ---- job.c: all processes together ---- */

struct iota_share {
	const struct iota_row *row; /* a rank, process or thread; NULL: there is only one */
	double io;		    /* the part of its threads' time that was I/O */
};

struct iota_job {
	uint64_t begin, end; /* ns since the epoch */
	uint64_t wall; /* ns: for so long there was a process */
	uint32_t runs; /* with nothing between them, see runs.c */
	size_t programs /* different ones */, hosts, processes, ranks, threads;
	uint64_t lived; /* ns: how long each thread was there, added up */
	/* the rank, else the process, else the thread that was most, and least, in I/O */
	enum iota_table_id members;
	struct iota_share most, least;
};
/* After iota_done.  Ranks and threads are there only if their tables were wanted. */
struct iota_job iota_job(const struct iota *a);

#endif
