/* SPDX-License-Identifier: BSD-3-Clause */
/* define.h - what records of a log define: processes, names, mappings, stacks, sums. */
#ifndef IOTR_DEFINE_H
#define IOTR_DEFINE_H

#include "log-data.h"

/* Processes are followed so far from child to parent. */
#define IOTR_ANCESTORS 1024

/* process.c */
struct iotr_process *iotr_process_get(struct iotr_log *log, uint32_t number, uint32_t pid);
bool iotr_process_define(struct iotr_log *log, const uint64_t *p, size_t n);
/* The process whose mappings this one has at that time: its own, or, if it defined none,
   those that it was forked with. */
struct iotr_process *iotr_process_mapped(const struct iotr_log *log, uint32_t number,
					 uint64_t *ticks);

/* define.c */
void iotr_define(struct iotr_log *log, uint32_t process, unsigned kind, const uint64_t *p,
		 size_t n);
void iotr_defines_done(struct iotr_log *log);

/* maps.c */
struct iotr_stack_at {
	struct iotr_stack stack;
	uint32_t process;	   /* to which, and */
	uint64_t ticks;		   /* when this is what it means; so it is */
	uint64_t from, to;	   /* between these, */
	size_t n_maps;		   /* as far as one knew with so many maps; 0: not looked at */
	struct iotr_stack_at *next; /* of other times; the first is the log's, by its id */
};
bool iotr_maps_add(struct iotr_log *log, uint32_t process, const uint64_t *p, size_t n);
void iotr_maps_done(struct iotr_log *log);

/* stacks.c */
bool iotr_frames_define(struct iotr_log *log, const uint64_t *p, size_t n);
bool iotr_stack_define(struct iotr_log *log, const uint64_t *p, size_t n);
void iotr_stacks_done(struct iotr_log *log);
/* What there is of it, the first of those with that id; NULL: it is not defined.  Others may
   be forgotten.  What is missing counts as a bad reference. */
struct iotr_stack_at *iotr_stack_get(struct iotr_log *log, uint32_t id);
struct iotr_stack_at *iotr_stack_new(struct iotr_log *log, size_t frames);
void iotr_stacks_forget(struct iotr_log *log);

/* counted-calls.c */
bool iotr_sum_define(struct iotr_log *log, const uint64_t *p, size_t n);
/* schema NULL: of any. */
void iotr_sum_add(struct iotr_sum *sum, struct iotr_log *log, const struct iotr_schema *schema);

/* record.c */
bool iotr_inline_bytes(const struct iotr_log *log, const uint64_t *p, size_t n, const char **bytes,
		       size_t *len, size_t *words);

/* symbol.c */
void iotr_modules_free(struct iotr_shared *shared);

#endif
