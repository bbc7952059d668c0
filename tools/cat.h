/* SPDX-License-Identifier: BSD-3-Clause */
/* cat.h - what the parts of iotrace-cat know of each other. */
#ifndef CAT_H
#define CAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "iotrace-read.h"

/* ---- cat-out.c: standard output, through a buffer of our own ---- */

struct out {
	char *buf;
	size_t len, cap;
	int fd; /* -1: memory only, grows */
};

void iot_out_need(struct out *o, size_t n); /* room for n bytes */
void iot_out_flush(struct out *o);
void iot_out_bytes(struct out *o, const char *s, size_t n);
void iot_out_unsigned(struct out *o, uint64_t v);
void iot_out_padded(struct out *o, uint64_t v, unsigned digits);
void iot_out_base(struct out *o, uint64_t v, unsigned shift); /* 3: octal, 4: hex */
/* Both do only what is between the quotes. */
void iot_out_json(struct out *o, const char *s, size_t n);
void iot_out_c(struct out *o, const char *s, size_t n);

static inline void out_char(struct out *o, char c)
{
	if (o->len == o->cap)
		iot_out_need(o, 1);
	o->buf[o->len++] = c;
}

static inline void out_str(struct out *o, const char *s)
{
	iot_out_bytes(o, s, strlen(s));
}

static inline void out_signed(struct out *o, int64_t v)
{
	if (v < 0)
		out_char(o, '-');
	iot_out_unsigned(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

#define out_lit(o, s) iot_out_bytes(o, "" s, sizeof(s) - 1)

/* ---- options ---- */

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_RAW };

/* One end of the time window. */
struct limit {
	bool given;
	bool absolute; /* ns since the epoch, else since the process started */
	int64_t ns;
};

struct options {
	enum format format;
	bool paths;	/* -y */
	unsigned clock; /* how many -t */
	bool relative, since_start, stacks, offsets;
	bool failed, ok; /* -Z, -z */
	struct limit from, to;
};
extern struct options iot_options;

/* One line on stderr, "iotrace-cat: ..."; exits 2. */
void iot_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- cat-filter.c ---- */
void iot_filter_calls(const char *list); /* -e */
void iot_filter_path(const char *regex); /* -P */
void iot_filter_ids(const char *list);	 /* -p */
/* After the logs are open: complain about names that no log and no table knows. */
void iot_filter_check(const struct iot_set *set);
bool iot_filter_pass(const struct iot_call *call);
void iot_limit_parse(struct limit *l, const char *option, const char *text);

/* ---- what is worked out once per definition ---- */

struct path_notes {	     /* iot_path.user */
	signed char matches; /* -P: 0 not asked yet, 1 yes, -1 no */
	char *json;
	size_t json_len;
};
struct path_notes *iot_path_notes(const struct iot_path *path);

struct call_notes { /* iot_schema.user */
	bool pass;  /* -e */
	char *json; /* ,"family":...,"call":... */
	size_t json_len;
};
struct call_notes *iot_call_notes(const struct iot_schema *schema);

struct log_notes { /* iot_log_user */
	const char *host, *program, *rank;
	char *json; /* ,"host":...,"pid": */
	size_t json_len;
	char *json_program; /* ,"rank":...,"prog":... */
	size_t json_program_len;
};
struct log_notes *iot_log_notes(struct iot_log *log);
/* Frees all of these; the logs must not be used afterwards. */
void iot_notes_free(void);

/* ---- cat-args.c: arguments as text ---- */
/* Whether the call does not look at its parameter i, as open at a mode without
   O_CREAT: strace leaves those out, and so do we. */
bool iot_is_ignored(const struct iot_call *call, unsigned i);
void iot_text_quoted(struct out *o, const char *s, size_t n);
void iot_text_path(struct out *o, const char *s, size_t n);	/* <path> */
void iot_text_hex(struct out *o, uint64_t v);
void iot_text_params(struct out *o, const struct iot_call *call);

/* ---- cat-text.c, cat-json.c, cat-table.c, cat-addr.c ---- */
void iot_text_begin(const struct iot_set *set);
void iot_text_call(struct out *o, const struct iot_call *call);
void iot_json_call(struct out *o, const struct iot_call *call);
/* The object behind "args": false if there is none; written behind lead. */
bool iot_json_args(struct out *o, const struct iot_call *call, const char *lead);
void iot_table_begin(struct out *o, const struct iot_set *set, bool raw);
void iot_table_call(struct out *o, const struct iot_call *call, bool raw);
/* A socket address as text */
size_t iot_address(const char *bytes, size_t len, char *buf, size_t size);
/* "unfinished" and so on; NULL for a call that is finished and was seen */
const char *iot_status_name(const struct iot_call *call);
/* Does the call have a descriptor to show?  It may have been -1. */
bool iot_fd_known(const struct iot_call *call, int *fd);

#endif
