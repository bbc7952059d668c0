/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace-format.h - the layout of an iotrace log, format version 2.
 *
 * This header, with iotrace-record.h, is all that the recorder (lib/core) and the readers
 * (reader) share.  iotrace-format(5) tells the same story for people without the source.
 *
 * A log is written by one process image and the children that it forked, theirs
 * included, until they run another program.  It is in the byte order of its machine:
 *
 *	+-------------------+  0
 *	| iot_file_header   |  fixed part, IOT_HEADER_SIZE bytes
 *	+-------------------+  IOT_HEADER_SIZE
 *	| header text       |  text_size bytes of "key value\n" lines
 *	+-------------------+  text_end: multiple of IOT_ALIGN
 *	| extent            |  each begins at a multiple of IOT_BLOCK_ALIGN with an
 *	| extent            |  iot_block, which says how long it is
 *	| ...               |
 *	+-------------------+
 *
 * An extent is a *block*: a header and a run of records of one stream.  A
 * stream is what one thread wrote (a thread whose signal handlers interrupt
 * the recorder has a second one).  The last block of a stream is its *window*:
 * the memory, mapped from the file, into which the thread is (or was, when it
 * died) storing records.  A full window is copied behind the end of the file
 * as a finished block, without its slots, and used again; or the stream goes on in a
 * larger window, and the old one is empty.  A window whose thread has ended may become
 * that of another stream, once its records have been copied too.
 *
 * What a reader has to know to survive any way of dying:
 *  - The records of a block are the `used` bytes behind its header, and each
 *    of them is whole: a record is stored first and counted afterwards, with
 *    one store.
 *  - `seq` numbers the blocks of a stream.  If the process died while a window
 *    was being copied, window and copy have the same seq; the window is whole
 *    and the copy may not be: use the window.  If it died while the stream moved to
 *    a larger window, there may be an empty window with the next seq as well.
 *  - Between two extents there may be a hole (zeroes), if the process died
 *    between reserving the space and filling it; go on at the next multiple of
 *    IOT_BLOCK_ALIGN that holds IOT_BLOCK_MAGIC.  Windows that nobody used yet are
 *    such holes.  A window that was being begun, or that a stream has left, has no
 *    magic, is empty, and as long as its size says if that is there.
 *  - Ids of paths, handles and stacks are valid for the whole log; the
 *    definition may stand in another stream, or in a later block, than a use.
 *    Blocks with definitions say so (n_defs), so that they can be found without
 *    decoding everything.
 *  - The kernel may give a process the pid of one that has ended, even within a log.
 *    The numbers of its processes don't come again.
 *
 * What has come to rest has a checksum, so that readers know what is damaged: the header
 * and its text, each finished block, and a window whose thread has ended it in good order
 * ("sealed").  Other windows have none, but for their size.  Version 1 had no checksums.
 */
#ifndef IOTRACE_FORMAT_H
#define IOTRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "iotrace-record.h"

#define IOT_FORMAT_VERSION	2
#define IOT_MAGIC		"IOTRACE\n"
#define IOT_BYTE_ORDER		0x0102030405060708ULL
#define IOT_HEADER_SIZE		4096
#define IOT_ALIGN		4096	/* of windows, and of all that is mapped */
#define IOT_BLOCK_ALIGN		64	/* of finished blocks */
#define IOT_BLOCK_MAGIC		0x424f4949u	/* "IIOB" little-endian */
#define IOT_MAX_SLOTS		32

/* A moment in all three clocks.  Ticks are the timebase's. */
struct iot_anchor {
	uint64_t ticks;
	uint64_t realtime;		/* ns since the epoch */
	uint64_t monotonic;		/* ns, CLOCK_MONOTONIC */
};

