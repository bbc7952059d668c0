/* SPDX-License-Identifier: BSD-3-Clause */
/* data-write.c - pieces of JSON that all parts of a page's data have. */
#include "config.h"

#include <stdlib.h>

#include "../stat/member.h"
#include "data.h"

void data_time(struct out *o, const struct iota_picture *p, uint64_t ns)
{
	iot_out_unsigned(o, ns > p->begin ? ns - p->begin : 0);
}

void data_begin_list(struct out *o, const char *key)
{
	json_key(o, key);
	out_char(o, '[');
}

void data_numbers(struct out *o, bool *any, const int64_t *number, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		out_str(o, *any ? "," : "");
		out_signed(o, number[i]);
		*any = true;
	}
}

size_t data_place_of(struct data_names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return i;
	names->name = reallocarray(names->name, ++names->n, sizeof(*names->name));
	if (!names->name)
		iot_no_memory();
	names->name[i] = name;
	return i;
}

void data_names(struct out *o, const char *key, const char *const *name, size_t n)
{
	size_t i;

	data_begin_list(o, key);
	for (i = 0; i < n; i++) {
		out_str(o, i ? "," : "");
		json_text(o, name[i], strlen(name[i]));
	}
	out_char(o, ']');
}
