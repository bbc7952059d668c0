/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c - questions that every tool asks about a call. */
#include "config.h"

#include <string.h>

#include "read.h"

#define SYSCALL(nr, name, is_io) [nr] = #name,
static const char *const syscalls[] = {
#include "../table/syscalls-x86_64.def"
};
#define N_SYSCALLS (sizeof(syscalls) / sizeof(syscalls[0]))

bool iotr_is_syscall(const char *name)
{
	for (size_t i = 0; i < N_SYSCALLS; i++)
		if (syscalls[i] && !strcmp(syscalls[i], name))
			return true;
	return false;
}

bool iotr_schema_is_any(const struct iotr_schema *s)
{
	return !s->syscall && s->n_params && !strcmp(s->name, "syscall");
}

bool iotr_call_is_any(const struct iotr_call *call)
{
	return iotr_schema_is_any(call->schema) && call->value[0].type == IOTR_VAL_WORD;
}

const char *iotr_call_syscall(const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;

	if (call->no_syscall || call->inferred)
		return NULL;
	if (iotr_call_is_any(call))
		return call->value[0].word < N_SYSCALLS ? syscalls[call->value[0].word] : NULL;
	return s->syscall;
}

bool iotr_call_failed(const struct iotr_call *call)
{
	if (call->err)
		return true;
	if (!(call->has & IOT_HAS_RET))
		return false;
	return iotr_result_failed(call->schema->result, call->ret);
}

bool iotr_call_has_dur(const struct iotr_call *call)
{
	if (call->inferred)
		return false;
	return call->status == IOTR_FINISHED || call->status == IOTR_ABANDONED ||
	       (call->status == IOTR_UNFINISHED && call->dur);
}

const char *iotr_call_path(const struct iotr_call *call, size_t *len, const struct iotr_path **path,
			   int *index)
{
	const struct iotr_schema *s = call->schema;
	unsigned i;

	*path = NULL;
	if (index)
		*index = -1;
	if (call->handle && call->handle->path) {
		*path = call->handle->path;
		*len = (*path)->len;
		return (*path)->name;
	}
	for (i = 0; i < s->n_params; i++) {
		const struct iotr_value *v = &call->value[i];

		if (s->param[i].kind != IOTR_KIND_PATH && s->param[i].kind != IOTR_KIND_RELPATH)
			continue;
		if (index)
			*index = (int)i;
		if (v->type == IOTR_VAL_PATH) {
			*path = v->path;
			*len = v->path->len;
			return v->path->name;
		}
		if (v->type == IOTR_VAL_BYTES) {
			*len = v->len;
			return v->bytes;
		}
		return NULL;
	}
	return NULL;
}
