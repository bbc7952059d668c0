/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-kind.c - what a kind of call does, by its name. */
#include "config.h"

#include <stdlib.h>

#include "stat.h"

static const struct entry {
	const char *name;
	enum does does;
	enum moves moves;
} entries[] = {
#define KIND(does, moves, name) {#name, DOES_##does, MOVES_##moves},
#include "kinds.def"
#undef KIND
};

static struct row *row_of(const char *name, const char *family)
{
	struct row *row = iot_row(BY_CALL, name, strlen(name), NULL);

	row->extra = family;
	if (!row->times)
		row->times = iot_stat_alloc(N_TIMES * sizeof(row->times[0]));
	return row;
}

/* syscall(2) has a row for each system call. */
struct row *iot_stat_row(const struct kind *kind, const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	const char *name;

	if (!kind->any)
		return kind->row;
	name = iotr_call_syscall(call);
	return row_of(name ? name : s->name, s->family);
}

const struct kind *iot_stat_kind(const struct iotr_schema *schema)
{
	struct kind *kind = schema->user;
	size_t i;

	if (kind)
		return kind;
	kind = iot_stat_alloc(sizeof(*kind));
	kind->any = iotr_schema_is_any(schema);
	if (!kind->any)
		kind->row = row_of(schema->name, schema->family);
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(entries[i].name, schema->name))
			continue;
		kind->does = entries[i].does;
		kind->moves = entries[i].moves;
	}
	kind->region = !strcmp(schema->family, "user") && !strcmp(schema->name, "region");
	kind->positioned = schema->flags & IOTR_CALL_HAS_OFFSET;
	/* the object is the log's and const to us, but this field is ours */
	((struct iotr_schema *)schema)->user = kind;
	return kind;
}
