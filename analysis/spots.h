/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spots.h - what one line of the program does to one file by one kind of call: a spot.
 * Spots are what rules about lines judge: grouped by file and by the line where the
 * repetition is decided (groups.c).
 */
#ifndef IOTA_SPOTS_H
#define IOTA_SPOTS_H

#include "internal.h"

/* ---- chain.c ---- */

/* A line of the program; there is one for each function, file and number. */
struct iota_place {
	const char *func, *file, *module; /* NULL: not known */
	int line;
	uint64_t offset; /* in the module, where there is no line */
	unsigned turns;	 /* bits of enum iota_turns */
	size_t spots;	 /* while spots are sorted by it: how many it has, or where the next one comes; else 0 */
	struct iota_function *function;
};

/* Is the line's call in a loop of its function?  Of several calls of a line one may be. */
enum iota_turns {
	IOTA_TURNS = 1,
	IOTA_TURNS_NOT = 2,
	IOTA_TURNS_PERHAPS = 4, /* its machine code is not known, or the function has a reason of its own */
};

struct iota_function {
	const char *name;		/* a template's without what it is made of; NULL: not known */
	const struct iota_place *place; /* one of its lines */
	const struct iota_place *caller; /* a line that calls it; NULL: none is known */
	bool several;			 /* there are others */
	uint64_t least, most;		 /* calls of one kind that it makes itself */
	const struct iota_row *moved[2]; /* a file that it reads itself, and one that it writes; NULL */
};

/* What lies between the innermost line and the call. */
enum iota_way {
	IOTA_BY_LIBRARY = 1, /* a library, which makes the call */
	IOTA_FLUSHES = 2,    /* a function that flushes */
	IOTA_BY_MPI = 4,     /* a function of MPI's */
	IOTA_SEEKS = 8,	     /* a function of C++'s that moves in a stream */
	IOTA_BY_FILEBUF = 16, /* the buffer of a C++ stream of a file */
	IOTA_BY_DATASET = 32, /* a function of HDF5's that moves the values of a data set, also for netCDF */
};

/* From the line that made a call to the one in main: lines of the program only, but where
   it has none. */
struct iota_chain {
	unsigned n;
	unsigned way; /* bits of enum iota_way */
	struct iota_place *at[];
};
/* The function that has the innermost line; NULL: not known. */
static inline struct iota_function *iota_innermost(const struct iota_chain *chain)
{
	return chain && chain->n ? chain->at[0]->function : NULL;
}
/* A function that reads one file and writes another most likely has the loop itself. */
bool iota_copies(const struct iota_function *f); /* groups.c */

/* ---- loops.c ---- */

#define IOTA_LOOP_NONE (-1)
#define IOTA_LOOP_UNKNOWN (-2)
/* The loop that the call of the stack's n-th return address is in. */
struct iota_loop_at {
	int level;   /* of its function, of those that were expanded there: 0 for the innermost; or one of the above */
	bool always; /* the call is made on each turn; or, in no loop, whenever the function is called */
};
struct iota_loop_at iota_loop_at(struct iota *a, struct iotr_log *log, const struct iotr_stack *stack, uint32_t n);
/* To be called before the logs are closed. */
void iota_loops_forget(struct iota *a);

/* ---- generic.c ---- */

/* What all functions that are made of one template have as their name; to be freed. */
char *iota_generic_name(const char *func);

/* ---- what a line does to a file ---- */

