/* SPDX-License-Identifier: BSD-3-Clause */
/* param.c - what the arguments of a call say. */
#include "config.h"

#include "internal.h"

bool iota_param(const struct iotr_call *call, enum iotr_kind kind, uint64_t *value)
{
	const struct iotr_schema *s = call->schema;
	unsigned i;

	for (i = 0; i < s->n_params; i++) {
		if (s->param[i].kind != kind)
			continue;
		*value = call->value[i].word;
		return call->value[i].type == IOTR_VAL_WORD;
	}
	return false;
}

const char *iota_operation(const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;

	/* behind its number */
	if (!(s->flags & IOTR_CALL_OPS) || s->n_params < 2 || s->param[1].kind != IOTR_KIND_OPERATION)
		return NULL;
	return call->value[1].type == IOTR_VAL_PATH ? call->value[1].path->name : "";
}

uint64_t iota_word(const struct iotr_call *call, const char *name)
{
	unsigned i;

	for (i = 0; i < call->schema->n_params; i++)
		if (!strcmp(call->schema->param[i].name, name))
			return call->value[i].type == IOTR_VAL_WORD ? call->value[i].word : 0;
	return 0;
}
