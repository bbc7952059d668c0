/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.h - what is drawn of a job: who did what when, which bytes of a file, and from
 * which lines of the program.
 *
 *	p = iota_picture_new(a, &options);	// after iota_done
 *	... iota_picture_add(p, call) for each call of iotr_set_next ...
 *	iota_picture_end(p);
 *
 * Memory is bounded by the options, and by the threads, files and stacks that there are.  The
 * job's time is cut into bins; sums by bin count every call.  Single calls are the longest
 * ones, if there are more than wanted.
 */
#ifndef IOTA_PICTURE_H
#define IOTA_PICTURE_H

#include "analysis.h"

/* What a thread spends time on. */
enum iota_part { IOTA_READING, IOTA_WRITING, IOTA_METADATA, IOTA_SYNCING, IOTA_WAITING, IOTA_N_PARTS };
extern const char *const iota_part_names[IOTA_N_PARTS];

struct iota_picture_options {
	size_t bins;   /* of time */
	size_t calls;  /* single ones */
	size_t lanes;  /* threads; others are one lane */
	size_t files;  /* with bytes by bin */
	size_t listed; /* these are among the first ones of the table of files: of others a page has names alone */
	size_t points; /* accesses of each of these */
	size_t marks;  /* the first ones */
	size_t meetings; /* the worst ones */
	size_t arcs;	 /* operations, the longest ones */
};

/* What a thread did to a file. */
struct iota_cell {
	uint64_t calls, time, read, written; /* time: ns, of all parts, without calls inside; bytes */
};

/* Reads and writes of MPI-IO. */
enum iota_mpi { IOTA_INDEPENDENT, IOTA_COLLECTIVE, IOTA_NOT_MPI };

struct iota_transfers {
	uint64_t calls, bytes, time; /* ns, with calls inside */
};

/* A thread. */
struct iota_lane {
	const struct iotr_log *log;
	const char *host, *prog; /* NULL: not known */
	uint32_t process, pid, tid;
	uint32_t ppid; /* of the process that began the log; 0: not known */
	int rank; /* -1: none */
	bool others; /* all threads that have no lane of their own */
	size_t threads;
	uint64_t begin, end; /* ns since the epoch: of its first call, of its last one */
	uint64_t time[IOTA_N_PARTS]; /* ns */
	uint64_t *bin; /* ns, bins of the first part, of the next one ... */
	struct iota_cell *cell; /* by the file's place in file[], then of all others; NULL: of no file yet */
	struct iota_transfers mpi[2];	  /* by enum iota_mpi: calls of MPI-IO */
	struct iota_transfers beneath[2]; /* and system calls beneath them */
	uint64_t met;			  /* collective calls of MPI-IO to which all came */
	uint64_t waited;		  /* ns: in these, until the last one came */
	uint64_t last, kept_waiting;	  /* how often it was the last one; ns that others waited for it */
	uint64_t operations;		  /* of MPI-IO that it issued and that are complete */
	uint64_t in_flight, blocked;	  /* ns: of these from issue to completion, and of that in the two calls */
	/* calls in progress, the outermost first */
	struct iota_open_call {
		uint64_t end, since;
		int part;    /* enum iota_part; -1: none */
		size_t node; /* SIZE_MAX: not known */
		struct iota_cell *cell; /* NULL: it is about no file */
		enum iota_mpi mpi;	/* what it is, or is beneath */
	} *open;
	unsigned n_open, cap_open;
};

struct iota_drawn_call {
	uint64_t start, dur;
	const struct iotr_schema *schema;
	size_t file; /* number of the row in the table of files; SIZE_MAX: none */
	size_t node; /* where it was made; SIZE_MAX: not known */
	uint64_t offset, size; /* UINT64_MAX: not known */
	int64_t ret;
	uint32_t lane;
	int err;
	uint16_t depth;
	int8_t part; /* -1: none */
	bool inferred;	/* libc made it within itself: it is no call that is counted */
	bool transfers; /* its size is among the bytes that were read and written: others stand above such calls */
};

