/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace/read.h - reading iotrace logs.  Every tool is built on this library.
 *
 *	struct iotr_set *set = iotr_set_new(on_message, arg);
 *	iotr_set_add(set, "dir-or-log");
 *	while ((call = iotr_set_next(set)))
 *		...				// calls of all logs, by start
 *	iotr_set_free(set);
 *
 * Units: every time is in nanoseconds, since the epoch where it is a moment;
 * sizes and offsets are bytes.
 *
 * Ownership: what a function returns as a const pointer belongs to the log and
 * lives until the log (or its set) is freed; the one exception is struct
 * iotr_call with its values, which the next iotr_set_next overwrites.
 *
 * Errors: nothing here exits, prints or aborts because of a log's contents.
 * What is wrong with a log is told to the message function, one line each;
 * functions that return int return 0 or -1.  Where memory runs out, a function
 * returns NULL, -1 or what it returns at the end, and the message function is told,
 * IOTR_FATAL; the set is of no more use then but to be freed, see iotr_set_failed.
 *
 * Threads: different sets may be used by different threads at the same time;
 * one set, and its logs, by one thread at a time.
 *
 * Logs are read with pread(2), a block at a time, and never mapped: a log may
 * grow, shrink or change while it is read, and what has been checked must stay
 * what it was.  Of a great many logs those that were read last are open, as many as
 * half the limit of descriptors; the others are opened again by their names when
 * they are needed.
 */
#ifndef IOTRACE_READ_H
#define IOTRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "iotrace/kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- messages ---- */

enum iotr_severity {
	IOTR_NOTE = 0,	     /* worth knowing: calls that the recorder lost, a stripped module */
	IOTR_DAMAGE = 1,     /* part of the log can't be read; the rest is used */
	IOTR_FATAL = 2,	     /* the file is no log, or nothing in it can be read */
	IOTR_UNREADABLE = 3, /* the file can't be opened, or there is none */
};

/* file: the log concerned.  text: one line, no newline, without the file's name. */
typedef void iotr_message_fn(void *arg, enum iotr_severity severity, const char *file, const char *text);

/* ---- the schema of calls, as the log brings it; enum iotr_kind is in kinds.h ---- */

/* Where the value of a parameter is to be found in struct iotr_call. */
enum iotr_place {
	IOTR_AT_NONE = 0,   /* not recorded */
	IOTR_AT_HANDLE = 1, /* call->handle */
	IOTR_AT_SIZE = 2,   /* call->size */
	IOTR_AT_OFFSET = 3, /* call->offset */
	IOTR_AT_ITEMS = 4,  /* call->size / call->itemsize */
	IOTR_AT_ARG = 5,    /* call->value[index of the parameter] */
};

/* How an argument is printed, and what a word of it is: the columns "as" and "none" of
   table/kinds.def, which explains them. */
enum iotr_as {
	IOTR_AS_SIGNED = 0,
	IOTR_AS_UNSIGNED = 1,
	IOTR_AS_UINT = 2,
	IOTR_AS_HEX = 3,
	IOTR_AS_OCTAL = 4,
	IOTR_AS_SYMBOLS = 5,
	IOTR_AS_HANDLE = 6,
	IOTR_AS_PAIR = 7,
	IOTR_AS_PATH = 8,
	IOTR_AS_TEXT = 9,
	IOTR_AS_ADDRESS = 10,
	IOTR_AS_POINTER = 11,
	IOTR_AS_DEVICE = 12,
	IOTR_AS_OWNER = 13,
	IOTR_AS_OFFP = 14,
	IOTR_AS_MSECS = 15,
	IOTR_AS_SECONDS = 16,
	IOTR_AS_ELAPSED = 17,
};
enum iotr_none {
	IOTR_NONE_NEVER = 0,
	IOTR_NONE_ZERO = 1,
	IOTR_NONE_LEAST = 2,
	IOTR_NONE_ONES = 3,
};

/* Text of any sort: a word that is none is a NULL pointer. */
bool iotr_as_text(enum iotr_as as);

#define IOTR_MAX_PARAMS 24

struct iotr_param {
	const char *name;
	const char *kind_name;
	enum iotr_kind kind;
	enum iotr_place place;
	enum iotr_as as;
	enum iotr_none none;
	bool found; /* no parameter: what the call found, absent if it failed */
};