struct iot_file_header {
	char magic[8];			/* IOT_MAGIC */
	uint64_t byte_order;		/* IOT_BYTE_ORDER as the writer stored it */
	uint32_t version;		/* IOT_FORMAT_VERSION */
	uint32_t header_size;		/* IOT_HEADER_SIZE */
	uint32_t text_size;		/* bytes of header text behind the header */
	uint32_t pid;			/* of the process that created the log */
	uint64_t text_end;		/* offset of the first extent */
	uint64_t end;			/* extents lie below this offset; grows, but for what was
					   reserved last and can't be had; iot_counted */
	struct iot_anchor start;	/* when the log was created */
	struct iot_anchor latest;	/* the newest anchor of any thread; ticks is stored
					   last and is 0 while the others change */
	uint64_t lost_calls;		/* calls that could not be recorded; iot_counted */
	uint64_t lost_reason;		/* errno or IOT_LOST_* of the first loss, 0 = none; iot_counted */
	uint64_t ended;			/* bytes of the file, or 1, when the last process had exit_group; iot_counted */
	uint64_t latest_sum;		/* of latest, if its ticks are not 0 */
	uint64_t text_sum;		/* of the header text, with zeroes up to a whole word */
	uint64_t fixed_sum;		/* of what of this header does not change: iot_fixed_sum */
	uint64_t left_out;		/* calls that IOTRACE_LONGER, _AFTER or _UNTIL left out; iot_counted */
	uint32_t gate;			/* families whose calls the recorder need not look at closely; */
	uint32_t open_gate;		/* iotrace-ctl clears gate, and restores it from here */
	/* These are stored by iotrace-ctl, while the processes of the log run; version 2 had
	   zeroes here, and for gate.  Times are ns of CLOCK_MONOTONIC. */
	uint32_t off;			/* 1: they record nothing but what iotrace.h(3) tells */
	uint32_t n_off;			/* how often they were told so */
	uint64_t off_since;		/* for the last time */
	uint64_t off_ns;		/* how long it was, all times that have ended together */
	/* Stored by a process that has taken a descriptor of theirs by pidfd_getfd: another
	   number than before.  Zero before there was this word. */
	uint32_t taken;
	/* How often one of them made a description append that others may have, or not append.  Zero before
	   there was this word. */
	uint32_t appended;
};

/* lost_reason beyond errno values */
#define IOT_LOST_LIMIT		0x10000	/* IOTRACE_LIMIT was reached */
#define IOT_LOST_FSIZE		0x10001	/* RLIMIT_FSIZE would have been exceeded */
#define IOT_LOST_FD		0x10002	/* the log's descriptor was lost and the
					   file could not be opened again */
#define IOT_LOST_FILTER	0x10003	/* a seccomp filter of the program's keeps the
					   recorder from writing */
#define IOT_LOST_FILE	0x10005	/* the log was cut short, or lost its disk space, meanwhile */
#define IOT_LOST_POLLED 0x1000a	/* as RING, of a ring whose queue the kernel reads by itself */
#define IOT_LOST_TIMEBASE 0x10004	/* the program forbade itself to read it */
#define IOT_LOST_DEPTH	0x10006	/* regions within more calls than there are slots */
#define IOT_LOST_RING	0x10008	/* what of an io_uring no call of the program's saw in time */
#define IOT_LOST_QUEUE	0x1000b	/* completions for which an io_uring's queue had no place */
#define IOT_LOST_FAULTS 0x10009	/* page faults that came faster than they were read */
#define IOT_LOST_SLOW	0x10007	/* the log's disk was slow, and IOTRACE_ON_SLOW is drop */

/*
 * A call in progress.  Stored on entry, in the window, so that after a kill
 * the log says where every thread was.  start is stored last and cleared first:
 * a slot with start == 0 holds nothing.
 */
struct iot_slot {
	uint64_t start;			/* ticks */
	uint32_t call;			/* call id, IOT_SLOT_* */
	uint32_t handle;		/* 0: none */
	uint64_t frame;			/* frame address of the wrapper, IOT_NO_FRAME */
	uint32_t stack;			/* stack id, 0: none (yet) */
	uint32_t name;			/* value of the call's first parameter, if that is
					   of kind name and was known: path id, 0: none */
};
#define IOT_SLOT_INTERNAL	0x80000000u
#define IOT_SLOT_MADE		0x40000000u	/* the system call that it is was seen */
#define IOT_SLOT_VACANT		0x20000000u	/* of an empty one: calls behind it are not within one */
#define IOT_NO_FRAME		(~0ULL)	/* not bound to one: a region */