enum iota_spot_field {
	IOTA_S_CALLS, /* also those that were inferred */
	IOTA_S_BYTES,
	IOTA_S_TIME,	/* ns, self, and what MPI does for itself inside */
	IOTA_S_MAX,
	IOTA_S_MOST,	/* ns, of the time, what the thread has that has most of it */
	IOTA_S_THREADS, /* which threads have it: a bit of 64 for each, see iota_threads */
	IOTA_S_SPANS,	/* ns, from the first call of each thread to its last one, */
	IOTA_S_BEFORE,	/* ns, from the first of all to the end of all time, */
	IOTA_S_LAST,	/* and since the epoch, to the end of the last */
	IOTA_S_SMALL,	/* transfers below the threshold */
	IOTA_S_SMALL_BYTES,
	IOTA_S_LOCATED,
	IOTA_S_BENEATH, /* made within another call */
	IOTA_S_OPENED,
	IOTA_S_CLOSED,	/* of these, what the process has closed, as far as that is known */
	IOTA_S_HELD,	/* and what it has not closed, but goes on using: see opened.c */
	IOTA_S_RARE,	/* from here on: what most spots have nothing of */
	IOTA_S_ERRORS = IOTA_S_RARE, /* but EAGAIN and the like, that tell of no mistake */
	IOTA_S_MISSING,	/* of these, since there is none of that name, */
	IOTA_S_EXISTS,	/* since there is one, */
	IOTA_S_REFUSED, /* and since there can be no more descriptors */
	IOTA_S_EMPTIED, /* of IOTA_S_OPENED, so that what the file had is gone */
	IOTA_S_ONES,	/* of one byte */
	IOTA_S_SHORT,	/* transfers of less than half of what was asked for, but of nothing */
	IOTA_S_JUMPS,	/* did not begin where the last one of descriptor and thread ended */
	IOTA_S_BACK,	/* of these, ended or began before it */
	IOTA_S_OWN,	/* of these, begin where the last one of that line ended */
	IOTA_S_SAME,	/* transfers that begin where the one of that line before began */
	IOTA_S_STRIDED, /* of these, as far on as the one before */
	IOTA_S_IDLE,	/* seeks to where the offset was */
	IOTA_S_CARRIED, /* transfers within it */
	IOTA_S_WAITS,
	IOTA_S_UNALIGNED, /* writes of some blocks, not in order, of which the file has a part */
	IOTA_S_AT_ONCE,	  /* operations that were waited for at once */
	IOTA_S_LIST, /* Fortran's list-directed transfers, */
	IOTA_S_RAW,  /* its unformatted ones, */
	IOTA_S_NONADVANCING, /* and those that do not end the record */
	IOTA_S_VAIN,  /* reads that found nothing: at the end, or as nothing has come */
	IOTA_S_DELAYED, /* writes to a socket, behind another, whose answer came when the kernel no longer held it back */
	IOTA_S_ALONE, /* requests to a queue that ended while the thread had no other under way */
	IOTA_S_DROPS, /* advice that the file's pages be dropped from the page cache */
	IOTA_S_EXPIRED, /* waits that ended by their time limit between an answer and the next request */
	IOTA_S_NO_COUNT, /* from here on: times and bytes */
	IOTA_S_TRIED = IOTA_S_NO_COUNT, /* ns, of IOTA_S_MISSING and _EXISTS, and of reads that found nothing, that the thread
			   makes few other calls before it does the same again; of IOTA_S_DELAYED, until there is an answer */
	IOTA_S_AT_ONCE_TIME, /* ns, for how long operations were waited for at once */
	IOTA_S_HIDES, /* ns, of reads, that the thread had no call in progress since the one before */
	IOTA_S_BETWEEN, /* the same, however short the read is; of one spot, if several are summed up */
	IOTA_S_EXPIRED_TIME, /* ns */
	IOTA_S_PEEKED, /* bytes that stay in a socket */
	IOTA_N_SPOT
};

/* Rules: each has the bit of its number in a->rules. */
/* iota_alloc aligns to 8 bytes */
__extension__ typedef unsigned __int128 iota_about_t __attribute__((aligned(8)));

/* From where calls of one kind are made, on whatever files. */
struct iota_origin {
	const char *call;
	unsigned roles; /* the call's */
	struct iota_chain *chain; /* NULL: there is no stack.  It is known when all calls have come, */
	struct iotr_log *log;	  /* and the rest is what it follows from */
	uint32_t stack, process, pid;
	uint64_t ticks, since; /* since: what is at the stack's addresses, see iotr_call_since */
	const struct iotr_path *statement;
	uint32_t number; /* of all of the analysis */
	/* while rules judge: which ones are about calls of that name; by chain and name, of all */
	iota_about_t rules;
	uint32_t rank;
	struct iota_pauses *pauses; /* of descriptors that it opens (opened.c); NULL: it has opened none */
};