/* An access: a read or write of a file. */
struct iota_point {
	uint64_t start, offset, bytes;
	uint32_t lane;
	bool writes;
};

struct iota_drawn_file {
	size_t row; /* its number in the table of files */
	uint64_t *bin; /* bytes: read by bin, then written */
	struct iota_point *point;
	size_t n_points, every; /* each so manyeth access that had an offset; 0: there was none */
	uint64_t seen;
};

/* A file beyond those that are listed. */
struct iota_unlisted {
	size_t file; /* as of struct iota_drawn_call */
	const char *path; /* NULL: not known */
};

/* A line of text that the program left among its calls: iotrace_mark(). */
struct iota_mark {
	uint64_t start; /* ns since the epoch */
	uint32_t lane;
	char *text;
};

/* A collective call of MPI-IO: threads by when they came. */
struct iota_member {
	uint32_t lane;
	uint64_t start, dur;
};

struct iota_meeting {
	const char *call;
	size_t file;	 /* as of struct iota_drawn_call */
	uint64_t size;	 /* ranks of the communicator */
	uint64_t waited; /* ns: of all, until the last one came */
	struct iota_member *member;
	size_t n;
};

struct iota_meets {
	struct iota_meeting *meeting; /* those with the longest waits, the longest first */
	size_t n, seen;
	/* while it is made */
	struct iota_meeting *open;
	size_t n_open;
};

/* An operation that one call issued and another one completed. */
struct iota_arc {
	uint64_t issued, ended; /* ns since the epoch */
	const char *operation;	/* what was asked for, as "pread" */
	size_t file;		/* as of struct iota_drawn_call */
	uint64_t size;		/* bytes asked for */
	uint32_t lane, to;	/* of the issue, of the completion */
	int err;
};

struct iota_arcs {
	struct iota_arc *arc; /* the longest ones, by issue */
	size_t n, seen;
	void *tree; /* while it is made: what is not complete */
};

/* A line on the way to calls: a node of a tree whose root is number 0. */
struct iota_node {
	size_t parent;
	char *func, *file; /* NULL: not known */
	int line;
	/* of the calls that were made there, not further in: */
	uint64_t calls, bytes, time; /* ns, of all parts, without calls inside of them */
};

struct iota_picture {
	struct iota *a;
	struct iota_picture_options o;
	uint64_t begin, end, width; /* ns since the epoch; ns of a bin */
	uint64_t shortest;	    /* ns: single calls last so long or longer; 0: all are there */
	uint64_t seen;		    /* calls */
	uint64_t *bin;		    /* bytes of all files: read by bin, then written */
	struct iota_lane *lane;
	size_t n_lanes;
	struct iota_drawn_call *call;
	size_t n_calls;
	struct iota_drawn_file *file;
	size_t n_files;
	struct iota_mark *mark;
	size_t n_marks, marks_seen;
	struct iota_meets meets;
	struct iota_arcs arcs;
	struct iota_unlisted *unlisted; /* those of calls, operations and meetings, by number */
	size_t n_unlisted;
	size_t files_seen; /* all that the table of files has; what is of no file is none */
	struct iota_node *node;
	size_t n_nodes;
	/* while it is made */
	void *lanes, *stacks, *nodes;
	size_t *row, n_rows; /* by number of a row: its place in the table of files */
	size_t *drawn;	     /* by place: 1 more than its place in file[], or 0 */
	struct iota_lane *last;
	void **kept; /* what names point into, if they are no log's */
	size_t n_kept;
};

struct iota_picture *iota_picture_new(struct iota *a, const struct iota_picture_options *o);
/* In the order of iotr_set_next. */
void iota_picture_add(struct iota_picture *p, const struct iotr_call *call);
void iota_picture_end(struct iota_picture *p);
void iota_picture_free(struct iota_picture *p);

#endif
