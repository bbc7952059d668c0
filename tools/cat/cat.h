/* SPDX-License-Identifier: BSD-3-Clause */
/* cat.h - what the parts of iotrace-cat know of each other. */
#ifndef CAT_H
#define CAT_H

#include "../common/fields.h"
#include "../common/tool.h"

/* ---- formats ---- */

/* Options that not every format can do something about. */
enum { CANNOT_STACKS = 1, CANNOT_DIFFER = 2, CANNOT_ABOUT = 4 };

struct format {
	const char *name;
	unsigned cannot; /* CANNOT_ flags of the options that it refuses */
	/* Each may be NULL.  The logs are known from begin to end; with -f others may come
	   in between, which log is told of. */
	void (*begin)(struct out *o, const struct iotr_set *set);
	void (*log)(struct out *o, const struct iotr_log *log);
	void (*call)(struct out *o, const struct iotr_call *call);
	void (*end)(struct out *o, const struct iotr_set *set);
};

/* A format is a file of formats/, which ends with its row: FORMAT(name, number, ...), with the members
   of the struct above.  Its name is the file's, and the manual has what the head of the file says that it
   is.  Messages name formats in the order of their numbers; the first is the default.
   table/rows.awk makes formats.list of all of them. */
#define FORMAT(name_of_file, number, ...)                                                          \
	extern const struct format iot_format_##name_of_file;                                      \
	const struct format iot_format_##name_of_file = {.name = #name_of_file, __VA_ARGS__};

extern const struct format iot_format_json; /* which others print calls in, too */

/* All of them; NULL behind the last. */
extern const struct format *const iot_formats[];
/* Dies if there is none of that name. */
const struct format *iot_format_named(const char *name);
/* Dies if the format can't do what another option asks for. */
void iot_format_check(void);

/* ---- options ---- */

struct options {
	const struct format *format;
	bool paths;	/* -y */
	unsigned clock; /* how many -t */
	bool relative, since_start, stacks, offsets;
	bool follow;
	bool about; /* what logs say beside calls */
	uint64_t blocked; /* ns: calls in progress are shown if they take longer */
};
extern struct options iot_options; /* options.c */

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

/* The call's stack, if it has one, as print shows it, which is asked once for each stack. */
typedef void iot_stack_printer(struct out *o, struct iotr_log *log, const struct iotr_stack *stack,
			       unsigned indent);
void iot_out_stack(struct out *o, const struct iotr_call *call, unsigned indent, iot_stack_printer *print);

struct log_notes { /* iotr_log_user */
	const char *host, *program;
	int rank; /* -1: none */
	char *json; /* ,"host":...,"pid": */
	size_t json_len;
	char *json_program; /* ,"rank":...,"prog":... */
	size_t json_program_len;
};
struct log_notes *iot_log_notes(struct iotr_log *log);

/* ---- about.c ---- */
void iot_cat_about(const struct iotr_set *set);

/* Frees all of these; the logs must not be used afterwards. */
void iot_notes_free(void);

/* ---- words.c: what text consists of ---- */
void iot_text_quoted(struct out *o, const char *s, size_t n);
void iot_text_path(struct out *o, const char *s, size_t n);	/* <path> */
void iot_text_hex(struct out *o, uint64_t v);
void iot_text_handle(struct out *o, const struct iotr_handle *h);

/* ---- args.c: arguments as text ---- */
void iot_text_params(struct out *o, const struct iotr_call *call);

/* ---- cache.c, operation.c ---- */
/* What the call says of the page cache (IOTRACE_CACHE) */
void iot_text_cache(struct out *o, const struct iotr_call *call);
void iot_json_cache(struct out *o, const struct iotr_call *call);
/* Of an asynchronous operation, else false.  What a request or a completion is about;
   behind the result when it was issued. */
bool iot_text_operation(struct out *o, const struct iotr_call *call);
bool iot_text_issued(struct out *o, const struct iotr_call *call);

/* ---- left.c ---- */
/* Notes about operations that never ended, or were never collected: the first, and how many. */
struct iota_ops;
void iot_list_operations(struct iota_ops *ops);

/* ---- print.c ---- */
void iot_begin(const struct iotr_set *set); /* what goes before the calls */
void iot_print_call(const struct iotr_call *call);
void iot_end(const struct iotr_set *set); /* what goes behind them */

/* ---- follow.c ---- */
void iot_cat_follow(char **path);

/* ---- json-stack.c ---- */
iot_stack_printer iot_json_stack;

/* ---- table.c: calls as rows, for csv, tsv and raw ---- */
struct style {
	char separator;
	void (*text)(struct out *o, const char *s, size_t n); /* a field that is any text */
	void (*json)(struct out *o, const char *s, size_t n); /* one that is JSON */
};
void iot_table_head(struct out *o, char separator); /* names of the columns */
void iot_table_call(struct out *o, const struct iotr_call *call, const struct style *style);

#endif
