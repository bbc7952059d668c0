/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.c - calls that outlive the next one. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "log-data.h"

static size_t bytes_of(const struct iotr_value *v)
{
	return v->type == IOTR_VAL_BYTES ? v->len : 0;
}

static void move_bytes(struct iotr_value *v, char **to)
{
	if (v->type != IOTR_VAL_BYTES)
		return;
	if (v->len)
		memcpy(*to, v->bytes, v->len);
	v->bytes = *to;
	*to += v->len;
}

/* The copy and its bytes are one piece of memory. */
struct iotr_call *iotr_call_copy(const struct iotr_call *call)
{
	const unsigned n = call->schema->n_params;
	size_t size = bytes_of(&call->entry);
	struct iotr_call *copy;
	char *to;

	for (unsigned i = 0; i < n; i++)
		size += bytes_of(&call->value[i]);
	copy = malloc(sizeof(*copy) + size);
	if (!copy)
		return NULL;
	*copy = *call;
	to = (char *)(copy + 1);
	move_bytes(&copy->entry, &to);
	for (unsigned i = 0; i < n; i++)
		move_bytes(&copy->value[i], &to);
	return copy;
}

void iotr_call_free(struct iotr_call *copy)
{
	free(copy);
}
