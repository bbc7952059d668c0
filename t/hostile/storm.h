/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * storm.h - storm runs a random program: a list of operations that follows from a seed.
 * An operation is a call with random arguments, of the table (table.h, which table.awk
 * makes of table/calls.def) or by hand (special.c), and up to two situations in which it is
 * made (around.c): in a child, a thread, a signal handler that jumps, and so on.
 *
 * What each operation came to goes to the board (board.c), a mapped file that outlives
 * whatever the program does to its descriptors and to itself.  It says nothing that two
 * runs would not have in common: no addresses, process ids or times.
 */
#ifndef STORM_H
#define STORM_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "table.h"

/* What a seed may make use of.  Each bit has a name in storm.c. */
enum feature {
	BADPTR = 1 << 0,     /* bad pointers where wrappers look at what they point to */
	THREADS = 1 << 1,
	FORK = 1 << 2,
	VFORK = 1 << 3,
	SIGNALS = 1 << 4,
	JUMPS = 1 << 5,
	CANCEL = 1 << 6,
	EXEC = 1 << 7,
	SPAWN = 1 << 8,
	STDIO = 1 << 9,
	NET = 1 << 10,
	MAPS = 1 << 11,
	AIO = 1 << 12,
	ENDS = 1 << 13,      /* ends other than main's return */
	TIMERS = 1 << 14,    /* signals at any time */
	CROWD = 1 << 15,     /* threads that make calls at any time */
	SHAREVM = 1 << 16,   /* clone(CLONE_VM) */
	COROUTINES = 1 << 17,
	SECCOMP = 1 << 18,
	SMALLSTACK = 1 << 19,
	LIMITS = 1 << 20,
	RAW = 1 << 21,       /* syscall() */
	PRIVILEGES = 1 << 22,
	DESCRIPTORS = 1 << 23,
	LOGNUMBER = 1 << 24, /* the log's descriptor */
	SPAWNSTACK = 1 << 25, /* posix_spawn on an alternate stack */
	ALL = (1 << 26) - 1
};

struct param {
	enum kind kind;
	const char *name;
};

struct row {
	const char *name;
	const char *family;
	long (*call)();
	enum result result;
	int sys;	/* its system call, or -1 */
	bool raw;	/* with the same parameters */
	int n_params;
	struct param params[7];
};

#define N_AROUND 2

#define EXECUTED 9999	/* the index of what the process executes in its end */

struct op {
	int index;
	int row;		/* of the table, or -1 */
	int special;
	int n_around;
	unsigned char around[N_AROUND];
	uint64_t seed;
};

/* Random numbers of one operation, and what they made of its arguments. */
struct draw {
	uint64_t state;
	bool bad;		/* there is a pointer that libc may fall over */
	char text[400];		/* the arguments, for people */
};

/* storm.c */
extern unsigned features;
extern const char *self, *board_path;
extern int first_process;
bool with(enum feature f);
bool runs_others(const struct op *op);
void run_op(const struct op *op, int depth);

/* alone.c */
void alone(void);

/* board.c */
void board_open(const char *path, bool again);
void board_line(const char *text);
__attribute__((format(printf, 2, 3))) void say(const struct op *op, const char *format, ...);
const char *error_name(int error);

/* draw.c */
#define SCRATCH_SIZE (256 << 10)
uint64_t next_random(uint64_t *state);
unsigned pick(struct draw *d, unsigned n);
__attribute__((format(printf, 2, 3))) void note(struct draw *d, const char *format, ...);
uint32_t hash(const void *at, size_t n);
void values_init(void);
void values_fresh(struct draw *d);
char *scratch(struct draw *d, size_t size);
long bad_pointer(struct draw *d);

/* value.c */
#define N_STREAMS 8
#define N_DIRS 3
extern FILE *streams[N_STREAMS];
extern DIR *dirs[N_DIRS];
extern struct extent {
	char *at;
	size_t size;
} extents[4];
const char *some_path(struct draw *d);
int some_fd(struct draw *d);
long value(struct draw *d, const struct row *row, int i, const long *before);

/* row.c */
extern const struct row rows[];
extern const int n_rows;
bool row_may(const struct row *row);
bool row_is_plain(const struct row *row);
void row_run(const struct op *op, bool only_show);

/* place.c */
extern bool places;
void place_tell(const struct op *op, const char *call, int fd, long given, long r);

/* special.c, stream.c, proc.c */
struct special {
	const char *name;
	unsigned needs;		/* features */
	void (*run)(const struct op *op, struct draw *d);
};
extern const struct special specials[], stream_specials[], proc_specials[];
extern const int n_specials, n_stream_specials, n_proc_specials;
const struct special *special_at(int i);
int special_count(void);
int keep_stream(FILE *f);

/* around.c */
void stacks_init(void);
struct around {
	const char *name;
	unsigned needs;
	bool inner;	/* only what is one system call */
	void (*run)(const struct op *op, int depth);
};
extern const struct around arounds[];
extern const int n_arounds;
void workers_end(void);
void exits_late(void);
/* confined.c */
void in_limits(const struct op *op, int depth);
void in_closed(const struct op *op, int depth);
void in_nobody(const struct op *op, int depth);
void in_filter(const struct op *op, int depth);
void wait_for(const struct op *op, const char *what, int pid);

/* state.c */
void say_state(const struct op *op);

/* always.c: what goes on besides */
void timer_switch(const struct op *op, struct draw *d);
void timer_stop(void);
void crowd_switch(const struct op *op, struct draw *d);
void crowd_end(void);
void always_hold(bool hold);

#endif