#define IOTR_CALL_CALLBACK 1u	  /* user code may run inside */
#define IOTR_CALL_HAS_SIZE 2u	  /* has a parameter that says how much was asked for */
#define IOTR_CALL_HAS_OFFSET 4u	  /* has an offset parameter */
#define IOTR_CALL_HAS_HANDLE 8u	  /* has a descriptor or stream parameter */
#define IOTR_CALL_HAS_ITEMS 16u	  /* has an itemsize parameter */
#define IOTR_CALL_OPENS 32u	  /* open(path, flags, mode), openat with a dirfd before these */
#define IOTR_CALL_COLLECTIVE 128u /* of MPI: all processes of the communicator take part */
#define IOTR_CALL_NAMED 256u	  /* has more to print than parameters: better with their names */
#define IOTR_CALL_OPS 512u	  /* begins or ends an operation that has a number */
#define IOTR_CALL_SEEKS 1024u	  /* lseek(fd, offset, whence) */
#define IOTR_CALL_UNKNOWN 64u	  /* the log does not say what this call is */

struct iotr_schema {
	unsigned id;
	const char *family;  /* "posix", "stdio", ... */
	const char *name;    /* public name: "write" */
	const char *syscall; /* kernel's name, or NULL */
	unsigned flags;	     /* IOTR_CALL_* */
	enum iotr_kind result;
	unsigned n_params;
	struct iotr_param param[IOTR_MAX_PARAMS];
	/* Logs of a set, or of a job, that have the same calls have these in common: */
	void *user;	 /* the tool's own; NULL at first */
	int mark;	 /* likewise, for its filter; 0 at first */
	uint32_t chosen; /* the library's own */
};

/* ---- what calls refer to ---- */

/* A file system. */
struct iotr_device {
	uint64_t dev;
	uint32_t type;	  /* f_type of statfs(2) */
	uint32_t blksize; /* bytes, f_bsize */
};

/* How a part of a file is striped. */
struct iotr_layout {
	uint64_t size;	   /* bytes of a stripe */
	uint64_t count;	   /* of targets */
	uint64_t first;	   /* target; ~0: not known */
	uint64_t from, to; /* offsets; to = ~0: the end */
	struct iotr_layout *next;
};

#define IOTR_UNKNOWN_SIZE UINT64_MAX
struct iotr_path {
	const char *name; /* bytes, '\0' behind them; may hold anything else */
	size_t len;
	uint64_t dev, ino; /* 0: not known */
	uint32_t mode;	   /* st_mode; 0: not known */
	uint64_t size;	   /* bytes when it was first opened, or looked at; IOTR_UNKNOWN_SIZE */
	uint32_t blksize;  /* st_blksize, bytes; 0: not known */
	const struct iotr_layout *layout; /* its stripes, in order; NULL: not known */
	int mark;			  /* the tool's own, for its filter; 0 at first */
	void *user;			  /* likewise; NULL at first */
	uint32_t chosen;		  /* the library's own */
};

struct iotr_handle {
	uint32_t id;
	int fd;			      /* -1: a stream without a descriptor */
	uint32_t mode;		      /* type bits of st_mode; 0: not known */
	const struct iotr_path *path; /* NULL: not known */
	void *user;		      /* the tool's own; NULL at first */
};

struct iotr_stack {
	uint32_t id;
	uint32_t n;
	const uint64_t *pc;	  /* return addresses, innermost first */
	void *user;		  /* the tool's own; NULL at first */
	void (*drop)(void *user); /* called before the stack is forgotten; NULL: nothing is */
};

struct iotr_map {
	uint64_t start, end, offset; /* addresses; offset in the file */
	const char *name;	     /* file */
	const unsigned char *build_id;
	size_t build_id_len;
	uint64_t since;	  /* ticks: in place of what was there until then; 0: always there */
	uint32_t process; /* that has it, and those have that it forked since */
};

/* One that wrote the log: the process that created it, or one forked from that. */
struct iotr_process {
	uint32_t number; /* unique in the log; 0: the one that created it */
	uint32_t pid;	 /* another process may have had it before */
	uint32_t parent; /* number of the one that forked it; its own: not known, or none */
	uint64_t ticks;	 /* when it was forked, or made its first call; 0: not known */
	bool maps;	 /* it has mapped files since it was forked */
	void *user;	 /* for the tool; NULL at first */
};

