/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - a call as one line of JSON. */
#include "config.h"

#include "cat.h"

const char *iot_status_name(const struct iotr_call *call)
{
	switch (call->status) {
	case IOTR_UNFINISHED:
		return "unfinished";
	case IOTR_NORETURN:
		return "noreturn";
	case IOTR_ABANDONED:
		return "abandoned";
	case IOTR_FINISHED:
		break;
	}
	return call->inferred ? "inferred" : NULL;
}

/* A stream may have no descriptor; a descriptor that was -1 is worth showing. */
bool iot_fd_known(const struct iotr_call *call, int *fd)
{
	const struct iotr_schema *s = call->schema;
	unsigned i;

	*fd = call->handle ? call->handle->fd : -1;
	if (*fd >= 0)
		return true;
	for (i = 0; i < s->n_params; i++)
		if (s->param[i].place == IOTR_AT_HANDLE)
			return s->param[i].kind == IOTR_KIND_FD && call->status != IOTR_UNFINISHED;
	return false;
}

static void json_string(struct out *o, const char *s, size_t n)
{
	out_char(o, '"');
	iot_out_json(o, s, n);
	out_char(o, '"');
}

static void json_path(struct out *o, const struct iotr_path *path)
{
	const struct path_notes *n = iot_path_notes(path);

	iot_out_bytes(o, n->json, n->json_len);
}

static void json_word(struct out *o, const struct iotr_param *p, uint64_t word)
{
	char buf[512];
	size_t n = iotr_symbolic(p->kind, word, buf, sizeof(buf));

	if (n) {
		json_string(o, buf, n);
		return;
	}
	switch (p->as) {
	case IOTR_AS_UNSIGNED:
	case IOTR_AS_POINTER:
	case IOTR_AS_DEVICE:
		iot_out_unsigned(o, word);
		break;
	case IOTR_AS_UINT:
	case IOTR_AS_OWNER:
	case IOTR_AS_OCTAL:
		iot_out_unsigned(o, (uint32_t)word);
		break;
	default:
		out_signed(o, (int64_t)word);
	}
}

static void json_fd(struct out *o, const struct iotr_handle *h)
{
	if (h)
		out_signed(o, h->fd);
	else
		out_lit(o, "null");
}

static void json_value(struct out *o, const struct iotr_param *p, const struct iotr_value *v)
{
	char buf[200];

	switch (v->type) {
	case IOTR_VAL_PATH:
		json_path(o, v->path);
		break;
	case IOTR_VAL_BYTES:
		if (p->as == IOTR_AS_ADDRESS)
			json_string(o, buf, iot_address(v->bytes, v->len, buf, sizeof(buf)));
		else
			json_string(o, v->bytes, v->len);
		break;
	case IOTR_VAL_HANDLE:
		json_fd(o, v->handle);
		break;
	case IOTR_VAL_PAIR:
		out_char(o, '[');
		json_fd(o, v->pair[0]);
		out_char(o, ',');
		json_fd(o, v->pair[1]);
		out_char(o, ']');
		break;
	case IOTR_VAL_WORD:
		json_word(o, p, v->word);
		break;
	case IOTR_VAL_NONE:
		out_lit(o, "null");
	}
}

/* The value of parameter i if it has no key of its own; shown is the path that
   is in "path" already. */
static bool arg_value(const struct iotr_call *call, unsigned i, const struct iotr_path *shown,
		      int shown_at, struct iotr_value *v)
{
	const struct iotr_param *p = &call->schema->param[i];

	*v = call->value[i];
	switch (p->place) {
	case IOTR_AT_ITEMS:
		if (!call->itemsize || !(call->has & IOT_HAS_SIZE))
			return false;
		v->type = IOTR_VAL_WORD;
		v->word = call->size / call->itemsize;
		return true;
	case IOTR_AT_ARG:
		break;
	default:
		return false;
	}
	if (p->kind == IOTR_KIND_ITEMSIZE && call->itemsize) {
		v->type = IOTR_VAL_WORD;
		v->word = call->itemsize;
	}
	if (p->as == IOTR_AS_OFFP && v->type == IOTR_VAL_WORD && v->word == ~0ULL)
		return false; /* NULL */
	if (p->as == IOTR_AS_SECONDS && v->type == IOTR_VAL_WORD && v->word >= ~0ULL - 1)
		return false; /* NULL, or not known */
	if (v->type == IOTR_VAL_NONE || (int)i == shown_at || iot_is_ignored(call, i))
		return false;
	if (v->type == IOTR_VAL_WORD && iotr_as_text(p->as))
		return false; /* NULL */
	return v->type != IOTR_VAL_PATH || v->path != shown;
}

static void json_key(struct out *o, bool *any, const char *lead, const char *name)
{
	if (*any) {
		out_char(o, ',');
	} else {
		out_str(o, lead);
		out_char(o, '{');
	}
	*any = true;
	json_string(o, name, strlen(name));
	out_char(o, ':');
}