/* The numbers of a spot of several calls, and while calls are added, what is compared with the next. */
struct iota_sums {
	uint64_t common[IOTA_S_RARE];
	uint64_t *rare; /* from IOTA_S_RARE on; NULL: nothing */
	uint64_t last, end; /* of what moved last, from there, to there, and as far on as that from the one before */
	int64_t delta;
	uint64_t thread_time, thread_end; /* of the last thread: its time, and the end of its last call, */
	uint64_t outside;		  /* and how long it had been in no call */
	uint32_t thread, calls; /* calls: how many the thread had made by then */
	uint32_t use; /* the number of a descriptor in the hands of one thread; 0: none has moved yet */
	bool tried; /* the last call counts in IOTA_S_MISSING or IOTA_S_EXISTS, or was a read that found nothing */
};

/*
 * A job has many files, and most lines do one thing to each of them, once.  So a spot has room for what one
 * call was, from which all numbers follow, and gets sums when there is more to say: see spot.c.
 */
struct iota_spot {
	struct iota_row *file;
	struct iota_origin *from;
	union {
		struct iota_sums *sums; /* if it is full */
		uint64_t start;		/* of the call, ns since the epoch */
	};
	union {
		/* while calls are added: see struct iota_sums */
		struct {
			uint64_t last, outside; /* last: how many calls the thread had made, if use is 0 */
			uint32_t use;
			uint32_t next; /* 1 more than the number of the file's next one; the first one comes after the last */
		};
		/* while rules judge */
		struct {
			struct iota_spot *next_of_file;
			struct iota_spot *of_line; /* the first of the file's with the same lines */
			uint64_t weight;
		};
	};
	uint32_t thread;
	uint32_t time, self, bytes; /* of the call, ns */
	uint32_t once; /* which of its numbers from IOTA_S_SMALL on are 1 */
	unsigned char does; /* enum iota_does */
	unsigned char bit;  /* number of the thread's bit in IOTA_S_THREADS */
	unsigned char level; /* while rules judge: of the finding's line in the chain */
	bool is_syscall : 1;
	bool counted : 1; /* its time is in a finding */
	bool full : 1;
	bool called : 1; /* it is not full, but there has been a call */
	bool hashed : 1; /* it is found by the hash table */
};

/* ---- spot.c ---- */

/* The bit of a number in .once; and a number of one that is not full, which rules ask for by the million: the compiler
   knows which. */
static inline uint32_t iota_spot_bit(enum iota_spot_field f)
{
	return 1u << (f - IOTA_S_SMALL);
}
static inline uint64_t iota_spot_once(const struct iota_spot *s, enum iota_spot_field f)
{
	switch (f) {
	case IOTA_S_CALLS:
		return s->called;
	case IOTA_S_BYTES:
		return s->bytes;
	case IOTA_S_TIME:
	case IOTA_S_MAX:
	case IOTA_S_MOST:
		return s->self;
	case IOTA_S_THREADS:
		return s->called ? 1ull << s->bit : 0;
	case IOTA_S_SPANS:
		return s->time;
	case IOTA_S_BEFORE:
		return s->called ? UINT64_MAX - s->start : 0;
	case IOTA_S_LAST:
		return s->called ? s->start + s->time : 0;
	case IOTA_S_SMALL_BYTES:
		return s->once & iota_spot_bit(IOTA_S_SMALL) ? s->bytes : 0;
	default:
		return f < IOTA_S_NO_COUNT && s->once & iota_spot_bit(f) ? 1 : 0;
	}
}
/* A call; and a number that more is added to, where there may be no room for it yet. */
void iota_spot_call(struct iota *a, struct iota_spot *spot, const struct iota_sample *s);
void iota_spot_more(struct iota *a, struct iota_spot *s, enum iota_spot_field f, uint64_t more);
/* Bytes that a call has moved, which are fewer than a rule's threshold if small. */
void iota_spot_bytes(struct iota *a, struct iota_spot *spot, uint64_t moved, bool small);
/* A read or write at an offset that is known, by one descriptor in one thread. */
void iota_spot_moved(struct iota *a, struct iota_spot *spot, uint32_t use, uint64_t offset,
		     uint64_t size, bool jumps);
