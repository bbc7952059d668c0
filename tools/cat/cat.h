/* SPDX-License-Identifier: BSD-3-Clause */
/* cat.h - what the parts of iotrace-cat know of each other. */
#ifndef CAT_H
#define CAT_H

#include "../common/tool.h"

/* ---- options ---- */

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_RAW };

struct options {
	enum format format;
	bool paths;	/* -y */
	unsigned clock; /* how many -t */
	bool relative, since_start, stacks, offsets;
	bool follow;
	bool about; /* what logs say beside calls */
	uint64_t blocked; /* ns: calls in progress are shown if they take longer */
};
extern struct options iot_options;

/* ---- what is worked out once per definition ---- */

struct path_notes { /* iotr_path.user */
	char *json;
	size_t json_len;
};
struct path_notes *iot_path_notes(const struct iotr_path *path);

struct call_notes { /* iotr_schema.user */
	char *json; /* ,"family":...,"call":... */
	size_t json_len;
};
struct call_notes *iot_call_notes(const struct iotr_schema *schema);

struct stack_notes { /* iotr_stack.user, as long as the stack is known */
	char *json;  /* ,"stack":[...] */
	size_t json_len;
};
struct stack_notes *iot_stack_notes(struct iotr_log *log, const struct iotr_stack *stack);

struct log_notes { /* iotr_log_user */
	const char *host, *program;
	int rank; /* -1: none */
	char *json; /* ,"host":...,"pid": */
	size_t json_len;
	char *json_program; /* ,"rank":...,"prog":... */
	size_t json_program_len;
};
struct log_notes *iot_log_notes(struct iotr_log *log);
/* cat-about.c */
void iot_cat_about(const struct iotr_set *set);

/* Frees all of these; the logs must not be used afterwards. */
void iot_notes_free(void);

/* ---- cat-args.c: arguments as text ---- */
/* Whether the call does not look at its parameter i, as open at a mode without
   O_CREAT: strace leaves those out, and so do we. */
bool iot_is_ignored(const struct iotr_call *call, unsigned i);
void iot_text_quoted(struct out *o, const char *s, size_t n);
void iot_text_path(struct out *o, const char *s, size_t n);	/* <path> */
void iot_text_hex(struct out *o, uint64_t v);
void iot_text_params(struct out *o, const struct iotr_call *call);

/* ---- iotrace-cat.c, cat-follow.c ---- */
void iot_begin(const struct iotr_set *set);
void iot_print_call(const struct iotr_call *call);
/* What is counted and has no records: text says it at the end. */
void iot_list_sums(const struct iotr_set *set);
void iot_cat_follow(char **path);

/* ---- cat-text.c, cat-json.c, cat-table.c, cat-addr.c ---- */
void iot_text_begin(const struct iotr_set *set);
void iot_text_call(struct out *o, const struct iotr_call *call);
void iot_json_call(struct out *o, const struct iotr_call *call);
void iot_json_stack(struct out *o, struct iotr_log *log, const struct iotr_stack *stack);
/* The object behind "args": false if there is none; written behind lead. */
bool iot_json_args(struct out *o, const struct iotr_call *call, const char *lead);
void iot_table_begin(struct out *o, const struct iotr_set *set, bool raw);
void iot_table_log(struct out *o, const struct iotr_log *log); /* raw: its header lines */
void iot_table_call(struct out *o, const struct iotr_call *call, bool raw);
/* A socket address as text */
size_t iot_address(const char *bytes, size_t len, char *buf, size_t size);
/* "unfinished" and so on; NULL for a call that is finished and was seen */
const char *iot_status_name(const struct iotr_call *call);
/* Does the call have a descriptor to show?  It may have been -1. */
bool iot_fd_known(const struct iotr_call *call, int *fd);

#endif