/* One loss.  calls that could not be recorded; reason: see iotr_loss_reason. */
struct iotr_loss {
	uint64_t calls;
	uint64_t reason;
};

/* ---- calls ---- */

enum iotr_value_type {
	IOTR_VAL_NONE = 0,   /* not in the record */
	IOTR_VAL_WORD = 1,   /* word */
	IOTR_VAL_BYTES = 2,  /* bytes, len */
	IOTR_VAL_PATH = 3,   /* path: one that the log defines */
	IOTR_VAL_HANDLE = 4, /* handle: a second descriptor */
	IOTR_VAL_PAIR = 5,   /* pair: both ends of a pipe; either may be NULL */
};

struct iotr_value {
	enum iotr_value_type type;
	uint32_t len; /* of bytes */
	union {
		uint64_t word;
		const char *bytes; /* not terminated */
		const struct iotr_path *path;
		const struct iotr_handle *handle;
		const struct iotr_handle *pair[2];
	};
};

enum iotr_status {
	IOTR_FINISHED = 0,
	IOTR_NORETURN = 1,   /* exit, exec: it did not come back */
	IOTR_ABANDONED = 2,  /* longjmp, cancellation or an exception left it */
	IOTR_UNFINISHED = 3, /* in progress when the log ended, or when it was looked at */
};

#define IOTR_HAS_SIZE 4u
#define IOTR_HAS_OFFSET 8u
#define IOTR_HAS_RET 16u
#define IOTR_HAS_CACHED 0x10000u
#define IOTR_HAS_FETCHED 0x20000u
#define IOTR_HAS_DIRTIED 0x40000u

struct iotr_call {
	struct iotr_log *log;
	const struct iotr_schema *schema; /* never NULL */
	uint64_t ticks;			  /* start, in the log's timebase */
	uint64_t start;			  /* ns since the epoch */
	uint64_t dur;			  /* ns; if unfinished: until now, 0 if that is not known;
					     meaningless if noreturn */
	uint32_t process; /* its number; a vfork()ed child has its parent's, but a pid */
	uint32_t pid, tid;
	uint32_t stream; /* of the thread, unique in the log: its calls nest */
	uint32_t level;	 /* > 0: made in a handler that interrupted the recorder, that often */
	uint32_t depth;	 /* calls in progress around this one */
	enum iotr_status status;
	bool resumed;	 /* iotr_follow_next gave it before, as unfinished */
	bool inferred;	 /* no call, but bytes that calls unseen moved within its parent's time */
	bool no_syscall; /* libc came back without schema->syscall */
	bool internal;	     /* made by libc for its own purposes */
	bool mpi_own;	     /* made by MPI for its own purposes */
	unsigned has;	     /* IOTR_HAS_*: is it there? */
	uint64_t size;	     /* bytes asked for */
	uint64_t offset;     /* absolute file offset */
	int64_t ret;
	int err;			  /* errno; 0: it did not fail */
	uint64_t itemsize;		  /* 0: not known */
	const struct iotr_handle *handle; /* NULL: none, or not known */
	const struct iotr_schema *parent; /* innermost call around it; NULL: none */
	/* Numbers of the call, and of the innermost one around it; 0: none.  In a set no two
	   calls have the same, and two readings of the same logs, added in the same order,
	   give the same, in whichever way calls are read and chosen; iotr_set_scan leaves
	   parent_id 0.  iotr_follow_next numbers calls as it gives them instead; a resumed call
	   has the number that it had. */
	uint64_t id, parent_id;
	uint32_t stack;				  /* id; 0: none */
	struct iotr_value entry;		  /* readdir: the name that it found */
	struct iotr_value value[IOTR_MAX_PARAMS]; /* by parameter; see iotr_place */
	/* With IOTRACE_CACHE: of the bytes that were read, how many were in the page cache before;
	   bytes that the kernel read from devices for the call; bytes of the page cache that
	   became dirty by it; both are there unless they are 0. */
	uint64_t cached, fetched, dirtied;
};

/* A copy, with its values and their bytes, that stays when the next call is read; NULL:
   out of memory.  What it refers to stays the log's: log, schema, parent, paths and handles
   must not be used when the log, or its set, is closed. */
