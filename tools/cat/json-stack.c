/* SPDX-License-Identifier: BSD-3-Clause */
/* json-stack.c - a stack as JSON, the innermost function first. */
#include "config.h"

#include "cat.h"

static void json_frame(struct out *o, const struct iotr_frame *f)
{
	if (f->language) {
		out_lit(o, "{\"lang\":");
		iot_json_string(o, f->language, strlen(f->language));
	} else {
		out_lit(o, "{\"pc\":");
		iot_out_unsigned(o, f->pc);
	}
	if (f->func) {
		out_lit(o, ",\"func\":");
		iot_json_string(o, f->func, strlen(f->func));
	}
	if (f->file) {
		out_lit(o, ",\"file\":");
		iot_json_string(o, f->file, strlen(f->file));
	}
	if (f->line) {
		out_lit(o, ",\"line\":");
		out_signed(o, f->line);
	}
	if (f->module) {
		out_lit(o, ",\"module\":");
		iot_json_string(o, f->module, strlen(f->module));
		out_lit(o, ",\"module_offset\":");
		iot_out_unsigned(o, f->module_offset);
	}
	if (f->outer)
		out_lit(o, ",\"inlined\":true");
	out_char(o, '}');
}

void iot_json_stack(struct out *o, struct iotr_log *log, const struct iotr_stack *s, unsigned indent)
{
	const struct iotr_frame *f;
	const char *separator = "";
	uint32_t i;

	(void)indent;
	out_lit(o, ",\"stack\":[");
	for (i = 0; i < s->n; i++)
		for (f = iotr_log_frame(log, s, i); f; f = f->outer) {
			out_str(o, separator);
			separator = ",";
			json_frame(o, f);
		}
	out_char(o, ']');
}
