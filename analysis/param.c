/* SPDX-License-Identifier: BSD-3-Clause */
/* param.c - what the arguments of a call say. */
#include "config.h"

#include "internal.h"

const struct iotr_value *iota_value(const struct iotr_call *call, enum iotr_kind kind)
{
	const struct iotr_schema *s = call->schema;
	unsigned i;

	for (i = 0; i < s->n_params; i++)
		if (s->param[i].kind == kind)
			return &call->value[i];
	return NULL;
}

bool iota_param(const struct iotr_call *call, enum iotr_kind kind, uint64_t *value)
{
	const struct iotr_value *v = iota_value(call, kind);

	if (!v)
		return false;
	*value = v->word;
	return v->type == IOTR_VAL_WORD;
}

uint64_t iota_word(const struct iotr_call *call, enum iotr_kind kind)
{
	uint64_t value;

	return iota_param(call, kind, &value) ? value : 0;
}

const char *iota_operation(const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;

	/* behind its number */
	if (!(s->flags & IOTR_CALL_OPS) || s->n_params < 2 || s->param[1].kind != IOTR_KIND_OPERATION)
		return NULL;
	return call->value[1].type == IOTR_VAL_PATH ? call->value[1].path->name : "";
}

bool iota_is_queued(const struct iotr_call *call)
{
	return iota_operation(call) && (iota_word(call, IOTR_KIND_QUEUE) || iota_word(call, IOTR_KIND_UNSEEN));
}