struct iotr_call *iotr_call_copy(const struct iotr_call *call);
void iotr_call_free(struct iotr_call *copy);

/* ---- logs ---- */

struct iotr_log;

/* Open and index one log.  NULL if nothing can be read (which was
   reported).  Damage and losses are reported as they are found. */
struct iotr_log *iotr_log_open(const char *file, iotr_message_fn *fn, void *arg);
/* The same from memory, which must stay until the log is closed. */
struct iotr_log *iotr_log_open_mem(const void *data, size_t size, const char *name, iotr_message_fn *fn, void *arg);
void iotr_log_close(struct iotr_log *log);

const char *iotr_log_file(const struct iotr_log *log);
/* Version of the log's layout, and the pid of the process that created it. */
uint32_t iotr_log_version(const struct iotr_log *log);
uint32_t iotr_log_pid(const struct iotr_log *log);
/* Value of a key of the header text, unescaped and '\0'-terminated; NULL if it
   isn't there.  len (may be NULL): its bytes, which for cmdline include '\0'. */
const char *iotr_log_key(const struct iotr_log *log, const char *key, size_t *len);
/* Key number n of the header text, in the file's order; false behind the last.  key, value and
   len may be NULL. */
bool iotr_log_key_at(const struct iotr_log *log, size_t n, const char **key, const char **value, size_t *len);
/* Of an MPI process: its rank in MPI_COMM_WORLD, as MPI or else the launcher said; -1:
   it is none, or not known.  size (may be NULL): of MPI_COMM_WORLD, 0 = not known. */
int iotr_log_rank(const struct iotr_log *log, int *size);
/* ns since the epoch of a moment in the log's timebase.  Of a rank that measured how
   its host's clock differs from that of rank 0, it is rank 0's time, as it is in all
   that follows.  In a set, logs of one boot of a machine go by the wall clock of the one
   that was begun first, if it was set by 10 ms or more in between. */
uint64_t iotr_log_time(struct iotr_log *log, uint64_t ticks);
/* When the log was begun, and the newest moment that it tells of; ns since the epoch. */
uint64_t iotr_log_start(const struct iotr_log *log);
uint64_t iotr_log_latest(struct iotr_log *log);
/* calls that are not in the log; reason of the first */
struct iotr_loss iotr_log_lost(const struct iotr_log *log);
/* errno name or words for a reason; buf is used for numbers */
const char *iotr_loss_reason(uint64_t reason, char *buf, size_t size);
/* Calls of that kind that have no records: by them MPI looked for news. */
struct iotr_sum {
	uint64_t count, failed;
	uint64_t time; /* ns in them */
};
struct iotr_sum iotr_log_sum(struct iotr_log *log, const struct iotr_schema *schema);
/* A place for the tool's own pointer; NULL at first. */
void **iotr_log_user(struct iotr_log *log);
bool iotr_log_damaged(const struct iotr_log *log);
/* processes that recorded something, vfork()ed children among them */
size_t iotr_log_processes(const struct iotr_log *log);
/* NULL: there is none of that number; its parent, NULL: not in the log. */
const struct iotr_process *iotr_log_process(const struct iotr_log *log, uint32_t number);
const struct iotr_process *iotr_process_parent(const struct iotr_log *log, const struct iotr_process *p);
/* threads that recorded something (main threads included) */
size_t iotr_log_threads(const struct iotr_log *log);

/* The file system of a device number; NULL: not known.  The n-th, NULL behind the last. */
const struct iotr_device *iotr_log_device(const struct iotr_log *log, uint64_t dev);
const struct iotr_device *iotr_log_device_at(const struct iotr_log *log, size_t n);
/* "ext4" and the like, NULL if the type is not known. */
const char *iotr_filesystem_name(uint32_t type);
/* iotrace/used.h has what the log's threads used. */

/* The n-th kind of call of the log's schema, NULL behind the last. */
struct iotr_schema *iotr_log_schema(const struct iotr_log *log, size_t n);
struct iotr_path *iotr_log_path(const struct iotr_log *log, uint32_t id);
/* The ids of all n paths, sorted; to be freed; NULL: out of memory. */
uint32_t *iotr_log_path_ids(const struct iotr_log *log, size_t *n);
const struct iotr_handle *iotr_log_handle(const struct iotr_log *log, uint32_t id);
/* What the process had mapped there at that time; NULL: nothing that is known. */
const struct iotr_map *iotr_log_map(const struct iotr_log *log, uint32_t process, uint64_t address, uint64_t ticks);

