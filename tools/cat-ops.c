/* SPDX-License-Identifier: BSD-3-Clause */
/* cat-ops.c - operations that begin in one call and end in another: which of them
   never ended. */
#include "config.h"

#include <stdlib.h>

#include "cat.h"

struct op {
	const struct iot_log *log;
	const struct iot_path *path;	/* NULL: not known */
	const char *call;		/* that began it */
	uint64_t number, offset, size;
	bool has_offset;
};

static struct op *ops;
static size_t n_ops, room;

/* Parameter of that kind; -1: none. */
static int find(const struct iot_call *call, enum iot_kind kind)
{
	const struct iot_schema *s = call->schema;

	for (unsigned i = 0; i < s->n_params; i++)
		if (s->param[i].kind == kind)
			return call->value[i].type == IOT_VAL_WORD && call->value[i].word ? (int)i : -1;
	return -1;
}

static void begins(const struct iot_call *call, uint64_t number)
{
	if (n_ops == room) {
		room = room ? 2 * room : 64;
		ops = realloc(ops, room * sizeof(*ops));
		if (!ops)
			iot_die("out of memory");
	}
	ops[n_ops++] = (struct op){
		.log = call->log,
		.path = call->handle ? call->handle->path : NULL,
		.call = call->schema->name,
		.number = number,
		.offset = call->offset,
		.size = call->size,
		.has_offset = call->has & IOT_HAS_OFFSET,
	};
}

/* Programs have few at a time, and end first what they began first. */
static void ends(const struct iot_call *call, uint64_t number)
{
	for (size_t i = 0; i < n_ops; i++)
		if (ops[i].number == number && ops[i].log == call->log) {
			memmove(&ops[i], &ops[i + 1], (--n_ops - i) * sizeof(*ops));
			return;
		}
}

void iot_ops_see(const struct iot_call *call)
{
	int i;

	if (!(call->schema->flags & IOT_CALL_OPS))
		return;
	i = find(call, IOT_KIND_MPIOP);
	if (i >= 0)
		begins(call, call->value[i].word);
	i = find(call, IOT_KIND_MPIDONE);
	if (i >= 0)
		ends(call, call->value[i].word);
}

/* Says what is left; to be called while the logs are there. */
void iot_ops_end(void)
{
	for (size_t i = 0; i < n_ops; i++) {
		const struct op *op = &ops[i];
		char text[600], at[40] = "";

		if (op->has_offset)
			snprintf(at, sizeof(at), " at offset %llu", (unsigned long long)op->offset);
		snprintf(text, sizeof(text), "never completed: operation %llu, %s of %llu bytes%s%s%.400s",
			 (unsigned long long)op->number, op->call, (unsigned long long)op->size, at,
			 op->path ? " of " : "", op->path ? op->path->name : "");
		iot_on_message(NULL, IOT_NOTE, iot_log_file(op->log), text);
	}
	free(ops);
}
