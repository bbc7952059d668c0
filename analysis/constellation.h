/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constellation.h - who shares which bytes of a file with whom: what is gathered from calls
 * (accesses.c, events.c), what comes before what (order.c), and what follows (constellation.c).
 *
 * A task is a thread of a process, a client a process.  A run is what a task read or wrote in
 * one go: accesses that follow each other, each beginning where the one before ended, without
 * anything between them that might order them.
 */
#ifndef IOTA_CONSTELLATION_H
#define IOTA_CONSTELLATION_H

#include <sys/stat.h>

#include "sharing.h"
#include "spots.h"

#define IOTA_NO_RUN UINT32_MAX

/* A file's bounds: of runs that one task has of it, above which neighbours are joined whatever
   the order in which they came; and above which accesses are only counted. */
#define IOTA_RUNS_EXACT 65536
#define IOTA_RUNS_MOST (1u << 21)
/* Threads beyond which it is not worked out what orders them; and ranges of a file's locks. */
#define IOTA_MOST_TASKS 4096
#define IOTA_MOST_RANGES 4096

/* What a call means for who shares a file with whom: shares= of its row in table/. */
enum iota_shares {
	IOTA_SHARES_NOTHING,
	IOTA_SHARES_LOOKS,
	IOTA_SHARES_CHANGES,
	IOTA_SHARES_MAPS,
	IOTA_SHARES_UNSEEN,
	IOTA_SHARES_CLOSES,
	IOTA_SHARES_FORK,
	IOTA_SHARES_WAIT,
	IOTA_SHARES_EXEC,
	IOTA_SHARES_EXIT,
	IOTA_SHARES_CREATE,
	IOTA_SHARES_THREAD_START,
	IOTA_SHARES_THREAD_END,
	IOTA_SHARES_FCNTL,
	IOTA_SHARES_LOCKF,
	IOTA_SHARES_FLOCK,
	IOTA_SHARES_ALL_MEET,
	IOTA_SHARES_MAY_MEET,
	IOTA_SHARES_FROM_ROOT,
	IOTA_SHARES_TO_ROOT,
	IOTA_SHARES_SEND,
	IOTA_SHARES_RECEIVE,
};

/* Something that a task does, or that happens to it, by which others' accesses come before or
   behind its own.  Releases count from time on, acquisitions from end on. */
enum iota_event_what {
	IOTA_RELEASE,
	IOTA_ACQUIRE,
	IOTA_ALL_MEET,	/* a collective call that nobody leaves before all have come */
	IOTA_MAY_MEET,	/* the same, if times say so */
	IOTA_FROM_ROOT, /* one that nobody leaves before the root has come */
	IOTA_TO_ROOT,	/* one that the root does not leave before all have come */
};

struct iota_event {
	uint64_t time, end;
	uint64_t key; /* of what it is about: releases go to acquisitions of the same */
	uint64_t low, high;	 /* of a range that is locked; else of all there is */
	uint32_t size;		 /* collective: processes that take part */
	unsigned char what;	 /* enum iota_event_what */
	unsigned char order;	 /* enum iota_order */
	bool shared;		 /* a lock that several may have */
	bool by_client;		 /* a lock that does not hold among a process's threads */
	bool root;		 /* collective */
};

struct iota_client {
	const char *key;
	size_t key_len;
	const char *host;
	uint32_t number, pid;
	int rank;
	bool exits;
	uint64_t end; /* when it ended, and its descriptors were closed; 0: not known */
};

struct iota_task {
	const char *key;
	size_t key_len;
	struct iota_client *client;
	uint32_t number, tid;
	uint64_t first, last;	/* of its calls: begin and end */
	uint64_t created_at;	/* thread_start; 0: the process's first thread */
	uint64_t created_key;	/* order.c: of the event that made it */
	uint64_t ended_at;	/* thread_end; 0: not known */
	struct iota_event *event;
	size_t n, cap;
};

/* Opens, closes and syncs of a file. */
enum iota_mark_what { IOTA_MARK_OPEN, IOTA_MARK_CLOSE, IOTA_MARK_SYNC };
struct iota_mark {
	uint64_t start, end;
	uint32_t client; /* number */
	enum iota_mark_what what;
};

struct iota_run {
	uint64_t start, end;  /* offsets */
	uint64_t first, last; /* begin of the first access, end of the last */
	uint32_t task, site, events, marks;
	uint32_t epoch; /* order.c */
	bool writes, appends;
};

