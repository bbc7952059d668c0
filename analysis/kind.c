/* SPDX-License-Identifier: BSD-3-Clause */
/* kind.c - what a kind of call does, by its name. */
#include "config.h"

#include "constellation.h"

static const struct entry {
	const char *name;
	struct iota_effect effect;
} entries[] = {
#define EFFECT(name, does, moves, writes, others) {#name, {IOTA_DOES_##does, IOTA_MOVES_##moves, writes, others}},
#define SHARES(name, what)
#define ROLES(name, bits)
#include "analysis/call-effects.h"
#undef EFFECT
#undef SHARES
#undef ROLES
};

struct iota_effect iota_effect(const char *call)
{
	size_t i;

	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strcmp(entries[i].name, call))
			return entries[i].effect;
	return (struct iota_effect){IOTA_DOES_OTHER, IOTA_MOVES_NOTHING, false, false};
}

const char *iota_call_that(enum iota_does does, size_t *at)
{
	while (*at < sizeof(entries) / sizeof(entries[0])) {
		const struct entry *e = &entries[(*at)++];

		if (e->effect.does == does)
			return e->name;
	}
	return NULL;
}

/* A number that some calls have, by their names. */
struct numbered {
	const char *name;
	unsigned number;
};

/* That of the call, in a list whose last name is NULL; what stands there is that of all others. */
static unsigned number_of(const struct numbered *list, const char *call)
{
	while (list->name && strcmp(list->name, call) != 0)
		list++;
	return list->number;
}

static enum iota_shares shares_of(const char *call)
{
	static const struct numbered list[] = {
#define EFFECT(name, does, moves, writes, others)
#define SHARES(name, what) {#name, IOTA_SHARES_##what},
#define ROLES(name, bits)
#include "analysis/call-effects.h"
#undef EFFECT
#undef SHARES
#undef ROLES
		{NULL, IOTA_SHARES_NOTHING}};

	return number_of(list, call);
}

unsigned iota_roles(const char *call)
{
	static const struct numbered list[] = {
#define EFFECT(name, does, moves, writes, others)
#define SHARES(name, what)
#define ROLES(name, bits) {#name, bits},
#include "analysis/call-effects.h"
#undef EFFECT
#undef SHARES
#undef ROLES
		{NULL, 0}};

	return number_of(list, call);
}

bool iota_is_one_of(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

bool iota_unseen_begins(const char *name, const char *family)
{
	/* syscall(2)'s: a row of its own stands for a call of which the log has what it asked for */
	return iota_effect(name).does == IOTA_DOES_ENTER && !strcmp(family, "posix");
}

static struct iota_row *row_of(struct iota *a, const char *name, const char *family)
{
	struct iota_row *row = iota_row(a, IOTA_BY_CALL, name, strlen(name), NULL);

	row->extra = family;
	if (!row->times)
		row->times = iota_alloc(&a->memory, IOTA_N_TIMES * sizeof(row->times[0]));
	return row;
}

/* syscall(2) has a row for each system call. */
struct iota_row *iota_any_row(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	const char *name;
	struct iota_row *row;

	name = iotr_call_syscall(call);
	if (!name)
		name = s->name;
	row = iota_row(a, IOTA_BY_CALL, name, strlen(name), NULL);
	/* one that failed has had nothing read or written: see iota_unseen_begins */
	return row->extra && iotr_call_failed(call) ? row : row_of(a, name, s->family);
}

static bool has_param(const struct iotr_schema *schema, enum iotr_kind kind)
{
	unsigned i;

	for (i = 0; i < schema->n_params; i++)
		if (schema->param[i].kind == kind)
			return true;
	return false;
}

bool iota_is_statement(const struct iotr_schema *schema)
{
	return !strcmp(schema->family, "fortran") && schema->n_params && schema->param[0].kind == IOTR_KIND_NAME;
}

/* Nothing but its kind tells what it does, and what its time is spent on, of a plain file. */
static bool is_plain(const struct iota_kind *kind, const struct iotr_schema *schema)
{
	switch (kind->does) {
	case IOTA_DOES_WAIT:
	case IOTA_DOES_ISSUED:
	case IOTA_DOES_ENTER:
	case IOTA_DOES_END:
		return false;
	default:
		return !kind->locks && !kind->has_flags && !kind->meets && kind->spent != IOTA_F_MEMORY &&
		       !(schema->flags & IOTR_CALL_OPS);
	}
}

const struct iota_kind *iota_kind_new(struct iota *a, const struct iotr_schema *schema)
{
	struct iota_kind *kind;
	struct iota_effect effect;

	kind = iota_alloc(&a->memory, sizeof(*kind));
	kind->any = iotr_schema_is_any(schema);
	if (!kind->any)
		kind->row = row_of(a, schema->name, schema->family);
	effect = iota_effect(schema->name);
	kind->does = effect.does;
	kind->moves = effect.moves;
	kind->writes = effect.writes;
	kind->spent = effect.others ? IOTA_F_WAITING : iota_spends(effect.does, schema->family);
	kind->shares = (unsigned char)shares_of(schema->name);
	kind->roles = iota_roles(schema->name);
	kind->of_memory = !strcmp(schema->family, "mem");
	kind->nonblocking = iota_overlap_knows(schema->name);
	kind->locks = schema->n_params > 1 && schema->param[1].kind == IOTR_KIND_FCNTL;
	kind->has_mode = has_param(schema, IOTR_KIND_IOMODE);
	kind->has_advice = has_param(schema, IOTR_KIND_FADVISE);
	kind->has_flags = has_param(schema, IOTR_KIND_MSGFLAGS);
	kind->meets = schema->flags & IOTR_CALL_COLLECTIVE && !strcmp(schema->family, "mpiio");
	kind->beneath = schema->syscall && !strcmp(schema->family, "posix");
	kind->region = !strcmp(schema->family, "user") && !strcmp(schema->name, "region");
	kind->positioned = schema->flags & IOTR_CALL_HAS_OFFSET;
	kind->views = !strcmp(schema->name, "MPI_File_set_view") && schema->n_params > 3;
	kind->hints = !strcmp(schema->name, "MPI_File_open");
	kind->statement = iota_is_statement(schema);
	kind->plain = is_plain(kind, schema);
	/* the object is the log's and const to us, but this field is ours */
	((struct iotr_schema *)schema)->user = kind;
	return kind;
}