bool iot_json_args(struct out *o, const struct iotr_call *call, const char *lead)
{
	const struct iotr_schema *s = call->schema;
	const struct iotr_path *shown;
	bool any = false;
	size_t len;
	int shown_at;
	unsigned i;

	iotr_call_path(call, &len, &shown, &shown_at);
	for (i = 0; i < s->n_params; i++) {
		struct iotr_value v;

		if (!arg_value(call, i, shown, shown_at, &v))
			continue;
		json_key(o, &any, lead, s->param[i].name);
		json_value(o, &s->param[i], &v);
	}
	if (s->flags & IOTR_CALL_COLLECTIVE) {
		json_key(o, &any, lead, "collective");
		out_lit(o, "true");
	}
	if (call->entry.type == IOTR_VAL_BYTES) {
		json_key(o, &any, lead, "name");
		json_string(o, call->entry.bytes, call->entry.len);
	}
	if (any)
		out_char(o, '}');
	return any;
}

static void json_frame(struct out *o, const struct iotr_frame *f)
{
	if (f->language) {
		out_lit(o, "{\"lang\":");
		json_string(o, f->language, strlen(f->language));
	} else {
		out_lit(o, "{\"pc\":");
		iot_out_unsigned(o, f->pc);
	}
	if (f->func) {
		out_lit(o, ",\"func\":");
		json_string(o, f->func, strlen(f->func));
	}
	if (f->file) {
		out_lit(o, ",\"file\":");
		json_string(o, f->file, strlen(f->file));
		out_lit(o, ",\"line\":");
		out_signed(o, f->line);
	}
	if (f->outer)
		out_lit(o, ",\"inlined\":true");
	out_char(o, '}');
}

void iot_json_stack(struct out *o, struct iotr_log *log, const struct iotr_stack *s)
{
	const struct iotr_frame *f;
	const char *separator = "";
	uint32_t i;

	out_lit(o, ",\"stack\":[");
	for (i = 0; i < s->n; i++)
		for (f = iotr_log_frame(log, s, i); f; f = f->outer) {
			out_str(o, separator);
			separator = ",";
			json_frame(o, f);
		}
	out_char(o, ']');
}

static void json_stack(struct out *o, const struct iotr_call *call)
{
	const struct iotr_stack *s = iotr_call_stack(call);
	const struct stack_notes *n;

	if (!s)
		return;
	n = iot_stack_notes(call->log, s);
	iot_out_bytes(o, n->json, n->json_len);
}

static void json_result(struct out *o, const struct iotr_call *call)
{
	const char *status = iot_status_name(call), *name;

	if (call->has & IOT_HAS_RET) {
		out_lit(o, ",\"ret\":");
		if (call->schema->result == IOTR_KIND_PTR)
			iot_out_unsigned(o, (uint64_t)call->ret);
		else
			out_signed(o, call->ret);
	}
	if (call->err) {
		name = iotr_errno_name(call->err);
		out_lit(o, ",\"errno\":\"");
		if (name)
			out_str(o, name);
		else
			out_signed(o, call->err);
		out_char(o, '"');
	}
	if (status) {
		out_lit(o, ",\"status\":\"");
		out_str(o, status);
		out_char(o, '"');
	}
}

static void json_call(struct out *o, const struct iotr_call *call)
{
	const struct log_notes *log = iot_log_notes(call->log);
	const struct call_notes *notes = iot_call_notes(call->schema);
	const struct iotr_path *path;
	const char *name, *syscall_name;
	size_t len;
	int fd;

	iot_out_need(o, 512);
	out_lit(o, "{\"start\":");
	iot_out_unsigned(o, call->start);
	if (iotr_call_has_dur(call)) {
		out_lit(o, ",\"dur\":");
		iot_out_unsigned(o, call->dur);
	}
	iot_out_bytes(o, log->json, log->json_len);
	iot_out_unsigned(o, call->pid);
	out_lit(o, ",\"tid\":");
	iot_out_unsigned(o, call->tid);
	iot_out_bytes(o, log->json_program, log->json_program_len);
	iot_out_bytes(o, notes->json, notes->json_len);
	syscall_name = iotr_call_syscall(call);
	if (syscall_name) {
		out_lit(o, ",\"syscall\":\"");
		iot_out_json(o, syscall_name, strlen(syscall_name));
		out_char(o, '"');
	}
	if (call->mpi_own)
		out_lit(o, ",\"mpi_own\":true");
	if (call->internal)
		out_lit(o, ",\"internal\":true,\"depth\":");
	else
		out_lit(o, ",\"internal\":false,\"depth\":");
	iot_out_unsigned(o, call->depth);
	if (iot_fd_known(call, &fd)) {
		out_lit(o, ",\"fd\":");
		out_signed(o, fd);
	}
	name = iotr_call_path(call, &len, &path, NULL);
	if (name) {
		out_lit(o, ",\"path\":");
		if (path)
			json_path(o, path);
		else
			json_string(o, name, len);
	}
	if (call->has & IOT_HAS_OFFSET) {
		out_lit(o, ",\"offset\":");
		out_signed(o, (int64_t)call->offset);
	}
	if (call->has & IOT_HAS_SIZE) {
		out_lit(o, ",\"size\":");
		iot_out_unsigned(o, call->size);
	}
	json_result(o, call);
	iot_json_args(o, call, ",\"args\":");
	if (call->stack && iot_options.stacks)
		json_stack(o, call);
	out_lit(o, "}\n");
}

const struct format iot_format_json = {
	.name = "json",
	.cannot = CANNOT_DIFFER,
	.call = json_call,
};
