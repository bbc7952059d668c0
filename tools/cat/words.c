/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - what text consists of: names, paths, descriptors, numbers. */
#include "config.h"

#include "cat.h"

void iot_text_quoted(struct out *o, const char *s, size_t n)
{
	out_char(o, '"');
	iot_out_c(o, s, n);
	out_char(o, '"');
}

void iot_text_path(struct out *o, const char *s, size_t n)
{
	out_char(o, '<');
	iot_out_c(o, s, n);
	out_char(o, '>');
}

void iot_text_handle(struct out *o, const struct iotr_handle *h)
{
	out_signed(o, h->fd);
	if (iot_options.paths && h->path)
		iot_text_path(o, h->path->name, h->path->len);
}

void iot_text_hex(struct out *o, uint64_t v)
{
	out_lit(o, "0x");
	iot_out_base(o, v, 4);
}
