/* SPDX-License-Identifier: BSD-3-Clause */
/* notes.c - what is worked out once for a log, a path, a stack or a kind of call. */
#include "config.h"

#include <stdlib.h>

#include "cat.h"

/* All that was allocated here, to be freed at once. */
static void **kept;
static size_t n_kept, cap_kept;

static void *keep(void *p)
{
	if (n_kept == cap_kept) {
		cap_kept = cap_kept ? cap_kept * 2 : 64;
		kept = reallocarray(kept, cap_kept, sizeof(*kept));
	}
	if (!p || !kept)
		iot_die("out of memory");
	kept[n_kept++] = p;
	return p;
}

static void *new_notes(size_t size)
{
	return keep(calloc(1, size));
}

void iot_notes_free(void)
{
	while (n_kept)
		free(kept[--n_kept]);
	free(kept);
	kept = NULL;
	cap_kept = 0;
}

/* The objects are the log's and const to us, but this field is ours. */
struct path_notes *iot_path_notes(const struct iotr_path *path)
{
	struct out o = {.fd = -1};
	struct path_notes *n = path->user;

	if (n)
		return n;
	n = new_notes(sizeof(*n));
	out_char(&o, '"');
	iot_out_json(&o, path->name, path->len);
	out_char(&o, '"');
	n->json = keep(o.buf);
	n->json_len = o.len;
	((struct iotr_path *)path)->user = n;
	return n;
}

static void json_member(struct out *o, const char *key, const char *value)
{
	out_lit(o, ",\"");
	out_str(o, key);
	out_lit(o, "\":\"");
	iot_out_json(o, value, strlen(value));
	out_char(o, '"');
}

struct call_notes *iot_call_notes(const struct iotr_schema *schema)
{
	struct out o = {.fd = -1};
	struct call_notes *n = schema->user;

	if (n)
		return n;
	n = new_notes(sizeof(*n));
	json_member(&o, "family", schema->family);
	json_member(&o, "call", schema->name);
	n->json = keep(o.buf);
	n->json_len = o.len;
	((struct iotr_schema *)schema)->user = n;
	return n;
}

struct stack_notes { /* iotr_stack.user, as long as the stack is known */
	struct out text;
	unsigned indent;
};

static void drop_stack_notes(void *user)
{
	struct stack_notes *n = user;

	free(n->text.buf);
	free(n);
}

/* Many calls come from few places. */
void iot_out_stack(struct out *o, const struct iotr_call *call, unsigned indent, iot_stack_printer *print)
{
	const struct iotr_stack *stack = iotr_call_stack(call);
	struct stack_notes *n;

	if (!stack)
		return;
	n = stack->user;
	if (!n) {
		n = calloc(1, sizeof(*n));
		if (!n)
			iot_die("out of memory");
		n->text.fd = -1;
		((struct iotr_stack *)stack)->user = n;
		((struct iotr_stack *)stack)->drop = drop_stack_notes;
	}
	if (!n->text.len || n->indent != indent) {
		n->text.len = 0;
		n->indent = indent;
		print(&n->text, call->log, stack, indent);
	}
	iot_out_bytes(o, n->text.buf, n->text.len);
}

struct log_notes *iot_log_notes(struct iotr_log *log)
{
	struct out o = {.fd = -1};
	struct log_notes *n = *iotr_log_user(log);

	/* in a log that is followed MPI may have set the launcher right since */
	if (n && n->rank == iotr_log_rank(log, NULL))
		return n;
	n = new_notes(sizeof(*n));
	n->host = iotr_log_key(log, "host", NULL);
	n->program = iotr_log_key(log, "program", NULL);
	n->rank = iotr_log_rank(log, NULL);
	if (n->host)
		json_member(&o, "host", n->host);
	out_lit(&o, ",\"pid\":");
	n->json = keep(o.buf);
	n->json_len = o.len;
	o = (struct out){.fd = -1};
	iot_out_need(&o, 1);
	if (n->rank >= 0) {
		out_lit(&o, ",\"rank\":");
		out_signed(&o, n->rank);
	}
	if (n->program)
		json_member(&o, "prog", n->program);
	n->json_program = keep(o.buf);
	n->json_program_len = o.len;
	*iotr_log_user(log) = n;
	return n;
}
