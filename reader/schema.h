/* SPDX-License-Identifier: BSD-3-Clause */
/* schema.h - what the text of a header says: calls, their parameters, and how these are recorded. */
#ifndef IOTR_SCHEMA_H
#define IOTR_SCHEMA_H

#include "log-data.h"

/* More than the number of any kind: they are numbered without gaps. */
enum {
	IOTR_N_KINDS = 0
#define IOT_KIND(...) +1
#define IOT_RESULT(...) +1
#include "../table/kinds.def"
};

#define IOTR_TEXT_MAX (64u << 20)

#define IOTR_MAX_CALL (1u << IOT_CALL_BITS)

/* kinds.c */
enum iotr_kind iotr_kind_of(const char *name);
void iotr_kind_describe(struct iotr_param *p); /* all that follows from its kind */
bool iotr_result_failed(enum iotr_kind kind, int64_t ret); /* without an error */

/* call.c */
const struct iotr_syscalls *iotr_syscalls_of(const char *arch);

/* The calls of a schema.  Logs that are read together share it if they have the same. */
struct iotr_calls {
	struct iotr_calls *next;
	char *text; /* as it was parsed; NULL: it is not to be shared */
	size_t size;
	struct iotr_arena arena;
	struct iotr_keys keys;
	struct iotr_schema *schema[IOTR_MAX_CALL];
	struct iotr_call_bits *bits; /* of logs that are not packed; NULL: nobody has noted any */
	unsigned order[IOTR_MAX_CALL];
	size_t n_order;
};
extern struct iotr_calls iotr_no_calls;

/* header.c, keys.c, schema.c */
int iotr_header_read(struct iotr_log *log);
/* A log that was created and has no header yet: then it is one without calls. */
bool iotr_header_unborn(struct iotr_log *log);
/* What of the header changes while the log is written. */
void iotr_header_refresh(struct iotr_log *log);
void iotr_schema_parse(struct iotr_log *log, const char *value);
/* "call ..." lines, of which the log has none yet: as those of another log, or to be
   those of another.  NULL: there is something else among them. */
struct iotr_calls *iotr_calls_get(struct iotr_log *log, const char *text, size_t size, bool *known);
void iotr_calls_free(struct iotr_shared *shared);
/* A call that the header does not explain still gets a name. */
const struct iotr_schema *iotr_schema_unknown(struct iotr_log *log, unsigned id);

static inline const struct iotr_schema *iotr_schema_get(struct iotr_log *log, unsigned id)
{
	return log->calls->schema[id] ? log->calls->schema[id] : iotr_schema_unknown(log, id);
}

#endif