struct iot_block {
	uint32_t magic;			/* IOT_BLOCK_MAGIC */
	uint32_t header_size;		/* records begin here: in a window, behind the slots */
	uint32_t used;			/* bytes of finished records; with seq one 8-byte */
	uint32_t seq;			/* word, stored at once when a window is reused */
	uint32_t size;			/* of the whole extent: a multiple of IOT_BLOCK_ALIGN,
					   in a window of IOT_ALIGN */
	uint32_t flags;			/* IOT_BLOCK_* */
	uint32_t stream;		/* unique in the log */
	uint32_t pid;
	uint32_t tid;
	uint32_t level;			/* 0: the thread; n: handlers that interrupted
					   the recorder n deep */
	uint64_t base;			/* ticks that the records' dt count from, until
					   the first IOT_DEF_TIME; never later than the
					   start of a record that has no START word */
	struct iot_anchor anchor;	/* when this block was begun */
	uint32_t n_defs;		/* definitions in this block (IOT_DEF_TIME, _USAGE aside) */
	uint32_t n_late;		/* records that began before `base` of this block */
	uint32_t lost;			/* calls of this stream lost before this block */
	uint32_t depth;			/* window: calls in progress (slots in use) */
	uint32_t process;		/* its number in the log; 0: the one that created it */
	uint32_t sum;			/* iot_head_sum; of a window that is not sealed, iot_size_sum */
};

#define IOT_BLOCK_WINDOW	1u	/* in place: slots follow the header */
#define IOT_BLOCK_HELPER	2u	/* a thread that libc created for itself */
#define IOT_BLOCK_VFORK		4u	/* a child in its parent's memory: pid is the child's */
#define IOT_BLOCK_GAP		8u	/* what came before it could not be written */
#define IOT_BLOCK_MPI		32u	/* a thread that MPI began for itself: all is its own */
#define IOT_BLOCK_OWN		16u	/* of its process's threads not all have its descriptors, */
					/* or its working directory */

/*
 * Checksums.  Behind the records of a finished block, and of a sealed window, stands one
 * word: the iot_sum of the records, in a window of slots and records.
 *
 * iot_sum takes whole words into four lanes and needs neither tables nor instructions that
 * only some processors have: 4.4 us for 64 KiB where a CRC-32C takes 6.7 with SSE4.2's
 * instruction, 2.3 in three lanes that have to be put together, and 33 with tables.  Each
 * step can be undone, whichever of lane and word is known.  So whatever becomes of one word,
 * be it one bit or all, the sum is another; of other damage it misses one in 2^64.  (A CRC of
 * 32 bits is surer of two words that are near each other, and misses one in 2^32 of all else.)
 */
#define IOT_SUM_FACTOR	0x9e3779b97f4a7c15ULL

static inline uint64_t iot_sum_step(uint64_t lane, uint64_t word)
{
	lane = (lane ^ word) * IOT_SUM_FACTOR;
	return lane << 29 | lane >> 35;
}

/* Of n words, behind those whose sum is before. */
static inline uint64_t iot_sum(uint64_t before, const uint64_t *w, uint64_t n)
{
	uint64_t a = before, b = 1, c = 2, d = 3, i;

	for (i = 0; i + 4 <= n; i += 4) {
		a = iot_sum_step(a, w[i]);
		b = iot_sum_step(b, w[i + 1]);
		c = iot_sum_step(c, w[i + 2]);
		d = iot_sum_step(d, w[i + 3]);
	}
	for (; i < n; i++)
		a = iot_sum_step(a, w[i]);
	return iot_sum_step(iot_sum_step(iot_sum_step(iot_sum_step(a, b), c), d), n);
}

/* The same for a block's header, with half words. */
static inline uint32_t iot_sum_step32(uint32_t sum, uint32_t word)
{
	sum = (sum ^ word) * (uint32_t)IOT_SUM_FACTOR;
	return sum << 13 | sum >> 19;
}

static inline uint32_t iot_head_sum(const struct iot_block *b)
{
	const uint32_t *w = (const uint32_t *)b;
	uint32_t sum = 1;

	for (unsigned i = 0; i < sizeof(*b) / 4 - 1; i++)
		sum = iot_sum_step32(sum, w[i]);
	return sum;
}