/* ---- the log of a parallel job: those of its ranks in one file ---- */

struct iotr_job;

/* NULL: it is none, or can't be read; this was reported. */
struct iotr_job *iotr_job_open(const char *file, iotr_message_fn *fn, void *arg);
/* How many logs it has, in the order of ranks; and one of them, which is opened by
   itself, so that several processes or threads may each take a part.  (A thread needs
   an iotr_job of its own.)  NULL: it can't be read; this was reported. */
size_t iotr_job_size(const struct iotr_job *job);
struct iotr_log *iotr_job_log(struct iotr_job *job, size_t n);
/* Its logs stay open. */
void iotr_job_close(struct iotr_job *job);

/* ---- bytes, and packing ---- */

/* The pid of a process that writes it and still runs, as far as can be known here; 0: there is none. */
uint32_t iotr_log_writer(struct iotr_log *log);
/* The same for many logs, after one look at all processes; only for logs that were there
   before iotr_mapped_look was called.  NULL, for lack of memory, is as good as none: each
   log is then asked about by itself. */
struct iotr_mapped;
struct iotr_mapped *iotr_mapped_look(void);
void iotr_mapped_free(struct iotr_mapped *m);
uint32_t iotr_log_writer_among(struct iotr_log *log, const struct iotr_mapped *mapped);

/* A log of which nothing but the bytes is wanted, whatever they are; fd becomes
   the log's.  These four functions, iotr_log_file and iotr_log_close may be called. */
struct iotr_log *iotr_log_open_bytes(int fd, const char *name, iotr_message_fn *fn, void *arg);
bool iotr_log_packed(const struct iotr_log *log);
/* of the log, when it is not packed */
uint64_t iotr_log_size(const struct iotr_log *log);
/* Read what there is of size bytes; less at the log's end, also if it shrank. */
size_t iotr_log_read(struct iotr_log *log, void *buf, size_t size, uint64_t off);
/* Where the next bytes from off on are that may not be zeroes; the size or more at the end. */
uint64_t iotr_log_data(struct iotr_log *log, uint64_t off);
/* Calls in a packed log, as its packer counted them. */
uint64_t iotr_log_packed_calls(const struct iotr_log *log);

/* Write the packed form to fd.  level: zstd's.  -1: see errno; EIO also if the log
   shrank meanwhile, ENOSYS if there is no zstd. */
int iotr_pack(struct iotr_log *log, int fd, int level);

/* ---- stacks ---- */

struct iotr_frame {
	uint64_t pc;		/* as recorded: the return address */
	const char *func;	/* NULL: not known */
	const char *file;	/* source; NULL: not known */
	int line;		/* 0: not known */
	const char *module;	/* file name of the mapped file; NULL: none */
	uint64_t module_offset; /* of pc in that file */
	uint64_t func_offset;	/* of pc in func, if that was not expanded in another */
	/* of an interpreter's code, "python": pc then is a number of the log's, and there is no
	   module; NULL: machine code */
	const char *language;
	/* The function that func was expanded in, at the same pc, with file and line of
	   the call; NULL: none. */
	const struct iotr_frame *outer;
};

/* From where the call was made; NULL: not known.  It stays until this is asked for another
   call of the log: of very many stacks only some are kept. */
const struct iotr_stack *iotr_call_stack(const struct iotr_call *call);
/* Since when, ticks, there has been at the addresses of its stack what made the call: calls of a log with the same stack
   and another number may come from other code, as of plugins that are loaded one after the other. */
uint64_t iotr_call_since(const struct iotr_call *call);
/* What is at its n-th return address.  Looked up once, then remembered; reads the
   executable and its debug information from where they were. */
const struct iotr_frame *iotr_log_frame(struct iotr_log *log, const struct iotr_stack *stack, uint32_t n);
/* The same of an address that lies so many bytes behind that one. */
const struct iotr_frame *iotr_log_frame_beside(struct iotr_log *log, const struct iotr_stack *stack, uint32_t n, int64_t bytes);