/* Where a task read and wrote in a file, as time went on; see seeks.h. */
struct iota_trail {
	uint64_t at; /* where the last access ended */
	uint64_t first; /* read, or mapped; ns since the epoch; UINT64_MAX: never */
	uint64_t mapped, unknown, seeks, back, distance, ranges;
	struct iota_range *range;
	size_t n, cap;
	bool writes; /* the last access does */
};

/* What a task did to a file. */
struct iota_member {
	uint32_t task;
	uint64_t calls[2], bytes[2]; /* reads, writes */
	struct iota_trail *trail;    /* NULL: it is not wanted, or there is none */
};

/* How often. */
enum iota_seen {
	IOTA_SEEN_LOOKED, /* calls that read metadata, and that change it */
	IOTA_SEEN_CHANGED,
	IOTA_SEEN_UNKNOWN, /* reads and writes of which it is not known where */
	IOTA_SEEN_MAPPED,
	IOTA_SEEN_LOCKS,
	IOTA_SEEN_SYNCS,
	IOTA_SEEN_COLLECTIVES,
	IOTA_SEEN_LEFT_OUT, /* accesses, beyond the bound */
	IOTA_SEEN_JOINED,   /* runs */
	IOTA_N_SEEN
};

struct iota_piece_node;
struct iota_sharing_file {
	const char *key;
	size_t key_len;
	bool has_inode;
	size_t inode_len; /* of the key: what all names of a file have in common */
	const struct iota_sharing_file *in; /* the one that it turned out to be; NULL */
	const char **name;
	size_t n_names, cap_names;
	struct iota_run *run;
	size_t n, cap;
	struct iota_mark *mark;
	size_t n_marks, cap_marks;
	struct iota_member *member;
	size_t n_members, cap_members;
	uint64_t v[IOTA_N_SEEN];
	/* while calls are added: of the thread that is being read */
	uint32_t task;
	size_t begun; /* its first run */
	size_t limit;
	uint32_t generation; /* runs have moved */
	struct iota_event *held; /* locks, of the task of that number */
	uint32_t holder;
	size_t n_held, cap_held;
	/* while accesses are put in their order */
	struct iota_constellation *result;
	bool rereads;	   /* some task may have read some bytes twice */
	struct iota_piece_node *pieces;
	uint64_t reached;  /* by writes */
	uint32_t last;	   /* run that did */
};

/* From where accesses are made. */
struct iota_access_site {
	const char *call;
	struct iota_chain *chain; /* NULL: not known */
	/* until the chain is known */
	struct iotr_log *log;
	uint32_t stack, process, pid, number;
	uint64_t ticks, since; /* since: see iotr_call_since */
};

struct iota_sharing {
	struct iotr_notes *notes; /* of paths and descriptors */
	void *files, *tasks, *clients, *sites, *opened, *counters; /* trees */
	struct iota_sharing_file **file;
	size_t n_files, cap_files;
	struct iota_task **task;
	size_t n_tasks, cap_tasks;
	struct iota_client **client;
	size_t n_clients, cap_clients;
	struct iota_access_site **site;
	size_t n_sites, cap_sites;
	/* the thread that is being read, and the last of its accesses' sites */
	struct iota_task *now;
	const struct iotr_log *log;
	uint32_t process, pid, tid;
	struct iota_access_site *last_site;
	bool constellations, trails; /* what is wanted */
	/* what comes out */
	struct iota_constellation *result;
	size_t n_results;
	bool too_many_tasks, too_many_ranges;
	struct iota_seeks *seeks;
	size_t n_seeks, cap_seeks;
	struct iota_first_read *first_read;
	size_t n_first_reads, cap_first_reads;
};

/* ---- sharing.c ---- */
/* By the type bits of st_mode; 0: they are not known. */
static inline bool iota_maybe_file(uint32_t mode)
{
	return !mode || S_ISREG(mode);
}
struct iota_sharing *iota_sharing_new(bool constellations, bool trails);
void iota_sharing_free(struct iota_sharing *s);
struct iota_task *iota_task_of(struct iota *a, const struct iotr_call *call);
/* What path and call are about; NULL if that is no file. */
struct iota_sharing_file *iota_sharing_path(struct iota *a, const struct iotr_log *log,
					    const struct iotr_path *path);
