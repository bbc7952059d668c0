/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-site.c - which line of the program a call came from. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "stat.h"

/* Code of the program: it has a source file, and not one of the compiler's or of
   a library's headers. */
static bool of_program(const struct iot_frame *f)
{
	return f->file && strncmp(f->file, "/usr/include/", 13) && strncmp(f->file, "/usr/lib/", 9);
}

static const struct iot_frame *innermost(struct iot_log *log, const struct iot_stack *stack)
{
	uint32_t i;

	for (i = 0; i < stack->n; i++) {
		const struct iot_frame *f = iot_log_frame(log, stack, i);

		if (of_program(f))
			return f;
	}
	return stack->n ? iot_log_frame(log, stack, 0) : NULL;
}

/* "function (file:line)", or what is known of that */
static struct row *row_of_frame(const struct iot_frame *f)
{
	struct out o = {.fd = -1};
	struct row *row;

	if (f->func)
		out_str(&o, f->func);
	else if (f->module)
		out_str(&o, f->module);
	if (f->file) {
		out_lit(&o, " (");
		out_str(&o, f->file);
		out_char(&o, ':');
		out_signed(&o, f->line);
		out_char(&o, ')');
	} else {
		out_str(&o, f->func || f->module ? " + 0x" : "0x");
		iot_out_base(&o, f->module ? f->module_offset : f->pc, 4);
	}
	row = iot_row(BY_SITE, o.buf, o.len, NULL);
	free(o.buf);
	return row;
}

static struct row *site_of(const struct iot_call *call, const struct iot_stack *stack)
{
	const struct iot_frame *f;

	if (!stack)
		return iot_row(BY_SITE, "(no stack)", 10, NULL);
	if (!stack->user) {
		f = innermost(call->log, stack);
		/* the object is the log's and const to us, but this field is ours */
		((struct iot_stack *)stack)->user =
			f ? row_of_frame(f) : iot_row(BY_SITE, "(no stack)", 10, NULL);
	}
	return stack->user;
}

/* Where a Fortran statement stands, if nothing better is known: the compiler has told its
   runtime. */
static const struct iot_path *statement(const struct iot_call *call)
{
	const struct iot_stack *stack;
	const struct iot_frame *f;

	if (strcmp(call->schema->family, "fortran") || !call->schema->n_params ||
	    call->schema->param[0].kind != IOT_KIND_NAME || call->value[0].type != IOT_VAL_PATH)
		return NULL;
	stack = iot_call_stack(call);
	f = stack ? innermost(call->log, stack) : NULL;
	return f && f->file ? NULL : call->value[0].path;
}

void iot_site_add(const struct sample *s)
{
	const struct iot_path *at = statement(s->call);

	static const struct iot_log *log;
	static const struct iot_stack *stack;
	static struct row *row;
	const struct iot_stack *own;

	if (at) {
		iot_row_add(iot_row(BY_SITE, at->name, at->len, NULL), s);
		return;
	}
	/* what one line does is often done again and again */
	own = iot_call_stack(s->call);
	if (!row || s->call->log != log || own != stack) {
		log = s->call->log;
		stack = own;
		row = site_of(s->call, own);
	}
	iot_row_add(row, s);
}
