/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c - questions that every tool asks about a call. */
#include "config.h"

#include <string.h>

#include "schema.h"

#define SYSCALL(nr, name, is_io) [nr] = #name,
static const char *const x86_64[] = {
#include "../table/syscalls-x86_64.def"
};
#undef SYSCALL

/* Processors by their names in headers of logs, which are those of uname -m. */
static const struct iotr_syscalls {
	const char *arch;
	size_t n;
	const char *const *name;
} processors[] = {
	{"x86_64", sizeof(x86_64) / sizeof(x86_64[0]), x86_64},
};
#define N_PROCESSORS (sizeof(processors) / sizeof(processors[0]))

const struct iotr_syscalls *iotr_syscalls_of(const char *arch)
{
	/* old logs don't say it, and setarch(8) has uname say i686: the recorder has only
	   ever been built for x86-64 then */
	if (!arch || (arch[0] == 'i' && arch[1] && !strcmp(arch + 2, "86")))
		return &processors[0];
	for (size_t i = 0; i < N_PROCESSORS; i++)
		if (!strcmp(processors[i].arch, arch))
			return &processors[i];
	return NULL;
}

bool iotr_is_syscall(const char *name)
{
	for (size_t p = 0; p < N_PROCESSORS; p++)
		for (size_t i = 0; i < processors[p].n; i++)
			if (processors[p].name[i] && !strcmp(processors[p].name[i], name))
				return true;
	return false;
}

static const char *syscall_name(const struct iotr_log *log, uint64_t number)
{
	return log->syscalls && number < log->syscalls->n ? log->syscalls->name[number] : NULL;
}

bool iotr_schema_is_any(const struct iotr_schema *s)
{
	return s->n_params && s->param[0].kind == IOTR_KIND_SYSCALL;
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
		return syscall_name(call->log, call->value[0].word);
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

/* A page fault, of which only the moment is known. */
static bool is_moment(const struct iotr_schema *s)
{
	return s->n_params > 3 && s->param[3].kind == IOTR_KIND_ACCESS;
}

bool iotr_call_has_dur(const struct iotr_call *call)
{
	if (call->inferred || is_moment(call->schema))
		return false;
	return call->status == IOTR_FINISHED || call->status == IOTR_ABANDONED ||
	       (call->status == IOTR_UNFINISHED && call->dur);
}

/* Of a name that the log does not define, path is NULL. */
static const char *said(const char *name, size_t n, const struct iotr_path *defined, size_t *len,
			const struct iotr_path **path)
{
	if (path)
		*path = defined;
	if (len && name)
		*len = n;
	return name;
}

const char *iotr_call_path(const struct iotr_call *call, size_t *len, const struct iotr_path **path,
			   int *index)
{
	const struct iotr_schema *s = call->schema;
	const struct iotr_path *of_handle = call->handle ? call->handle->path : NULL;
	unsigned i;

	if (index)
		*index = -1;
	if (of_handle)
		return said(of_handle->name, of_handle->len, of_handle, len, path);
	for (i = 0; i < s->n_params; i++) {
		const struct iotr_value *v = &call->value[i];

		if (s->param[i].kind != IOTR_KIND_PATH && s->param[i].kind != IOTR_KIND_RELPATH)
			continue;
		if (index)
			*index = (int)i;
		if (v->type == IOTR_VAL_PATH)
			return said(v->path->name, v->path->len, v->path, len, path);
		if (v->type == IOTR_VAL_BYTES)
			return said(v->bytes, v->len, NULL, len, path);
		break;
	}
	return said(NULL, 0, NULL, len, path);
}