struct iota_sharing_file *iota_sharing_file_of(struct iota *a, const struct iotr_call *call);
/* Of these keys; made if they are not there. */
struct iota_sharing_file *iota_sharing_file(struct iota *a, const char *key, size_t len);
struct iota_sharing_file *iota_sharing_find(struct iota *a, const char *key); /* NULL: none */
/* All that is known of the one becomes the other's. */
void iota_sharing_join(struct iota_sharing_file *f, struct iota_sharing_file *other);
struct iota_client *iota_client(struct iota *a, const char *key, size_t len);
struct iota_task *iota_task(struct iota *a, const char *key, size_t len, struct iota_client *c);
void iota_sharing_name(struct iota *a, struct iota_sharing_file *f, const char *name, size_t len);
struct iota_access_site *iota_access_site(struct iota *a); /* another one */
uint32_t iota_access_site_of(struct iota *a, const struct iotr_call *call); /* its number */
/* What the task does to the file: none yet, if it is new */
struct iota_member *iota_member(struct iota_sharing_file *f, uint32_t task);
/* Behind the last call: sites have their chains. */
void iota_access_end(struct iota *a);

/* ---- accesses.c ---- */
void iota_access_add(struct iota *a, const struct iota_sample *s);

/* ---- seeks.c ---- */
/* An access of the task, at a known place, or not; a mapping. */
void iota_trail_add(struct iota_member *m, const struct iota_sample *s, bool writes);
void iota_trail_unknown(struct iota_member *m, const struct iotr_call *call, bool writes);
void iota_trail_map(struct iota_member *m, const struct iotr_call *call);
void iota_trail_join(struct iota_member *m, const struct iota_trail *more);
void iota_trail_free(struct iota_trail *t);
/* When all parts are there, and names are joined. */
void iota_seeks_done(struct iota *a);
void iota_seeks_free(struct iota_sharing *s);

/* ---- events.c ---- */
/* Every call. */
void iota_event_see(struct iota *a, const struct iotr_call *call);
void iota_event_add(struct iota_task *t, struct iota_event e);
/* Locks that are held when the descriptor is closed, or the task has ended. */
void iota_event_unlock(struct iota_task *t, struct iota_sharing_file *f, uint64_t time);
/* Behind the last call: when the task began and ended. */
void iota_event_life(struct iota_task *t);
uint64_t iota_event_key(const char *what, const void *bytes, size_t n);

/* ---- order.c ---- */
struct iota_clocks;
/* All runs of those files that several tasks share, in the order of time: a task's clock then
   is what it was when the run began. */
typedef void iota_run_fn(void *arg, const struct iota_clocks *c, struct iota_sharing_file *f,
			 uint32_t run);
void iota_order_runs(struct iota *a, struct iota_sharing_file **file, size_t n, iota_run_fn *fn,
		     void *arg);
/* Between calls of fn: by what task y knows of what task x did until epoch; or nothing. */
enum iota_order iota_order_known(const struct iota_clocks *c, uint32_t y, uint32_t x,
				 uint32_t epoch);

/* ---- pieces.c ---- */

/* Bytes that have the same history since they were written last. */
struct iota_piece {
	uint64_t start, end;
	uint32_t writer;  /* run; IOTA_NO_RUN: nobody wrote them */
	uint32_t readers; /* since then: cell; IOTA_NO_RUN */
};
struct iota_reader {
	uint32_t run, next;
};
/* Those of all files' pieces; free is IOTA_NO_RUN before the first one. */
struct iota_readers {
	struct iota_reader *cell;
	size_t n, cap;
	uint32_t free;
};
typedef void iota_piece_fn(void *arg, struct iota_piece *piece);
/* fn is called for all pieces of a file within a range, in their order; gaps become pieces.
   *root: NULL at first. */
void iota_pieces_read(struct iota_readers *readers, struct iota_piece_node **root, uint64_t start,
		      uint64_t end, iota_piece_fn *fn, void *arg);
/* fn is called for those that are there; they become one piece then, written by that run. */
void iota_pieces_write(struct iota_readers *readers, struct iota_piece_node **root,
		       uint64_t start, uint64_t end, uint32_t writer, iota_piece_fn *fn, void *arg);
void iota_pieces_free(struct iota_piece_node *root);
void iota_readers_add(struct iota_readers *readers, struct iota_piece *piece, uint32_t run);
void iota_readers_remove(struct iota_readers *readers, uint32_t *at);

/* ---- constellation.c ---- */
/* When all parts are there. */
void iota_sharing_done(struct iota *a);

/* ---- sharing-names.c ---- */
/* When all parts are there, and rows of names were joined (names.c). */
void iota_sharing_names_join(struct iota *a);

/* ---- sharing-parts.c ---- */
struct iota_in;
void iota_sharing_put(const struct iota *a, struct iota_bytes *to);
void iota_sharing_take(struct iota_in *in);

#endif
