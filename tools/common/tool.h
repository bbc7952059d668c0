/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.h - what the tools that read logs share. */
#ifndef TOOL_H
#define TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "iotrace/read.h"

/* ---- out.c: standard output, through a buffer of our own ---- */

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
/* As a field of csv, in quotes if it needs them. */
void iot_out_csv(struct out *o, const char *s, size_t n);
/* Both do only what is between the quotes. */
void iot_out_json(struct out *o, const char *s, size_t n);
void iot_out_c(struct out *o, const char *s, size_t n);
/* The bytes in pairs, before their letters, as backslash and letter, other control
   characters as \ooo. */
void iot_out_escaped(struct out *o, const char *s, size_t n, const char *pairs);

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

/* ---- tool.c: messages and the exit status ---- */

/* Standard output.  What it holds is written before a message is. */
extern struct out iot_stdout;
/* 0; 1 once a log turned out to be damaged, 2 once one could not be read */
extern int iot_exit_status;

/* One line on stderr that begins with the tool's name; exits with 2. */
void iot_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* To be given to iotr_set_new. */
void iot_on_message(void *unused, enum iotr_severity severity, const char *file, const char *text);

/* ---- progress.c: how far reading has got, on a terminal ---- */

extern bool iot_progress_off;
/* Before the first call is read.  output_at_end: nothing is printed until
   iot_progress_end.  What prints something else clears first. */
void iot_progress_begin(const struct iotr_set *set, bool output_at_end);
void iot_progress_clear(void);
void iot_progress_end(void);

/* To be called for every call that was read. */
extern uint64_t iot_progress_calls;
void iot_progress_show(void);

static inline void iot_progress(void)
{
	if (!(++iot_progress_calls % 1024))
		iot_progress_show();
}

/* ---- ops.c: operations that have not ended when all calls have been seen ---- */

struct op {
	const struct iotr_log *log;
	uint32_t process;	/* its number */
	const struct iotr_path *path; /* NULL: not known */
	const char *call;	     /* that began it */
	const char *family;	     /* each has numbers of its own */
	uint64_t number, start, offset, size;
	bool has_offset, has_size;
	bool begun, wanted;
};
/* To be called for every call, in any order.  wanted: it is to be listed. */
void iot_ops_see(const struct iotr_call *call, bool wanted);
/* After the last one, while the logs are there: what is left, by start. */
const struct op *iot_ops_left(size_t *n);

/* ---- unseen.c: what the kernel does for the program by itself ---- */

/* Whether the system call of that name has the kernel read and write. */
bool iot_unseen_begins(const char *name);
/* To be called for every call; after the last one, while the logs are there: a note on
   stderr for each log that has such calls. */
void iot_unseen_see(const struct iotr_call *call);
void iot_unseen_tell(void);

/* ---- filter.c: the calls that the user wants to see ---- */

/* For the tool's own argp: these options, --no-progress, and that at least one log
   has to be given.  The logs are left to main. */
extern const struct argp_child iot_logs_children[];
/* After the logs are open: complain about names that no log and no table knows. */
void iot_filter_check(const struct iotr_set *set);
/* To a set that has no logs yet: --symfs. */
void iot_symfs_set(struct iotr_set *set);
bool iot_filter_test(const struct iotr_call *call);
extern bool iot_filter_given;

static inline bool iot_filter_pass(const struct iotr_call *call)
{
	return !iot_filter_given || iot_filter_test(call);
}

#endif
