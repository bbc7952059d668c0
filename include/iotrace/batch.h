/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iotrace/batch.h - calls as columns, many at a time: for programs in languages that would rather
 * call one function for thousands of calls.  iotrace/read.h includes it, and says all else.
 */
#ifndef IOTRACE_BATCH_H
#define IOTRACE_BATCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct iotr_log;
struct iotr_path;
struct iotr_schema;
struct iotr_set;

/* Of flags, besides IOTR_HAS_SIZE and the like. */
#define IOTR_HAS_DUR 32u
#define IOTR_IS_INTERNAL 64u
#define IOTR_IS_MPI_OWN 128u
#define IOTR_IS_INFERRED 256u

/* Each has room for as many as are asked for, or is NULL: not wanted. */
struct iotr_batch {
	struct iotr_log **log;
	const struct iotr_schema **schema;
	/* That of iotr_call_path; NULL: the call is about no file.  Of a name that the log does not
	   define, it has nothing but name and len; it lives as long as the set. */
	const struct iotr_path **path;
	const char **syscall; /* of iotr_call_syscall */
	uint64_t *start, *dur, *id, *parent_id, *size, *offset;
	int64_t *ret;
	int32_t *err;
	int32_t *fd; /* -1: none */
	uint32_t *pid, *tid, *depth, *stack;
	uint32_t *status; /* enum iotr_status */
	uint32_t *flags;  /* IOTR_HAS_*, IOTR_IS_*: fields that are not there have any value */
};

/* The next calls, as iotr_set_next gives them: up to n.  Returns how many there are, 0 at the end. */
size_t iotr_set_batch(struct iotr_set *set, const struct iotr_batch *to, size_t n);

#ifdef __cplusplus
}
#endif

#endif
