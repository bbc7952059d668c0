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

bool iot_is_syscall(const char *name)
{
	for (size_t i = 0; i < N_SYSCALLS; i++)
		if (syscalls[i] && !strcmp(syscalls[i], name))
			return true;
	return false;
}

bool iot_schema_is_any(const struct iot_schema *s)
{
	return !s->syscall && s->n_params && !strcmp(s->name, "syscall");
}

bool iot_call_is_any(const struct iot_call *call)
{
	return iot_schema_is_any(call->schema) && call->value[0].type == IOT_VAL_WORD;
}

const char *iot_call_syscall(const struct iot_call *call)
{
	const struct iot_schema *s = call->schema;

	if (call->no_syscall || call->inferred)
		return NULL;
	if (iot_call_is_any(call))
		return call->value[0].word < N_SYSCALLS ? syscalls[call->value[0].word] : NULL;
	return s->syscall;
}

bool iot_call_failed(const struct iot_call *call)
{
	if (call->err)
		return true;
	if (!(call->has & IOT_HAS_RET))
		return false;
	switch (call->schema->result) {
	case IOT_KIND_ERRCODE:
		return call->ret != 0;
	case IOT_KIND_BYTES:
	case IOT_KIND_COUNT:
	case IOT_KIND_LONG:
	case IOT_KIND_FD:
	case IOT_KIND_FILE:
	case IOT_KIND_DIR:
	case IOT_KIND_STATUS:
	case IOT_KIND_EOF:
	case IOT_KIND_NONNEG:
	case IOT_KIND_CHARS:
	case IOT_KIND_POS:
	case IOT_KIND_MAP:
	case IOT_KIND_PID:
		return call->ret == -1;
	case IOT_KIND_PTR:
		return call->ret == 0;
	default:
		/* a character or a line: -1 without an error is the end of the file */
		return false;
	}
}

bool iot_call_has_dur(const struct iot_call *call)
{
	if (call->inferred)
		return false;
	return call->status == IOT_FINISHED || call->status == IOT_ABANDONED ||
	       (call->status == IOT_UNFINISHED && call->dur);
}

const char *iot_call_path(const struct iot_call *call, size_t *len, const struct iot_path **path,
			  int *index)
{
	const struct iot_schema *s = call->schema;
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
		const struct iot_value *v = &call->value[i];

		if (s->param[i].kind != IOT_KIND_PATH && s->param[i].kind != IOT_KIND_RELPATH)
			continue;
		if (index)
			*index = (int)i;
		if (v->type == IOT_VAL_PATH) {
			*path = v->path;
			*len = v->path->len;
			return v->path->name;
		}
		if (v->type == IOT_VAL_BYTES) {
			*len = v->len;
			return v->bytes;
		}
		return NULL;
	}
	return NULL;
}
