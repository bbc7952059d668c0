/* SPDX-License-Identifier: BSD-3-Clause */
/* json-line.c - a line of the program, as JSON. */
#include "config.h"

#include "member.h"
#include "stat.h"

void iot_stat_json_line(struct out *o, struct iota_line line)
{
	out_char(o, '{');
	json_string(o, "func", line.func);
	json_string(o, "file", line.file);
	if (line.line) {
		json_number(o, "line", (uint64_t)line.line);
	} else if (line.module) {
		json_string(o, "module", line.module);
		json_number(o, "offset", line.offset);
	}
	out_char(o, '}');
}
