/* SPDX-License-Identifier: BSD-3-Clause */
/* member.h - members of JSON's objects, in an output that is memory only: a key looks back at
   what stands before it. */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdio.h>

#include "../common/out.h"

static inline void json_text(struct out *o, const char *s, size_t n)
{
	out_char(o, '"');
	iot_out_json(o, s, n);
	out_char(o, '"');
}

static inline void json_key(struct out *o, const char *key)
{
	if (o->buf[o->len - 1] != '{')
		out_char(o, ',');
	json_text(o, key, strlen(key));
	out_char(o, ':');
}

static inline void json_number(struct out *o, const char *key, uint64_t v)
{
	json_key(o, key);
	iot_out_unsigned(o, v);
}

static inline void json_string(struct out *o, const char *key, const char *s)
{
	if (!s)
		return;
	json_key(o, key);
	json_text(o, s, strlen(s));
}

static inline void json_seconds(struct out *o, uint64_t ns)
{
	char text[40];

	snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns % 1000000000));
	out_str(o, text);
}

#endif