/* The machine code of a function, as the executable or the library has it. */
struct iotr_machine_code {
	const unsigned char *bytes; /* stay as long as the log's set, or the log, if that is in none */
	size_t size, at;  /* at: of the return address among them; up to size */
	unsigned machine; /* which processor it is for: EM_X86_64 and so on of <elf.h> */
};
/* That of the function at the n-th return address.  false: it is not to be had, or has no end. */
bool iotr_log_machine_code(struct iotr_log *log, const struct iotr_stack *stack, uint32_t n, struct iotr_machine_code *code);

/* ---- sets of logs, and their calls ---- */

struct iotr_set;

struct iotr_set *iotr_set_new(iotr_message_fn *fn, void *arg);
/* Executables and libraries are looked for in that directory, under the names that they
   had when they ran, as if it was the root.  dir is copied. */
void iotr_set_symfs(struct iotr_set *set, const char *dir);
/* Say nothing of executables and libraries that have no names for code, or can't be read. */
void iotr_set_mute(struct iotr_set *set);
/* Add a log, all logs of a job, or all *.iotrace of a directory.  -1: nothing could be
   added, which has been reported as IOTR_FATAL or IOTR_UNREADABLE. */
int iotr_set_add(struct iotr_set *set, const char *path);
/* The same from memory, which must stay until the set is freed. */
int iotr_set_add_mem(struct iotr_set *set, const void *data, size_t size, const char *name);
/* Add an open log; the set owns it from now on. */
void iotr_set_add_log(struct iotr_set *set, struct iotr_log *log);
size_t iotr_set_size(const struct iotr_set *set);
struct iotr_log *iotr_set_log(const struct iotr_set *set, size_t n);
/* Calls of any kind that have no records, in all of its logs. */
struct iotr_sum iotr_set_sum(const struct iotr_set *set);
/* The next call by start time, NULL at the end. */
const struct iotr_call *iotr_set_next(struct iotr_set *set);
/* iotrace/batch.h has the same, many at a time. */
/* All calls of the set, thread by thread as their records lie there: calls inside
   of another come before it.  Several times as fast as iotr_set_next, of which it
   gives the same calls, except that parent stays NULL and internal tells only what
   the recorder knew.  A set is read once, in one way or the other. */
typedef void iotr_call_fn(void *arg, const struct iotr_call *call);
void iotr_set_scan(struct iotr_set *set, iotr_call_fn *fn, void *arg);
/* Once more from the beginning.  This and the choices below are not for the set of a struct iotr_follow. */
void iotr_set_rewind(struct iotr_set *set);
/*
 * What is wanted, for iotr_set_next and iotr_set_scan, which begin anew: calls that begin at
 * from (ns) or later, and before to (UINT64_MAX: all); of chosen processes, kinds and files.
 * fn NULL chooses all.  The functions are asked for each process, once for each kind and path of a
 * log, and for each call with a path that the log does not define, of which only name and
 * len are set.  Calls about no file are in no chosen file.  What is left out is not read, as
 * far as blocks tell: those of other processes, those that ended before from, and those
 * without a call of a chosen kind or file, which packed logs say, and of others is known once a
 * block was read (while files were chosen).  Ids and parents are what they are when all is read.
 */
typedef bool iotr_process_fn(void *arg, const struct iotr_log *log, const struct iotr_process *process);
typedef bool iotr_schema_fn(void *arg, const struct iotr_schema *schema);
typedef bool iotr_path_fn(void *arg, const struct iotr_path *path);
void iotr_set_seek(struct iotr_set *set, uint64_t from, uint64_t to);
void iotr_set_processes(struct iotr_set *set, iotr_process_fn *fn, void *arg);
void iotr_set_calls(struct iotr_set *set, iotr_schema_fn *fn, void *arg);
void iotr_set_paths(struct iotr_set *set, iotr_path_fn *fn, void *arg);
/* The same by any file that a call names, by descriptors or paths.  fn may be asked again and again.
   Calls of syscall(2), and with IOTR_CALL_OPS, pass as well: others tell what they are about. */
void iotr_set_any_paths(struct iotr_set *set, iotr_path_fn *fn, void *arg);
/* Memory ran out: calls that did not come may be there.  Nothing but iotr_set_free may be
   called then; what was being made is lost. */
bool iotr_set_failed(const struct iotr_set *set);
/* How much has been read: done of total bytes of records. */
void iotr_set_progress(const struct iotr_set *set, uint64_t *done, uint64_t *total);
void iotr_set_free(struct iotr_set *set);

