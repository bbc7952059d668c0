/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - arguments the way strace prints them. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "../common/values.h"
#include "cat.h"

static void out_octal(struct out *o, uint32_t v)
{
	if (v)
		out_char(o, '0');
	iot_out_base(o, v, 3);
}

static void out_dev(struct out *o, uint64_t v)
{
	out_lit(o, "makedev(");
	iot_text_hex(o, major(v));
	out_lit(o, ", ");
	iot_text_hex(o, minor(v));
	out_char(o, ')');
}

static void out_offp(struct out *o, uint64_t v)
{
	if (v == ~0ULL) {
		out_lit(o, "NULL");
		return;
	}
	out_char(o, '[');
	out_signed(o, (int64_t)v);
	out_char(o, ']');
}

static void out_seconds(struct out *o, uint64_t ns)
{
	char buf[40];

	if (ns == ~0ULL)
		out_lit(o, "NULL");
	else if (ns == ~0ULL - 1)
		out_char(o, '?');
	else
		iot_out_bytes(o, buf, (size_t)snprintf(buf, sizeof(buf), "%llu.%09u s",
						       (unsigned long long)(ns / 1000000000),
						       (unsigned)(ns % 1000000000)));
}

static void out_word(struct out *o, enum iotr_kind kind, enum iotr_as as, uint64_t v)
{
	char buf[512];
	size_t n = iotr_symbolic(kind, v, buf, sizeof(buf));

	if (n) {
		iot_out_bytes(o, buf, n);
		return;
	}
	switch (as) {
	case IOTR_AS_PATH:
	case IOTR_AS_TEXT:
	case IOTR_AS_ADDRESS:
		out_lit(o, "NULL");
		break;
	case IOTR_AS_POINTER:
		if (!v) {
			out_lit(o, "NULL");
			break;
		}
		/* fall through */
	case IOTR_AS_HEX:
		iot_text_hex(o, v);
		break;
	case IOTR_AS_OCTAL:
		out_octal(o, (uint32_t)v);
		break;
	case IOTR_AS_DEVICE:
		out_dev(o, v);
		break;
	case IOTR_AS_OFFP:
		out_offp(o, v);
		break;
	case IOTR_AS_OWNER:
		/* -1 says: leave it as it is */
		out_signed(o, (uint32_t)v == UINT32_MAX ? -1 : (int64_t)(uint32_t)v);
		break;
	case IOTR_AS_UINT:
		iot_out_unsigned(o, (uint32_t)v);
		break;
	case IOTR_AS_UNSIGNED:
		iot_out_unsigned(o, v);
		break;
	case IOTR_AS_MSECS:
		out_signed(o, (int32_t)v);
		if ((int32_t)v > 0)
			out_lit(o, " ms");
		break;
	case IOTR_AS_SECONDS:
		out_seconds(o, v);
		break;
	default:
		out_signed(o, (int64_t)v);
	}
}

static void out_value(struct out *o, const struct iotr_call *call, unsigned i)
{
	const struct iotr_param param = iot_param_of(call, i), *p = &param;
	const struct iotr_value *v = &call->value[i];
	const char *name;
	char buf[200];

	switch (v->type) {
	case IOTR_VAL_NONE:
		if (p->kind == IOTR_KIND_ITEMSIZE && call->itemsize)
			iot_out_unsigned(o, call->itemsize);
		else
			out_char(o, '?');
		break;
	case IOTR_VAL_PATH:
		iot_text_quoted(o, v->path->name, v->path->len);
		break;
	case IOTR_VAL_BYTES:
		if (p->as == IOTR_AS_ADDRESS)
			iot_out_bytes(o, buf, iot_address(v->bytes, v->len, buf, sizeof(buf)));
		else
			iot_text_quoted(o, v->bytes, v->len);
		break;
	case IOTR_VAL_HANDLE:
		iot_text_handle(o, v->handle);
		break;
	case IOTR_VAL_PAIR:
		out_char(o, '[');
		if (v->pair[0])
			iot_text_handle(o, v->pair[0]);
		out_lit(o, ", ");
		if (v->pair[1])
			iot_text_handle(o, v->pair[1]);
		out_char(o, ']');
		break;
	case IOTR_VAL_WORD:
		if (!i && iotr_call_is_any(call) && (name = iotr_call_syscall(call)))
			out_str(o, name);
		else
			out_word(o, p->kind, p->as, v->word);
	}
}

static void out_byte(struct out *o, const struct iotr_call *call)
{
	char c = (char)call->ret;

	if (!(call->has & IOT_HAS_RET) || call->ret < 0 || call->ret > 255) {
		out_lit(o, "...");
		return;
	}
	out_char(o, '\'');
	if (c == '"' || c == '\'') {
		if (c == '\'')
			out_char(o, '\\');
		out_char(o, c);
	} else {
		iot_out_c(o, &c, 1);
	}
	out_char(o, '\'');
}

