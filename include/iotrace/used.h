/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace/used.h - what the kernel counted of the threads of a log while they were recorded.
 * iotrace/read.h includes it, and says all else.
 */
#ifndef IOTRACE_USED_H
#define IOTRACE_USED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct iotr_log;

/* What getrusage(2) says. */
struct iotr_usage {
	uint64_t ticks;			 /* how long */
	uint64_t user, system;		 /* us of the processor */
	uint64_t minor, major;		 /* page faults */
	uint64_t in, out;		 /* blocks of 512 bytes */
	uint64_t voluntary, involuntary; /* context switches */
};

/* What /proc/PID/task/TID/io says, see proc(5), if IOTRACE_CACHE asked for it. */
struct iotr_io {
	uint64_t rchar, wchar;		  /* bytes that system calls moved, of whatever descriptor */
	uint64_t syscr, syscw;		  /* how many these were */
	uint64_t read_bytes, write_bytes; /* that devices were asked for, that became dirty */
	uint64_t cancelled_write_bytes;	  /* that became dirty, and were gone before they were written */
};

/* Its n-th number, from 0 on, and what proc(5) calls it; NULL behind the last one. */
const char *iotr_io_number(const struct iotr_io *io, size_t n, uint64_t *value);

/* Of all threads, added up; zeros if the log does not say. */
struct iotr_usage iotr_log_usage(const struct iotr_log *log);
/* false if the log does not say */
bool iotr_log_io(const struct iotr_log *log, struct iotr_io *io);
/* Of one thread after the other, false behind the last: *at is 0 at first. */
bool iotr_log_usage_next(const struct iotr_log *log, size_t *at, uint32_t *pid, uint32_t *tid, struct iotr_usage *usage);
/* What the thread of that stream (of iotr_call) had used at one moment after the other, of which n is the
   number: when it began, with each block of the log, and last; false behind the last.  ticks is the
   moment, for iotr_log_time; the other numbers count from when the thread began. */
bool iotr_log_usage_at(const struct iotr_log *log, uint32_t stream, size_t n, struct iotr_usage *usage);
bool iotr_log_io_next(const struct iotr_log *log, size_t *at, uint32_t *pid, uint32_t *tid, struct iotr_io *io);

#ifdef __cplusplus
}
#endif

#endif
