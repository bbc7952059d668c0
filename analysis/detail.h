/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detail.h - all about one file: calls are read a second time, by start, when it is known
 * which names are of one file.  Memory is by lines of the program, threads and opens.
 */
#ifndef IOTA_DETAIL_H
#define IOTA_DETAIL_H

#include "analysis.h"
#include "async.h"
#include "page-cache.h"

#define IOTA_MOST_OPENS 10000 /* that are listed */
#define IOTA_N_STRIDES 16

struct iota_opening {
	uint64_t start, end; /* ns since the epoch; end 0: not closed, or not known */
	uint64_t id;	     /* of the call */
	const struct iotr_log *log;
	const char *call, *name;
	uint32_t process, pid, tid;
	int fd; /* -1: not known */
};

/* Calls of one name, from one line, or by one thread. */
struct iota_of_file {
	const char *name; /* of the call or the line; NULL: it is a thread */
	enum iota_does does;
	bool is_syscall;
	const struct iotr_log *log;
	uint32_t pid, tid;
	uint64_t calls, errors, inferred, bytes; /* those that system calls moved, but for names of calls */
	uint64_t time;				 /* ns, with calls inside; lines, threads: outermost calls */
	uint64_t first, last;			 /* ns since the epoch: when they began, and ended */
};

struct iota_list {
	struct iota_of_file *of;
	size_t n;
};

/* Reads or writes, as system calls, of which the offset is known. */
struct iota_sequence {
	uint64_t located, consecutive, strided, first;
	struct iota_stride {
		int64_t distance; /* from one beginning to the next */
		uint64_t n;
	} stride[IOTA_N_STRIDES]; /* of those that are not consecutive; the most frequent first */
	uint64_t other;		  /* of yet other distances */
};

struct iota_detail {
	const struct iota_row *row;
	struct iota_opening *opening;
	size_t n_openings;
	uint64_t opens; /* of these, the first IOTA_MOST_OPENS are listed */
	struct iota_list calls, lines, threads;
	uint64_t sizes[2][65];	   /* by number of bits: of reads, of writes */
	uint64_t durations[2][65]; /* the same, ns */
	struct iota_sequence order[2];
	struct iota_page_cache cache;
	struct iota_requests requests;
	void *places;
};

struct iota_details {
	struct iota_detail *detail;
	size_t n;
};

/* After iota_done: chosen is asked for every name of every file. */
typedef bool iota_chosen_fn(void *arg, const char *name, size_t len);
struct iota_details *iota_details_new(struct iota *a, iota_chosen_fn *chosen, void *arg);
/* Each call that is to be counted, by start, of the same logs. */
void iota_details_add(struct iota *a, struct iota_details *d, const struct iotr_call *call);
void iota_details_end(struct iota_details *d);
void iota_details_free(struct iota_details *d);

#endif