/* Where the one before began; false: there was none. */
bool iota_spot_last(const struct iota_spot *spot, uint64_t *offset);
/* All numbers at once, of one that has none. */
void iota_spot_set(struct iota *a, struct iota_spot *s, const uint64_t v[IOTA_N_SPOT]);
/* Numbers of two together. */
void iota_spot_sum(uint64_t to[IOTA_N_SPOT], const struct iota_spot *from);
void iota_spot_join(struct iota *a, struct iota_spot *to, const struct iota_spot *from);

/* One of its numbers; and more of it. */
static inline uint64_t iota_spot_v(const struct iota_spot *s, enum iota_spot_field f)
{
	if (!s->full)
		return iota_spot_once(s, f);
	if (f < IOTA_S_RARE)
		return s->sums->common[f];
	return s->sums->rare ? s->sums->rare[f - IOTA_S_RARE] : 0;
}
static inline void iota_spot_plus(struct iota *a, struct iota_spot *s, enum iota_spot_field f, uint64_t more)
{
	if (!more)
		return;
	if (s->full && f < IOTA_S_RARE)
		s->sums->common[f] += more;
	else if (s->full && s->sums->rare)
		s->sums->rare[f - IOTA_S_RARE] += more;
	else
		iota_spot_more(a, s, f, more);
}

/* ---- opened.c ---- */

/* Who opened a descriptor, as its user remembers it from call to call; zeroed at first. */
struct iota_opened_at {
	struct iota_opened *opened; /* NULL: not known */
	uint32_t number, thread;
};

/* The call opens, uses, closes a descriptor of the file. */
void iota_opened_add(struct iota *a, struct iota_spot *spot, const struct iotr_call *call);
void iota_opened_use(struct iota *a, const struct iota_row *file, const struct iotr_handle *handle, struct iota_opened_at *at);
void iota_opened_close(struct iota *a, const struct iota_row *file, const struct iotr_handle *handle);
/* Behind the last call: which ones are held. */
void iota_opened_finish(struct iota *a);
void iota_opened_free(struct iota *a);

/* ---- spots.c ---- */

/* Those of the same file and lines, from the first one on. */
#define IOTA_EACH_OF_LINE(s, spot) \
	(s = (spot)->of_line; s && s->of_line == (spot)->of_line; s = s->next_of_file)

struct iota_spot *iota_spot_add(struct iota *a, struct iota_row *file, const struct iota_sample *s);
struct iota_spot *iota_spot_new(struct iota *a); /* another one, with nothing in it */
/* Where calls come from of which the chain is known. */
struct iota_origin *iota_origin_new(struct iota *a, const char *call, struct iota_chain *chain);
/* How many threads have it, about: those that share a bit are told apart by how full the bits are. */
uint64_t iota_threads(const uint64_t v[IOTA_N_SPOT]);
/* How much each of its calls moved, on average; there are some. */
static inline uint64_t iota_spot_mean(const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_BYTES) / iota_spot_v(spot, IOTA_S_CALLS);
}
/* When it began, ns since the epoch. */
static inline uint64_t iota_spot_first(const struct iota_spot *spot)
{
	return UINT64_MAX - iota_spot_v(spot, IOTA_S_BEFORE);
}
/* Does it move most of what it moves at the place where it did before: a head, an index? */
static inline bool iota_stays(const struct iota_spot *spot)
{
	return 2 * iota_spot_v(spot, IOTA_S_SAME) > iota_spot_v(spot, IOTA_S_LOCATED);
}
/* Behind the last call: each has its chain. */
void iota_spots_finish(struct iota *a);
/* When all parts are there: none is there twice, those of a file are together. */
void iota_spots_sort(struct iota *a);
void iota_spots_free(struct iota *a);
struct iota_chain *iota_chain_new(struct iota *a, unsigned n);
struct iota_place *iota_place(struct iota *a, const struct iota_place *like);
struct iota_chain *iota_chain_of(struct iota *a, const struct iota_origin *from);
/* The callers of all functions in it. */
void iota_chain_callers(struct iota_chain *chain);
/* What it does itself: those of a spot that are beneath no other call. */
void iota_function_count(struct iota_function *f, const struct iota_spot *spot);
int iota_place_compare(const struct iota_place *x, const struct iota_place *y);
int iota_chain_compare(const struct iota_chain *x, const struct iota_chain *y);

