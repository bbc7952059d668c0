/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults.h - IOTRACE_FAULTS: page faults on mapped files, as records.
 *
 * The kernel counts page faults and gives each one's time, thread, address and caller: two
 * software events of perf_event_open(2) for each processor, one for minor and one for major
 * faults, with one ring that both write into.  Who reads the rings must not be the program,
 * which would fault again, wait and use time of its own.  So a process reads them that is
 * forked before the program begins: the helper.  It has the recorder's memory as it was then,
 * and stores records into windows of the log like any forked child, in the name of the
 * threads that faulted.
 *
 *	faults.c	the program's side: begins the helper, and waits for it at the end
 *	helper.c	the helper: from its beginning to its end
 *	ring.c		the kernel's events and their rings, merged by time
 *	areas.c		which file lies where in the memory of which process
 *	store.c		a fault becomes a record
 *	callers.c	who faulted
 *	pages.c		what of the files came into the page cache meanwhile
 *	before.c	what of them was there before the program began
 */
#ifndef IOT_FAULTS_H
#define IOT_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

/* ---- what program and helper share ---- */

#define IOT_FAULT_CHILDREN 4096u
#define IOT_FAULT_MOVES	   1024u
#define IOT_FAULT_FOUND	   1024u

enum iot_faults_ready {
	IOT_FAULTS_BEGIN,		/* the helper has not said anything yet */
	IOT_FAULTS_ON,
	IOT_FAULTS_OFF,			/* there are no events to be had: error */
};

struct iot_faults {
	uint32_t ready;			/* enum iot_faults_ready; a futex */
	int32_t error;			/* of perf_event_open, or of mmap: in_ring */
	uint32_t in_ring;
	uint32_t pid;			/* the helper's */
	uint32_t of;			/* the process that began it, */
	uint32_t ends;			/* and whether that is about to end */
	uint32_t asked, done;		/* turns: all faults before it asked are stored; done is a futex */
	bool found[IOT_FAULT_FOUND];	/* files of IOTRACE_FOUND that were used */
	uint32_t n_moves, n_children;
	struct {
		uint32_t pid, process;	/* forked children, and their numbers in the log */
	} child[IOT_FAULT_CHILDREN];
	struct iot_fault_move {
		uint32_t number;	/* from 1 on, stored last */
		uint32_t pid;
		uint64_t time;		/* CLOCK_MONOTONIC, ns */
		uint64_t from, to, size;
	} move[IOT_FAULT_MOVES];	/* mappings moved by mremap, of which the kernel tells nobody; a ring */
};

/* helper.c */
void iot_faults_help(struct iot_faults *share) __attribute__((noreturn));

/* ---- ring.c ---- */

/* What the kernel tells, in the order in which it happened. */
enum iot_fault_what {
	IOT_FAULT,			/* a page fault */
	IOT_FAULT_MAP,			/* memory was mapped, or its protection has changed */
	IOT_FAULT_FORK,			/* a process was forked, or a thread begun */
	IOT_FAULT_EXIT,			/* a thread has ended */
	IOT_FAULT_NOTHING,		/* that matters */
};

#define IOT_FAULT_FRAMES 64u

struct iot_fault_event {
	enum iot_fault_what what;
	bool major;
	bool kernel;			/* in a system call of the program's */
	uint32_t pid, tid;
	uint32_t ppid;			/* of IOT_FAULT_FORK: the process that forked */
	uint64_t time;			/* CLOCK_MONOTONIC, ns */
	uint64_t at;			/* the address */
	uint64_t size, offset;		/* of IOT_FAULT_MAP */
	uint64_t ino;
	uint32_t prot;
	const char *name;		/* of IOT_FAULT_MAP: in the ring, until the next event */
	bool has_regs;
	uint64_t from, to;		/* registers of instructions that move strings */
	uint64_t fp, sp;
	const uint8_t *stack;		/* what lies there from sp on: in the ring, until the next event */
	uint32_t stack_size;
	uint32_t n;			/* addresses: of the instruction, then by frame pointers */
	uint64_t pc[IOT_FAULT_FRAMES];
};

/* Events of that process, and of all that it begins, with so many callers, and so many bytes of
   the stack.  0, or -errno; *in_ring: it was the ring that could not be had. */
int iot_rings_open(uint32_t pid, uint32_t frames, uint32_t stack, uint32_t *in_ring);
/* Waits until a ring is half full, a signal comes, or that many ms are over.  False: all of
   the processes have ended. */
bool iot_rings_wait(int ms);
/* The next event that happened before that time; false: there is none. */
bool iot_rings_next(struct iot_fault_event *e, uint64_t before);
/* How many faults the kernel has counted, and how many of them have come. */
uint64_t iot_rings_count(void);
uint64_t iot_rings_seen(void);

