/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - which line of the program a call came from. */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

/* Does the function only begin a program or a thread?  Whoever has the source of libc
   installed has a line for it, and no interest in that. */
static bool is_startup(const struct iotr_frame *f)
{
	static const char *const name[] = {"_start",
					   "__libc_start_call_main",
					   "__libc_start_main",
					   "__libc_start_main_impl",
					   "start_thread",
					   "__clone3",
					   "clone3",
					   "clone",
					   "__clone",
					   "_start_c",
					   "libc_start_main_stage2"};
	size_t i;

	for (i = 0; f->func && i < sizeof(name) / sizeof(name[0]); i++)
		if (!strcmp(f->func, name[i]))
			return true;
	return false;
}

/* Of a shared library, and not the program's: its C library. */
static bool is_libc(const struct iotr_frame *f)
{
	const char *base = f->module ? strrchr(f->module, '/') : NULL;

	return base && (!strncmp(base, "/libc.so", 8) || !strncmp(base, "/libc-2.", 8) ||
			!strncmp(base, "/ld-linux", 9) || !strncmp(base, "/ld-musl", 8) ||
			!strncmp(base, "/libpthread", 11));
}

/* Does it belong to an interpreter, or to what was installed for it, whatever it is written in? */
static bool is_python_library(const char *file)
{
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	return strstr(file, "/lib/python3") || strstr(file, "/site-packages/") ||
	       strstr(file, "/dist-packages/") || !strncmp(base, "python3", 7) ||
	       !strncmp(base, "libpython3", 10) || !strncmp(base, "<frozen ", 8);
}

static bool is_header(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9);
}

enum iota_merit iota_frame_merit(const struct iotr_frame *f)
{
	if (f->language)
		return f->file && f->line && !is_python_library(f->file) ? IOTA_MERIT_LINE
									 : IOTA_MERIT_SCRIPT;
	if (!f->module || is_startup(f) || is_libc(f))
		return IOTA_MERIT_NONE;
	if (f->file && !is_header(f->file) && !is_python_library(f->module))
		return IOTA_MERIT_LINE;
	return f->func ? IOTA_MERIT_FUNCTION : IOTA_MERIT_CODE;
}

/* The innermost one of the best. */
static const struct iotr_frame *innermost(struct iotr_log *log, const struct iotr_stack *stack)
{
	const struct iotr_frame *best = NULL, *f;
	enum iota_merit best_merit = IOTA_MERIT_NONE;
	uint32_t i;

	for (i = 0; i < stack->n && best_merit < IOTA_MERIT_LINE; i++)
		for (f = iotr_log_frame(log, stack, i); f; f = f->outer)
			if (iota_frame_merit(f) > best_merit) {
				best_merit = iota_frame_merit(f);
				best = f;
			}
	return best || !stack->n ? best : iotr_log_frame(log, stack, 0);
}

/* "function (file:line)", or what is known of that */
static struct iota_row *row_of_frame(struct iota *a, const struct iotr_frame *f)
{
	struct iota_bytes b = {0};
	struct iota_row *row;

	if (f->func)
		iota_bytes_text(&b, f->func);
	else if (f->module)
		iota_bytes_text(&b, f->module);
	if (f->file) {
		iota_bytes_text(&b, " (");
		iota_bytes_text(&b, f->file);
		if (f->line)
			iota_bytes_format(&b, ":%d", f->line);
		iota_bytes_text(&b, ")");
	} else {
		iota_bytes_format(&b, "%s0x%llx", f->func || f->module ? " + " : "",
				  (unsigned long long)(f->func	   ? f->func_offset
						       : f->module ? f->module_offset
								   : f->pc));
	}
	row = iota_row(a, IOTA_BY_SITE, b.p, b.len, NULL);
	free(b.p);
	return row;
}

/* What one line does is often done again and again. */
struct iota_stack_notes *iota_stack_notes(const struct iotr_stack *stack)
{
	/* the object is the log's and const to us, but these fields are ours */
	struct iotr_stack *s = (struct iotr_stack *)stack;

	if (!s->user) {
		s->user = iota_malloc(sizeof(struct iota_stack_notes));
		s->drop = free;
		*(struct iota_stack_notes *)s->user = (struct iota_stack_notes){0};
	}
	return s->user;
}

static struct iota_row *site_of(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_stack *stack = iotr_call_stack(call);
	struct iota_stack_notes *notes = stack ? iota_stack_notes(stack) : NULL;
	const struct iotr_frame *f;
	struct iota_row *row;

	if (notes && notes->site)
		return notes->site;
	f = stack ? innermost(call->log, stack) : NULL;
	if (!f && !a->no_site)
		a->no_site = iota_row(a, IOTA_BY_SITE, "(no stack)", 10, NULL);
	row = f ? row_of_frame(a, f) : a->no_site;
	if (notes)
		notes->site = row;
	return row;
}

/* Where a Fortran statement stands, if nothing better is known: the compiler has told its
   runtime. */
static const struct iotr_path *statement(const struct iotr_call *call)
{
	const struct iotr_stack *stack;
	const struct iotr_frame *f;

	if (call->value[0].type != IOTR_VAL_PATH)
		return NULL;
	stack = iotr_call_stack(call);
	f = stack ? innermost(call->log, stack) : NULL;
	return f && f->file ? NULL : call->value[0].path;
}

const struct iotr_path *iota_statement(struct iota *a, const struct iotr_call *call)
{
	return iota_kind(a, call->schema)->statement ? statement(call) : NULL;
}

static struct iota_row *row_at(struct iota *a, const struct iotr_path *at, const struct iotr_call *call)
{
	return at ? iota_row(a, IOTA_BY_SITE, at->name, at->len, NULL) : site_of(a, call);
}

/* The line that it counts for. */
static struct iota_row *row_of(struct iota *a, const struct iotr_call *call)
{
	return row_at(a, iota_statement(a, call), call);
}

/* Schemas may have notes of somebody else. */
const struct iota_row *iota_site_of(struct iota *a, const struct iotr_call *call)
{
	return row_at(a, iota_is_statement(call->schema) ? statement(call) : NULL, call);
}

const char *iota_site_name(struct iota *a, const struct iotr_call *call)
{
	return row_of(a, call)->name;
}

void iota_site_add(struct iota *a, const struct iota_sample *s)
{
	iota_row_add(a, row_of(a, s->call), s);
}
