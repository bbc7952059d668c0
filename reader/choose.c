/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - which calls of a set are wanted. */
#include "config.h"

#include "set.h"
#include "streams.h"

/* An answer to a question that is asked once for each path and kind of call. */
static bool remembered(uint32_t *answer, uint32_t number, bool *known)
{
	*known = *answer >> 1 == number;
	return *answer & 1;
}

bool iotr_chosen_process(const struct iotr_set *set, const struct iotr_stream *s)
{
	const struct iotr_choice *c = &set->choice;
	const struct iotr_process *p;

	if (!c->process)
		return true;
	p = iotr_log_process(s->log, s->process);
	return p && c->process(c->process_arg, s->log, p);
}

bool iotr_ask_schema(const struct iotr_set *set, const struct iotr_schema *schema)
{
	const struct iotr_choice *c = &set->choice;
	struct iotr_schema *s = (struct iotr_schema *)schema;
	bool known, chosen;

	chosen = remembered(&s->chosen, c->number, &known);
	if (known)
		return chosen;
	chosen = c->schema(c->schema_arg, s);
	s->chosen = c->number << 1 | chosen;
	return chosen;
}

bool iotr_chosen_path(const struct iotr_set *set, const struct iotr_path *path, bool any)
{
	const struct iotr_choice *c = &set->choice;
	struct iotr_path *p = (struct iotr_path *)path;
	bool known, chosen;

	if (any)
		return c->any(c->any_arg, path);
	chosen = remembered(&p->chosen, c->number, &known);
	if (known)
		return chosen;
	chosen = c->path(c->path_arg, path);
	p->chosen = c->number << 1 | chosen;
	return chosen;
}

static bool chosen_file(const struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_path *path;
	struct iotr_path unnamed = {0};

	unnamed.name = iotr_call_path(call, &unnamed.len, &path, NULL);
	if (!unnamed.name)
		return false;
	return path ? iotr_chosen_path(set, path, false) : set->choice.path(set->choice.path_arg, &unnamed);
}

static bool chosen_handle(const struct iotr_set *set, const struct iotr_handle *h)
{
	return h && h->path && iotr_chosen_path(set, h->path, true);
}

static bool chosen_value(const struct iotr_set *set, enum iotr_kind kind, const struct iotr_value *v)
{
	switch (v->type) {
	case IOTR_VAL_PATH:
		return iotr_chosen_path(set, v->path, true);
	case IOTR_VAL_HANDLE:
		return chosen_handle(set, v->handle);
	case IOTR_VAL_PAIR:
		return chosen_handle(set, v->pair[0]) || chosen_handle(set, v->pair[1]);
	case IOTR_VAL_BYTES:
		return (kind == IOTR_KIND_PATH || kind == IOTR_KIND_RELPATH) &&
		       iotr_chosen_path(set, &(struct iotr_path){.name = v->bytes, .len = v->len}, true);
	default:
		return false;
	}
}

bool iotr_passes_always(const struct iotr_schema *s)
{
	return s->flags & IOTR_CALL_OPS || iotr_schema_is_any(s);
}

static bool chosen_any(const struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;

	if (iotr_passes_always(s) || chosen_handle(set, call->handle))
		return true;
	for (unsigned i = 0; i < s->n_params; i++)
		if (chosen_value(set, s->param[i].kind, &call->value[i]))
			return true;
	return false;
}

bool iotr_chosen_files_of(const struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_choice *c = &set->choice;

	return (!c->path || chosen_file(set, call)) && (!c->any || chosen_any(set, call));
}

void iotr_set_rewind(struct iotr_set *set)
{
	set->begun = false;
}

void iotr_set_seek(struct iotr_set *set, uint64_t from, uint64_t to)
{
	set->choice.from = from;
	set->choice.to = to;
	iotr_set_rewind(set);
}

void iotr_set_processes(struct iotr_set *set, iotr_process_fn *fn, void *arg)
{
	set->choice.process = fn;
	set->choice.process_arg = arg;
	iotr_set_rewind(set);
}

void iotr_set_calls(struct iotr_set *set, iotr_schema_fn *fn, void *arg)
{
	set->choice.schema = fn;
	set->choice.schema_arg = arg;
	set->choice.number++;
	iotr_set_rewind(set);
}

void iotr_set_paths(struct iotr_set *set, iotr_path_fn *fn, void *arg)
{
	set->choice.path = fn;
	set->choice.path_arg = arg;
	set->choice.number++;
	iotr_set_rewind(set);
}

void iotr_set_any_paths(struct iotr_set *set, iotr_path_fn *fn, void *arg)
{
	set->choice.any = fn;
	set->choice.any_arg = arg;
	iotr_set_rewind(set);
}
