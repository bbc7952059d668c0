/* SPDX-License-Identifier: BSD-3-Clause */
/* raw.c - calls as rows for perl and awk, behind lines about their logs. */
#include "config.h"

#include "../cat.h"

/* A raw field holds no '!', no line ends and no other control characters: they,
   and the backslash, are \ooo. */
static void raw_text(struct out *o, const char *s, size_t n)
{
	iot_out_escaped(o, s, n, "!0\\0");
}

static void raw_log(struct out *o, const struct iotr_log *log)
{
	const char *key, *value;
	size_t i, len;

	out_lit(o, "#log!");
	raw_text(o, iotr_log_file(log), strlen(iotr_log_file(log)));
	out_lit(o, "\n#pid!");
	iot_out_unsigned(o, iotr_log_pid(log));
	out_lit(o, "\n#start!");
	iot_out_unsigned(o, iotr_log_start(log));
	out_lit(o, "\n#lost!");
	iot_out_unsigned(o, iotr_log_lost(log).calls);
	out_char(o, '\n');
	for (i = 0; iotr_log_key_at(log, i, &key, &value, &len); i++) {
		out_char(o, '#');
		raw_text(o, key, strlen(key));
		out_char(o, '!');
		raw_text(o, value, len);
		out_char(o, '\n');
	}
}

static void raw_begin(struct out *o, const struct iotr_set *set)
{
	size_t i;

	out_lit(o, "#format!iotrace-raw 1\n");
	for (i = 0; i < iotr_set_size(set); i++)
		raw_log(o, iotr_set_log(set, i));
	out_lit(o, "#columns!");
	iot_table_head(o, '!');
}

static void raw_call(struct out *o, const struct iotr_call *call)
{
	static const struct style style = {'!', raw_text, raw_text};

	iot_table_call(o, call, &style);
}

FORMAT(raw, 50,
	.cannot = CANNOT_STACKS | CANNOT_DIFFER | CANNOT_ABOUT,
	.begin = raw_begin,
	.log = raw_log,
	.call = raw_call)