/* ---- groups.c ---- */

/* Spots of one line that a rule is about. */
struct iota_group {
	struct iota_spot **spot;
	size_t n;
	const struct iota_spot *heaviest;
	const struct iota_row *file; /* of most of it */
	size_t files;
	uint64_t weight, v[IOTA_N_SPOT];
};

/* Whether that spot of the group is the first one of its file: those of a file are next to each other. */
static inline bool iota_is_first_of_file(const struct iota_group *g, size_t i)
{
	return !i || g->spot[i]->file != g->spot[i - 1]->file;
}

/* Spots that matter to a rule, in their order: numbers in a->spots.  To be freed. */
struct iota_matter {
	uint32_t *spot;
	size_t n, cap;
};
/* Of each rule, in their order.  One pass asks all of them, since a job's spots are more than caches hold.
   To be freed. */
struct iota_matter *iota_rules_about_spots(struct iota *a);
void iota_judge_groups(struct iota *a, const struct iota_rule *rule, const struct iota_matter *matter);
/* The call above it of the same line that has most of the transfers inside; NULL. */
const struct iota_spot *iota_spot_above(const struct iota_spot *spot);
/* Is it no part of the system, nor a socket or a terminal?  A file, and no pipe? */
bool iota_own_file(const struct iota_row *file);
/* Is all that is known of it a descriptor?  (file.c) */
bool iota_is_nameless(const struct iota_row *file);
bool iota_regular(const struct iota_row *file);
/* What the group's spots cost, and where they are; and of a spot the time that no finding has
   counted before. */
struct iota_finding iota_about_group(const struct iota_rule *rule, const struct iota_group *g);
uint64_t iota_spot_count(struct iota_spot *spot);
bool iota_names_statement(const char *call); /* of Fortran */
bool iota_maps(const char *call);
size_t iota_directory(const char *name, size_t len); /* how long its directory's name is, with the last slash */

/* ---- cost.c ---- */

/* What a finding saves if its calls become fewer, and move as many bytes. */
void iota_saves_merged(struct iota *a, struct iota_finding *f, uint64_t fewer);
/* If that many bytes are left out, and as many calls stay. */
void iota_saves_bytes(const struct iota *a, struct iota_finding *f, uint64_t bytes);
/* If that many of its calls are left out. */
void iota_saves_without(struct iota_finding *f, uint64_t n);
/* If statements become fewer, and as many bytes of text have to be made of numbers. */
void iota_saves_text(struct iota_finding *f, uint64_t bytes);
/* If the lines read their files that many times less often, and so a library that reads for them does
   not do again what it does with what it reads; at most, since it may be the program that computes. */
void iota_saves_by_library(const struct iota *a, struct iota_finding *f, const struct iota_group *g, double less);
/* ---- exposed.c ---- */

/* How long threads compute: those of a log of which all has been read, or as another analysis has it. */
void iota_computing_see(struct iota *a, const struct iotr_log *log);
void iota_computing_merge(struct iota *a, const uint64_t more[IOTA_BITS]);
/* The thread that is read was there from begin to end; it makes another thread or process. */
void iota_life_add(struct iota *a, uint64_t begin, uint64_t end);
void iota_life_makes(struct iota *a, const struct iotr_call *call);
/* ns, of the thread that computes most, of those that have these bits; 0: not known */
uint64_t iota_computes(const struct iota *a, uint64_t threads);
/* No more is saved than what others leave of the run that compute one after the other. */
void iota_saves_exposed(struct iota *a);

/* Behind all rules: of what threads save at the same time, the run saves the part of one. */
void iota_saves_of_run(struct iota *a);

#endif
