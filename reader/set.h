/* SPDX-License-Identifier: BSD-3-Clause */
/* set.h - several logs, and which of their calls are wanted. */
#ifndef IOTR_SET_H
#define IOTR_SET_H

#include "heap.h"

/* What the program chose.  A function that is NULL chooses all. */
struct iotr_choice {
	uint64_t from, to; /* ns: calls that begin then, and before to */
	iotr_process_fn *process;
	void *process_arg;
	iotr_schema_fn *schema;
	void *schema_arg;
	iotr_path_fn *path;
	void *path_arg;
	iotr_path_fn *any; /* likewise, of all files that a call names */
	void *any_arg;
	uint32_t number; /* of this choice: answers to earlier ones count no more */
};

struct iotr_set {
	iotr_message_fn *fn;
	void *arg;
	struct iotr_log **log;
	size_t n_logs, cap_logs;
	struct iotr_idmap by_start; /* one that began then */
	struct iotr_idmap boots;    /* struct iotr_boot, in boot.c */
	struct iotr_shared *shared;
	struct iotr_node *heap;
	size_t n_heap;
	bool begun;
	bool failed; /* for lack of memory */
	bool given; /* the heap's top was returned by the last call */
	struct iotr_choice choice;
	struct iotr_call call;
	void *kept_names; /* kept-names.c */
};

/* kept-names.c */
const struct iotr_path *iotr_kept_name(struct iotr_set *set, const char *name, size_t len);
void iotr_kept_names_free(struct iotr_set *set);

/* choose.c */
bool iotr_ask_schema(const struct iotr_set *set, const struct iotr_schema *schema);
static inline bool iotr_chosen_schema(const struct iotr_set *set, const struct iotr_schema *schema)
{
	return !set->choice.schema || iotr_ask_schema(set, schema);
}
/* By the first choice of files, or that of any; only if it was made. */
bool iotr_chosen_path(const struct iotr_set *set, const struct iotr_path *path, bool any);
/* Does the choice of any leave such calls out never? */
bool iotr_passes_always(const struct iotr_schema *schema);
bool iotr_chosen_process(const struct iotr_set *set, const struct iotr_stream *s);
/* All of it that only the decoded call tells: time and path. */
bool iotr_chosen_files_of(const struct iotr_set *set, const struct iotr_call *call);
static inline bool iotr_chosen_call(const struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_choice *c = &set->choice;

	return call->start >= c->from && call->start < c->to &&
	       ((!c->path && !c->any) || iotr_chosen_files_of(set, call));
}

/* restart.c: each stream at its first block that may have a chosen call. */
void iotr_set_restart(struct iotr_set *set);

/* set-add.c */
struct dirent;
int iotr_is_log(const struct dirent *d);
void iotr_unreadable(struct iotr_set *set, const char *file, const char *text, int err);

/* set.c */
void iotr_set_end(struct iotr_set *set);

/* set-logs.c */
void iotr_set_take(struct iotr_set *set, struct iotr_log *log);

/* boot.c: when the log's times are, by the clock of those logs that have the same one. */
void iotr_boot_place(struct iotr_set *set, struct iotr_log *log);

#endif
