/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - a call as one line of JSON. */
#include "config.h"

#include "../cat.h"

static void json_path(struct out *o, const struct iotr_path *path)
{
	const struct path_notes *n = iot_path_notes(path);

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
			iot_json_string(o, name, len);
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
	iot_json_cache(o, call);
	iot_json_args(o, call, ",\"args\":");
	if (call->stack && iot_options.stacks)
		iot_out_stack(o, call, 0, iot_json_stack);
	out_lit(o, "}\n");
}

FORMAT(json, 20,
	.cannot = CANNOT_DIFFER,
	.call = json_call)
