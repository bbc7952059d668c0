/* SPDX-License-Identifier: BSD-3-Clause */
/* record-draft.h - a record in the making: what args.c gathers and encode.c stores. */
#ifndef IOT_RECORD_DRAFT_H
#define IOT_RECORD_DRAFT_H

#include <stddef.h>
#include <string.h>

#include "arg-structs.h"
#include "call.h"
#include "paths.h"

#pragma GCC visibility push(hidden)

/* An argument that is more than a word. */
struct iot_arg_text {
	const void *s;
	uint32_t len;
};

struct iot_draft {
	uint64_t size, offset;
	uint64_t cached, fetched, dirtied;	/* bytes, if present says so */
	uint32_t argc, words;			/* so many of what is below */
	uint32_t present;
	uint32_t path_flags;
	struct iot_path path;			/* the first, */
	const char *name;			/* absolute, */
	uint32_t name_len;
	uint32_t serial;			/* and as the program gave it: NULL if */
	const char *given;			/* relative to a directory's descriptor */
	uint64_t word[IOT_MAX_PARAMS + IOT_MAX_FOUND];
	struct iot_arg_text text[IOT_MAX_PARAMS + IOT_MAX_FOUND];	/* s == NULL: the word is all */
};

/* One without arguments; the arrays are left as they are. */
static inline void iot_draft_init(struct iot_draft *d)
{
	memset(d, 0, offsetof(struct iot_draft, word));
	d->offset = IOT_UNKNOWN;
}

/* What of the program's memory a call is known to have read. */
enum iot_outcome {
	IOT_SUCCEEDED,			/* all that it was given */
	IOT_HAS_FAILED,			/* what c->err tells */
	IOT_NOT_MADE,			/* nothing, so far */
};

struct iovec;
uint64_t iot_vectors_sum(struct iot_thread *t, const struct iovec *iov, uint64_t n);

/* args.c: fills in what the call's arguments say; t is busy. */
void iot_draft_args(struct iot_thread *t, struct iot_draft *d, struct iot_call *c,
		    const uint64_t *arg, long ret, enum iot_outcome outcome);

#pragma GCC visibility pop

#endif
