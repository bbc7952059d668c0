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
#include "stat-kinds.def"
#undef KIND
};

const struct kind *iot_stat_kind(const struct iot_schema *schema)
{
	struct kind *kind = schema->user;
	size_t i;

	if (kind)
		return kind;
	kind = iot_stat_alloc(sizeof(*kind));
	kind->row = iot_row(BY_CALL, schema->name, strlen(schema->name), NULL);
	kind->row->extra = schema->family;
	if (!kind->row->times)
		kind->row->times = iot_stat_alloc(N_TIMES * sizeof(kind->row->times[0]));
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(entries[i].name, schema->name))
			continue;
		kind->does = entries[i].does;
		kind->moves = entries[i].moves;
	}
	kind->region = !strcmp(schema->family, "user") && !strcmp(schema->name, "region");
	kind->positioned = schema->flags & IOT_CALL_HAS_OFFSET;
	/* the object is the log's and const to us, but this field is ours */
	((struct iot_schema *)schema)->user = kind;
	return kind;
}