/* Of a text that was written only its length is on record. */
static void out_text_size(struct out *o, const struct iotr_call *call)
{
	out_lit(o, "...");
	if (!(call->has & IOT_HAS_SIZE))
		return;
	out_char(o, ' ');
	iot_out_unsigned(o, call->size);
	out_str(o, call->size == 1 ? " byte" : " bytes");
}

/* Where arguments have names, those that say nothing are left out. */
static bool is_void(const struct iotr_call *call, unsigned i)
{
	const struct iotr_param *p = &call->schema->param[i];
	const struct iotr_value *v = &call->value[i];

	switch (p->place) {
	case IOTR_AT_NONE:
		return true;
	case IOTR_AT_OFFSET:
		return !(call->has & IOT_HAS_OFFSET);
	case IOTR_AT_ARG:
		return v->type == IOTR_VAL_NONE || (v->type == IOTR_VAL_BYTES && !v->len) ||
		       (v->type == IOTR_VAL_WORD && !v->word && iotr_as_text(p->as));
	default:
		return false;
	}
}

/* Calls on one of MPI's files repeat what the calls that opened it and set its view say. */
static bool is_of_file(const struct iotr_call *call, unsigned i)
{
	const struct iotr_schema *s = call->schema;

	if (!i || s->param[0].place != IOTR_AT_HANDLE || s->param[0].kind != IOTR_KIND_MFILE)
		return false;
	switch (s->param[i].kind) {
	case IOTR_KIND_COMMSIZE:
	case IOTR_KIND_COMMRANK:
	case IOTR_KIND_AMODE:
	case IOTR_KIND_VIEW:
		return true;
	default:
		return false;
	}
}

static void out_param(struct out *o, const struct iotr_call *call, unsigned i)
{
	const struct iotr_param *p = &call->schema->param[i];

	switch (p->place) {
	case IOTR_AT_HANDLE:
		if (call->handle && call->handle->path && (p->kind == IOTR_KIND_MFILE || call->handle->fd < 0))
			iot_text_path(o, call->handle->path->name, call->handle->path->len);
		else if (call->handle)
			iot_text_handle(o, call->handle);
		else if (p->kind == IOTR_KIND_FD)
			out_lit(o, "-1");
		else
			out_lit(o, "NULL");
		break;
	case IOTR_AT_SIZE:
		if (p->kind == IOTR_KIND_TEXT || p->kind == IOTR_KIND_LINE)
			out_text_size(o, call);
		else if (call->has & IOT_HAS_SIZE)
			iot_out_unsigned(o, call->size);
		else
			out_char(o, '?');
		break;
	case IOTR_AT_OFFSET:
		if (call->has & IOT_HAS_OFFSET)
			out_signed(o, (int64_t)call->offset);
		else
			out_char(o, '?');
		break;
	case IOTR_AT_ITEMS:
		if (call->itemsize && (call->has & IOT_HAS_SIZE))
			iot_out_unsigned(o, call->size / call->itemsize);
		else
			out_char(o, call->itemsize ? '?' : '0');
		break;
	case IOTR_AT_NONE:
		if (p->kind == IOTR_KIND_BYTE)
			out_byte(o, call);
		else
			out_lit(o, "...");
		break;
	case IOTR_AT_ARG:
		out_value(o, call, i);
	}
}

void iot_text_params(struct out *o, const struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	bool any = false, braces = false;
	unsigned i;

	if (iot_text_operation(o, call))
		return;
	/* printf's stream goes without saying, but -y says it */
	if (call->handle && !(s->flags & IOTR_CALL_HAS_HANDLE) && iot_options.paths &&
	    !call->resumed) {
		iot_text_handle(o, call->handle);
		any = true;
	}
	for (i = 0; i < s->n_params; i++) {
		/* of a call in progress only descriptor and name are known */
		if (call->status == IOTR_UNFINISHED && call->value[i].type == IOTR_VAL_NONE &&
		    (s->param[i].place != IOTR_AT_HANDLE || !call->handle))
			continue;
		if (call->resumed && s->param[i].place == IOTR_AT_HANDLE && call->handle)
			continue;
		if (iot_is_ignored(call, i))
			continue;
		if (s->param[i].found && call->value[i].type == IOTR_VAL_NONE)
			continue;
		if (s->flags & IOTR_CALL_NAMED && (is_void(call, i) || is_of_file(call, i)))
			continue;
		if (any)
			out_lit(o, ", ");
		any = true;
		if (s->param[i].found && !braces) {
			out_char(o, '{');
			braces = true;
		}
		if (s->param[i].found ||
		    (s->flags & IOTR_CALL_NAMED && s->param[i].place != IOTR_AT_HANDLE)) {
			iot_out_c(o, s->param[i].name, strlen(s->param[i].name));
			out_char(o, '=');
		}
		out_param(o, call, i);
	}
	if (braces)
		out_char(o, '}');
	if (call->status == IOTR_UNFINISHED && any)
		out_lit(o, ", ");
}