/* ---- areas.c ---- */

struct iot_fault_file {
	const char *name;
	uint32_t handle;		/* in the log; 0: not asked for yet */
	bool skip;			/* the log itself, or a path that is not to be traced */
	uint64_t page;			/* bytes that a fault has at least; a power of two */
	struct iot_fault_pages {
		bool looked, told;
		bool before;		/* run is from before the program began */
		uint64_t when;		/* it was looked at; ns */
		uint64_t size;		/* of the file; 0: nothing is known.  All numbers are of pages */
		uint64_t found;		/* that were there */
		struct iot_page_run {
			uint64_t from, to;
		} *run;			/* what of it was in the page cache */
		uint32_t n, room;
		uint8_t *touched;	/* a bit for each page; then the same of pages near those */
		uint64_t bits;		/* bytes of each */
	} pages;
};

struct iot_area {
	uint64_t start, end;
	uint64_t offset;		/* in the file, of start */
	uint32_t pid;
	uint32_t prot;			/* PROT_* */
	struct iot_fault_file *file;	/* NULL: memory of no file */
};

/* As /proc has them now, in place of what was known. */
void iot_areas_read(uint32_t pid);
/* The same of all processes. */
void iot_areas_again(void);
/* The file that is mapped; NULL: none, or one that nothing is known of. */
struct iot_fault_file *iot_areas_add(const struct iot_fault_event *e);
/* What was at an address is, with so many bytes, at another. */
void iot_areas_move(uint32_t pid, uint64_t from, uint64_t to, uint64_t size);
void iot_areas_fork(uint32_t parent, uint32_t child);
void iot_areas_drop(uint32_t pid);
const struct iot_area *iot_area_at(uint32_t pid, uint64_t address);
/* The first that ends behind that address. */
const struct iot_area *iot_area_behind(uint32_t pid, uint64_t address);
struct iot_fault_file *iot_fault_file(uint32_t n);	/* NULL: there are no more */

/* ---- code.c ---- */

/* The code at an address, IOT_ACCESS_CODE bytes of the file that it is from; NULL: it is of none. */
const uint8_t *iot_fault_code(uint32_t pid, uint64_t pc);

/* ---- store.c ---- */

/* a: the area of a file where it was. */
void iot_fault_store(const struct iot_faults *share, const struct iot_fault_event *e, const struct iot_area *a);
/* What the timebase says now: the kernel's events have other times. */
void iot_fault_clock(void);
/* No more faults come of that thread; of none at all. */
void iot_fault_ended(uint32_t tid);
void iot_fault_all_ended(void);

/* Records of what pages.c has found out: what of a file was in the page cache when it was first
   mapped, and what came there, of which so many bytes were not near any that was touched. */
void iot_fault_found(struct iot_thread *t, const struct iot_fault_file *f, uint64_t size);
void iot_fault_gained(struct iot_thread *t, const struct iot_fault_file *f, uint64_t offset, uint64_t size, uint64_t touched,
		      uint64_t unused);
/* Of all files, in the name of the process that began the helper, what iot_pages_tell() says, or
   iot_pages_tell_before(). */
void iot_fault_store_pages(const struct iot_faults *share, void (*tell)(struct iot_thread *t, struct iot_fault_file *f));

/* ---- pages.c ---- */

/* The file is mapped. */
void iot_pages_look(struct iot_fault_file *f);
void iot_pages_touch(const struct iot_area *a, const struct iot_fault_event *e);
/* A page is mapped, and was written to perhaps. */
void iot_pages_mark(struct iot_fault_pages *p, uint64_t page, bool touched);
/* What was there before the program began; run is given away. */
void iot_pages_before(struct iot_fault_pages *p, struct iot_page_run *run, uint32_t n);
/* How much that was, if it is known. */
void iot_pages_tell_before(struct iot_thread *t, struct iot_fault_file *f);
/* What has come into the page cache since then, or since it was told last. */
void iot_pages_tell(struct iot_thread *t, struct iot_fault_file *f);

/* ---- before.c ---- */

/* Of the files that the program has mapped, as iotrace-run says. */
void iot_before_read(struct iot_faults *share);
/* In the program: what was used counts once. */
void iot_before_done(const struct iot_faults *share);

/* ---- callers.c ---- */

/* So many bytes of the stack are asked for. */
uint32_t iot_fault_stack_size(void);
/* The id of the stack; t is busy. */
uint32_t iot_fault_stack(struct iot_thread *t, const struct iot_fault_event *e);

#pragma GCC visibility pop

#endif