/* All that readers have to believe of a window which has no other sum. */
static inline uint32_t iot_size_sum(uint32_t size)
{
	return iot_sum_step32(IOT_BLOCK_MAGIC, size);
}

/* A number below 2^48 that changes: with its checksum in one word. */
#define IOT_COUNT(word) ((word) & ((1ULL << 48) - 1))

static inline uint64_t iot_counted(uint64_t n)
{
	return n | n * IOT_SUM_FACTOR >> 48 << 48;
}

static inline uint64_t iot_anchor_sum(const struct iot_anchor *a)
{
	return iot_sum(0, (const uint64_t *)a, sizeof(*a) / 8);
}

static inline uint64_t iot_fixed_sum(const struct iot_file_header *h)
{
	return iot_sum(iot_sum(iot_sum(0, (const uint64_t *)h, 5), (const uint64_t *)&h->start, 3), &h->text_sum, 1);
}

/*
 * Header text: "key value\n" lines.  In values \n, \\ and bytes below 0x20 are
 * written \ooo (three octal digits).  Keys:
 *	program	name (last component)
 *	exe	path of the executable
 *	host, boot_id, kernel, arch, cwd
 *	boot_clock	the time namespace, and CLOCK_BOOTTIME - CLOCK_MONOTONIC in ns modulo 2^64
 *	cores	that the process may run on
 *	memory	of the machine, in bytes
 *	uid, gid, ppid
 *	cmdline	arguments, each followed by \000
 *	ancestry	217532-hello_fortran:176586-hello_c
 *	timebase	rdtsc, cntvct, ..., or monotonic (ticks are then ns)
 *	version	of the recorder
 *	rank, size	of a parallel job, as its launcher said; IOT_DEF_RANK knows better
 *	clock	as IOT_DEF_CLOCK, three decimal numbers
 *	recorder	FROM TO, addresses between which its own code lies, not the program's
 *	setting	NAME=VALUE of every IOTRACE_ variable in force
 *	include	in a job's log: the text that its ranks share belongs to this one
 *	call	ID FAMILY NAME SYSCALL|- FLAGS|- RESULT PARAM:KIND...
 *		+NAME:KIND is no parameter, but what the call found: an argument behind
 *		the others, the last of which may be absent
 * Unknown keys are skipped.  The kinds are listed in iotrace-format(5).
 */

/*
 * The log of a parallel job: what its ranks wrote, in one file.
 *
 *	+-------------------+  0
 *	| iot_job_header    |
 *	+-------------------+  text: header text that ranks have in common
 *	| ...               |  strings: likewise, names that definitions refer to
 *	| ...               |  index: n iot_job_member, in the order of ranks
 *	+-------------------+
 *	| log of a rank     |  each at a multiple of IOT_ALIGN; its offsets count from
 *	| ...               |  there
 *	+-------------------+
 *
 * A rank's log is as above, but that definitions may refer to strings (IOT_SHARED).
 * If the same log is there as a file of its own (the same pid, boot_id and start),
 * that one is the more complete.
 */
#define IOT_JOB_MAGIC	"IOTJOB\n"
#define IOT_JOB_VERSION 2			/* 1 had no checksums */

struct iot_job_header {
	char magic[8];			/* IOT_JOB_MAGIC */
	uint64_t byte_order;		/* IOT_BYTE_ORDER */
	uint32_t version;		/* IOT_JOB_VERSION */
	uint32_t n;			/* logs */
	uint64_t text, text_size;	/* where in the file, and how many bytes */
	uint64_t strings, strings_size;
	uint64_t index;
	uint64_t text_sum, strings_sum, index_sum;	/* with zeroes up to a whole word */
	uint64_t sum;			/* of this header up to here */
};

static inline uint64_t iot_job_sum(const struct iot_job_header *h)
{
	return iot_sum(0, (const uint64_t *)h, sizeof(*h) / 8 - 1);
}

struct iot_job_member {
	uint64_t offset, size;		/* the file may end before the last one does */
	uint32_t rank;
	uint32_t pid;
};

#endif
