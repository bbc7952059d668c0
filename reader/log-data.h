/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log-data.h - a log that is read, and what is known of it.
 *
 * A log is read twice.  Opening it (pass 1) walks the headers of its blocks,
 * sorts them into streams, and reads only those blocks that define something or
 * may still change; if calls are to come in order, also those with records that
 * began before the block did.  Iterating (pass 2) then has of each stream one
 * block in memory, or two where they overlap in time, so that memory grows with
 * definitions, blocks and threads, not with calls.
 */
#ifndef IOTR_LOG_DATA_H
#define IOTR_LOG_DATA_H

#include "clock.h"
#include "iotrace/read.h"
#include "memory.h"

struct iotr_key {
	const char *key, *value;
	size_t len;
};

struct iotr_keys {
	struct iotr_key *key;
	size_t n, cap;
};

/* Of a set or a job with its logs, or of a log that was opened by itself. */
struct iotr_shared {
	unsigned users;
	struct iotr_calls *calls;
	struct iotr_module *modules; /* symbol.c */
	struct iotr_arena arena;     /* its names */
	bool mute;		    /* nothing is said of modules without names */
	const char *symfs;	    /* the directory that modules lie in; NULL: the root */
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
	bool header_damaged; /* or its text is */
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

/* log.c */
struct iotr_log *iotr_log_begin(struct iotr_log *log);
/* A log that may still be written, of which nothing but the header is read yet. */
struct iotr_log *iotr_log_begin_live(struct iotr_log *log);

/* say.c */
void iotr_say(struct iotr_log *log, enum iotr_severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* set-shared.c.  use: NULL makes a new one. */
struct iotr_shared *iotr_shared_use(struct iotr_shared *shared);
void iotr_shared_drop(struct iotr_shared *shared);
struct iotr_shared *iotr_set_shared(const struct iotr_set *set);

#endif