/* ---- notes: several analyses of one set ---- */

/*
 * What an analysis remembers about a path, a handle, a schema, a process or a log, by its
 * address: each analysis has notes of its own, where the user fields have room for one.
 * (Stacks come and go, and are known by their numbers.)  get: NULL if there is no note.
 * put: the note is not NULL; -1: out of memory.  next: one after the other, in no order; *at is 0 at first; false behind the last.
 */
struct iotr_notes;
struct iotr_notes *iotr_notes_new(void);
void *iotr_notes_get(const struct iotr_notes *notes, const void *about);
int iotr_notes_put(struct iotr_notes *notes, const void *about, void *note);
bool iotr_notes_next(const struct iotr_notes *notes, size_t *at, const void **about, void **note);
void iotr_notes_free(struct iotr_notes *notes);

/* ---- following logs while they are written ---- */

struct iotr_follow;

/*
 * Calls come by start, as iotr_set_next gives them, when all threads have been read
 * past it.  A call in progress holds those that began later back for a second at
 * most, or for as long as blocked if that is less.  One that takes longer than blocked
 * (ns) is given as unfinished, with its duration so far, and once more when it is
 * over, with resumed set.
 */
struct iotr_follow *iotr_follow_new(uint64_t blocked, iotr_message_fn *fn, void *arg);
/* Add a log, or a directory: all *.iotrace that are or will be there.  A log that
   is still being created is waited for.  -1: it can't be read; this was reported. */
int iotr_follow_add(struct iotr_follow *f, const char *path);
/* The same, and of a directory also those below it, in directories that are or will be
   there.  Links to directories are not followed. */
int iotr_follow_add_below(struct iotr_follow *f, const char *path);
/* Its logs: more may have come after each iotr_follow_poll. */
struct iotr_set *iotr_follow_set(struct iotr_follow *f);
/* Read what has come.  Returns how many ms to wait before the next time, or -1 if
   no log will grow any more, since the processes have ended. */
int iotr_follow_poll(struct iotr_follow *f);
/* The next call; NULL: none that can be given now. */
const struct iotr_call *iotr_follow_next(struct iotr_follow *f);
/* To be called after a last poll: iotr_follow_next gives all there is, calls in
   progress included, also those that it has given before. */
void iotr_follow_stop(struct iotr_follow *f);
/* Its set is freed, too. */
void iotr_follow_free(struct iotr_follow *f);

/* ---- kinds ---- */

/* Whether the word says that the argument is none. */
bool iotr_is_none(const struct iotr_param *p, uint64_t word);

/* ---- names of numbers ---- */

/* Write value as kind into buf the way it stands in C source, "O_RDONLY|O_CLOEXEC".
   Returns the length (truncated to size - 1), or 0 if the kind's values have no
   names: print a number then. */
size_t iotr_symbolic(enum iotr_kind kind, uint64_t value, char *buf, size_t size);
/* "ENOENT" or "MPI_ERR_IO", NULL if there is no such number; and "No such file or
   directory", NULL for MPI's */
const char *iotr_errno_name(int err);
const char *iotr_errno_text(int err);
/* The system call that it stands for: the schema's, or by its number that of
   syscall(2); NULL if it stands for none. */
const char *iotr_call_syscall(const struct iotr_call *call);
/* Is it syscall(2), whose first argument says which system call it stands for? */
bool iotr_schema_is_any(const struct iotr_schema *s);
bool iotr_call_is_any(const struct iotr_call *call);
bool iotr_is_syscall(const char *name);
/* Did the call fail, as its result kind has it? */
bool iotr_call_failed(const struct iotr_call *call);
/* Is it known how long it took, or has taken so far? */
bool iotr_call_has_dur(const struct iotr_call *call);
/* The path that the call is about: its handle's or its first path argument.
   Returns the bytes, NULL if none; path is set if the log defines it.  index becomes
   the parameter's, -1 if it is the handle's.  len, path and index may be NULL. */
const char *iotr_call_path(const struct iotr_call *call, size_t *len, const struct iotr_path **path, int *index);

#ifdef __cplusplus
}
#endif

#include "iotrace/batch.h"
#include "iotrace/used.h"

#endif
