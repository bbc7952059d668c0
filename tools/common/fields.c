/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - what several tools print of a call: its status, its descriptor, its arguments. */
#include "config.h"

#include "fields.h"
#include "values.h"

/* fcntl's commands: what its third argument is, or that there is none, and what it returns.  Others take
   and return numbers. */
static const struct fcntl_command {
	uint64_t command;
	bool takes; /* what is of that kind; false: it takes nothing, and returns that */
	enum iotr_kind kind;
	enum iotr_as as;
} fcntl_commands[] = {
#define TAKES(command, kind, as) {IOT_VALUE_FCNTL_##command, true, IOTR_KIND_##kind, IOTR_AS_##as}
#define RETURNS(command, kind)	 {IOT_VALUE_FCNTL_##command, false, IOTR_KIND_##kind, IOTR_AS_SIGNED}
	TAKES(F_SETFD, FDFLAGS, HEX),
	TAKES(F_SETFL, OFLAGS, SYMBOLS),
	TAKES(F_SETSIG, SIGNAL, SYMBOLS),
	TAKES(F_SETLEASE, LOCKTYPE, SYMBOLS),
	TAKES(F_NOTIFY, DNOTIFY, SYMBOLS),
	TAKES(F_ADD_SEALS, SEALS, SYMBOLS),
	TAKES(F_GETLK, PTR, POINTER),
	TAKES(F_SETLK, PTR, POINTER),
	TAKES(F_SETLKW, PTR, POINTER),
	TAKES(F_OFD_GETLK, PTR, POINTER),
	TAKES(F_OFD_SETLK, PTR, POINTER),
	TAKES(F_OFD_SETLKW, PTR, POINTER),
	TAKES(F_SETOWN_EX, PTR, POINTER),
	TAKES(F_GETOWN_EX, PTR, POINTER),
	TAKES(F_GET_RW_HINT, PTR, POINTER),
	TAKES(F_SET_RW_HINT, PTR, POINTER),
	TAKES(F_GET_FILE_RW_HINT, PTR, POINTER),
	TAKES(F_SET_FILE_RW_HINT, PTR, POINTER),
	RETURNS(F_GETFD, FDFLAGS),
	RETURNS(F_GETFL, OFLAGS),
	RETURNS(F_GETOWN, LONG),
	RETURNS(F_GETSIG, SIGNAL),
	RETURNS(F_GETLEASE, LOCKTYPE),
	RETURNS(F_GETPIPE_SZ, LONG),
	RETURNS(F_GET_SEALS, SEALS),
#undef TAKES
#undef RETURNS
};

/* The command that the call's parameter i says; NULL: none of these. */
static const struct fcntl_command *fcntl_command(const struct iotr_call *call, unsigned i)
{
	size_t n;

	if (call->schema->param[i].kind != IOTR_KIND_FCNTL || call->value[i].type != IOTR_VAL_WORD)
		return NULL;
	for (n = 0; n < sizeof(fcntl_commands) / sizeof(fcntl_commands[0]); n++)
		if (fcntl_commands[n].command == call->value[i].word)
			return &fcntl_commands[n];
	return NULL;
}

bool iot_is_ignored(const struct iotr_call *call, unsigned i)
{
	const struct iotr_param *p = &call->schema->param[i];
	const struct iotr_value *before = i ? &call->value[i - 1] : NULL;

	if (call->value[i].type == IOTR_VAL_WORD && iotr_is_none(p, call->value[i].word))
		return true;
	if (!before || before->type != IOTR_VAL_WORD)
		return false;
	if (p->kind == IOTR_KIND_MODE && p[-1].kind == IOTR_KIND_OFLAGS)
		return !(before->word & IOT_VALUE_OFLAGS_O_CREAT) &&
		       (before->word & IOT_VALUE_OFLAGS_O_TMPFILE) != IOT_VALUE_OFLAGS_O_TMPFILE;
	if (p->kind == IOTR_KIND_LONG) {
		const struct fcntl_command *c = fcntl_command(call, i - 1);

		return c && !c->takes;
	}
	return false;
}

struct iotr_param iot_param_of(const struct iotr_call *call, unsigned i)
{
	struct iotr_param p = call->schema->param[i];
	const struct fcntl_command *c = i && p.kind == IOTR_KIND_LONG ? fcntl_command(call, i - 1) : NULL;

	if (c && c->takes) {
		p.kind = c->kind;
		p.as = c->as;
	}
	return p;
}

size_t iot_result_names(const struct iotr_call *call, char *buf, size_t size)
{
	const struct fcntl_command *c = NULL;
	size_t len;
	unsigned i;

	if (!(call->has & IOT_HAS_RET) || call->ret < 0 || call->status != IOTR_FINISHED)
		return 0;
	for (i = 0; i < call->schema->n_params && !c; i++)
		c = fcntl_command(call, i);
	len = c && !c->takes ? iotr_symbolic(c->kind, (uint64_t)call->ret, buf, size) : 0;
	/* 0 may be none of them */
	return len == 1 && *buf == '0' ? 0 : len;
}

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

void iot_json_string(struct out *o, const char *s, size_t n)
{
	out_char(o, '"');
	iot_out_json(o, s, n);
	out_char(o, '"');
}

static void json_word(struct out *o, const struct iotr_param *p, uint64_t word)
{
	char buf[512];
	size_t n = iotr_symbolic(p->kind, word, buf, sizeof(buf));

	if (n) {
		iot_json_string(o, buf, n);
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
		iot_json_string(o, v->path->name, v->path->len);
		break;
	case IOTR_VAL_BYTES:
		if (p->as == IOTR_AS_ADDRESS)
			iot_json_string(o, buf, iot_address(v->bytes, v->len, buf, sizeof(buf)));
		else
			iot_json_string(o, v->bytes, v->len);
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
	iot_json_string(o, name, strlen(name));
	out_char(o, ':');
}

bool iot_json_args(struct out *o, const struct iotr_call *call, const char *lead)
{
	const struct iotr_schema *s = call->schema;
	const struct iotr_path *shown;
	char names[512];
	bool any = false;
	size_t len, n;
	int shown_at;
	unsigned i;

	iotr_call_path(call, &len, &shown, &shown_at);
	for (i = 0; i < s->n_params; i++) {
		struct iotr_param p = iot_param_of(call, i);
		struct iotr_value v;

		if (!arg_value(call, i, shown, shown_at, &v))
			continue;
		json_key(o, &any, lead, p.name);
		json_value(o, &p, &v);
	}
	n = iot_result_names(call, names, sizeof(names));
	if (n) {
		json_key(o, &any, lead, "result");
		iot_json_string(o, names, n);
	}
	if (s->flags & IOTR_CALL_COLLECTIVE) {
		json_key(o, &any, lead, "collective");
		out_lit(o, "true");
	}
	if (call->entry.type == IOTR_VAL_BYTES) {
		json_key(o, &any, lead, "name");
		iot_json_string(o, call->entry.bytes, call->entry.len);
	}
	if (any)
		out_char(o, '}');
	return any;
}
